// SPDX-License-Identifier: MIT
#include "graph/b_matching.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <cmath>
#include <limits>

#include "ritz/base/random.hpp"

using namespace ritz;

namespace {

struct Points {
  RowMatrix X;
  double operator()(Index i, Index j) const { return (X.row(i) - X.row(j)).norm(); }
  NeighbourTable nearest(Index k) const { return tree_neighbours(X, X, k, OwnRow::is_left_out, {}); }
};

Points random_points(Index n, bool on_a_grid) {
  RowMatrix X = Rng(*rc::gen::inRange<std::uint64_t>(0, 100'000), "points").normal_matrix(n, 2);
  if (on_a_grid) X = (2 * X).array().round().matrix();  // many lengths are equal
  return {X};
}

// The shortest of all graphs in which every vertex lacks as much as `lacks` says, over the pairs from (i, j) on.
double shortest(const Points& points, std::vector<Index>& lacks, Index i, Index j) {
  const Index n = points.X.rows();
  if (j == n) {
    if (lacks[std::size_t(i)] > 0) return std::numeric_limits<double>::infinity();
    return i + 1 == n ? 0.0 : shortest(points, lacks, i + 1, i + 2);
  }
  double least = shortest(points, lacks, i, j + 1);
  if (Index& a = lacks[std::size_t(i)], &b = lacks[std::size_t(j)]; a > 0 && b > 0) {
    --a, --b;
    least = std::min(least, points(i, j) + shortest(points, lacks, i, j + 1));
    ++a, ++b;
  }
  return least;
}

}  // namespace

TEST_CASE("a b-matching of few vertices is near the shortest of all, and its bound below") {
  double excess = 0;
  int shortest_found = 0, tried = 0;
  CHECK(rc::check([&] {
    const Index n = *rc::gen::inRange<Index>(4, 9), b = *rc::gen::inRange<Index>(1, 4);
    RC_PRE(b < n - 1 && n * b % 2 == 0);
    const Points points = random_points(n, *rc::gen::arbitrary<bool>());

    const Matching found = b_matching(points.nearest(n - 1), b, points, {});

    std::vector<Index> lacks(std::size_t(n), b);
    const double least = shortest(points, lacks, 0, 1), rounding = 1e-9 * (1 + least);
    double length = 0;
    for (const Edge& edge : found.graph.edges) length += points(edge.i, edge.j);
    RC_ASSERT(degrees(found.graph) == Vector::Constant(n, double(b)));
    RC_ASSERT(std::abs(found.length - length) <= rounding);
    RC_ASSERT(found.bound <= least + rounding);
    RC_ASSERT(found.length >= least - rounding);
    ++tried;
    shortest_found += found.length <= least + rounding;
    excess = std::max(excess, least > 0 ? found.length / least - 1 : 0.0);
  }));
  CAPTURE(excess);
  CHECK(shortest_found >= 0.9 * tried);
}

TEST_CASE("a b-matching of many vertices gives each exactly b, near the bound of all such graphs") {
  for (const Index b : {1, 3, 10}) {
    const Points points{Rng(7, "points").normal_matrix(300, 3)};
    const Matching few = b_matching(points.nearest(2 * b + 2), b, points, {});
    const Matching all = b_matching(points.nearest(299), b, points, {});

    CHECK(degrees(few.graph) == Vector::Constant(300, double(b)));
    CHECK(few.above() < (b == 1 ? 0.05 : 0.01));  // matchings proper are farther from their relaxation
    // Pairs beyond the table are found, so that the bound is that of all pairs.
    CHECK(few.bound == doctest::Approx(all.bound).epsilon(1e-9));
  }
}

TEST_CASE("an outlier gets its neighbours, and a crowd is no hub") {
  RowMatrix X = Rng(3, "points").normal_matrix(60, 2);
  X.row(59) << 1000, 0;
  const Points points{X};

  const Matching found = b_matching(points.nearest(12), 4, points, {});

  CHECK(degrees(found.graph) == Vector::Constant(60, 4.0));
}

TEST_CASE("where n times b is odd one vertex has an edge less") {
  const Points points{Rng(5, "points").normal_matrix(21, 2)};

  const Vector degree = degrees(b_matching(points.nearest(12), 3, points, {}).graph);

  CHECK(degree.sum() == 62);
  CHECK(degree.minCoeff() == 2);
  CHECK(degree.maxCoeff() == 3);
}
