// SPDX-License-Identifier: MIT
#include "pairs/neighbours.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <atomic>
#include <limits>
#include <set>

#include "ritz/base/random.hpp"
#include "ritz/pairs/backend.hpp"
#include "support/errors.hpp"

using namespace ritz;

namespace {

RowMatrix on_grid(Index n, Index d, Index side, Rng& rng) {
  RowMatrix X(n, d);
  for (Index i = 0; i < X.size(); ++i) X.data()[i] = double(rng.below(side));
  return X;
}

// All distances, sorted.
NeighbourTable naive(const RowMatrix& queries, const RowMatrix& points, Index k, bool leave_out_own) {
  NeighbourTable table;
  table.k = k;
  for (Index i = 0; i < queries.rows(); ++i) {
    std::vector<std::pair<double, Index>> all;
    for (Index j = 0; j < points.rows(); ++j) {
      double squared = 0;
      for (Index f = 0; f < points.cols(); ++f) squared += std::pow(queries(i, f) - points(j, f), 2);
      if (!leave_out_own || i != j) all.emplace_back(squared, j);
    }
    std::ranges::sort(all);
    for (Index v = 0; v < k; ++v) {
      table.squared.push_back(all[std::size_t(v)].first);
      table.rows.push_back(all[std::size_t(v)].second);
    }
  }
  return table;
}

bool same(const NeighbourTable& a, const NeighbourTable& b) {
  return a.k == b.k && a.rows == b.rows && a.squared == b.squared;
}

bool connected_from_first(const Graph& graph) {
  std::set<Index> reached = {0};
  for (std::size_t before = 0; before != reached.size();) {
    before = reached.size();
    for (const auto& [i, j] : graph.edges)
      if (reached.contains(i) || reached.contains(j)) reached.insert({i, j});
  }
  return Index(reached.size()) == graph.vertices;
}

}  // namespace

TEST_CASE("every route finds the neighbours of the double loop, ties and distances to the bit") {
  CHECK(rc::check([] {
    const Index n = *rc::gen::inRange<Index>(2, 120), m = *rc::gen::inRange<Index>(1, 20);
    const Index d = *rc::gen::inRange<Index>(1, 7), k = *rc::gen::inRange<Index>(1, n);
    Rng rng(*rc::gen::inRange<std::uint64_t>(0, 10'000), "points");
    RowMatrix X = on_grid(n, d, 3, rng), Q = on_grid(m, d, 3, rng);
    const int flavour = *rc::gen::inRange(0, 4);
    if (flavour == 1) X = rng.normal_matrix(n, d), Q = rng.normal_matrix(m, d);
    if (flavour == 2) X *= 0.1, Q *= 0.1;                      // ties up to rounding
    if (flavour == 3) X.array() += 1e8, Q.array() += 1e8 + 1;  // far from the origin

    const NeighbourTable own = naive(X, X, k, true), cross = naive(Q, X, k, false);
    RC_ASSERT(same(tree_neighbours(X, X, k, OwnRow::is_left_out, {}), own));
    RC_ASSERT(same(tree_neighbours(Q, X, k, OwnRow::counts, {}), cross));
    for (Backend* backend : backends()) {
      if (!backend->available()) continue;
      RC_ASSERT(same(backend->neighbours(X, X, k, OwnRow::is_left_out, {}), own));
      RC_ASSERT(same(backend->neighbours(Q, X, k, OwnRow::counts, {}), cross));
    }
    const SparseRows sparse_X = X.sparseView(), sparse_Q = Q.sparseView();
    RC_ASSERT(same(nearest_neighbours(sparse_X, k, {}), own));
    RC_ASSERT(same(cross_neighbours(sparse_Q, sparse_X, k, {}), cross));
    RC_ASSERT(same(nearest_neighbours(X, k, {}), own));
    RC_ASSERT(same(cross_neighbours(Q, X, k, {}), cross));
  }));
}

TEST_CASE("several tiles and large data agree with the double loop, the same for 1, 2 and 7 threads") {
  Rng rng(3, "points");
  for (const Index d : {2, 12}) {
    CAPTURE(d);
    const RowMatrix X = on_grid(2100, d, 6, rng);  // d = 2: the tree, with dozens of equal points; d = 12: products
    const NeighbourTable expected = naive(X, X, 9, true);
    const SparseRows sparse = X.sparseView();
    for (const int threads : {1, 2, 7}) {
      RunContext context;
      context.threads = threads;
      CHECK(same(nearest_neighbours(X, 9, context), expected));
      CHECK(same(nearest_neighbours(sparse, 9, context), expected));
    }
  }
}

TEST_CASE("equal points are neighbours in the order of their rows") {
  const RowMatrix same_points = RowMatrix::Constant(5, 2, 0.3);

  const NeighbourTable table = nearest_neighbours(same_points, 2, {});

  CHECK(table.rows == std::vector<Index>{1, 2, 0, 2, 0, 1, 0, 1, 0, 1});
  CHECK(std::ranges::count(table.squared, 0.0) == 10);
}

TEST_CASE("a strided view of the samples gives the same as a copy") {
  const RowMatrix wide = Rng(4, "points").normal_matrix(60, 5);
  const RowMatrix copy = wide.leftCols(3);
  const Eigen::Map<const RowMatrix, 0, Eigen::OuterStride<>> view(wide.data(), 60, 3, Eigen::OuterStride<>(5));

  CHECK(same(nearest_neighbours(view, 4, {}), nearest_neighbours(copy, 4, {})));
}

TEST_CASE("too many neighbours, other columns, NaN and too little memory are named") {
  const RowMatrix X = RowMatrix::Random(50, 2), wider = RowMatrix::Random(3, 4);
  RowMatrix broken = X;
  broken(7, 1) = std::numeric_limits<double>::quiet_NaN();
  RunContext small;
  small.max_memory = 100;
  const auto refusal = [](const RowMatrix& points, Index k, const RunContext& context = {}) {
    return test::complaint([&] { nearest_neighbours(points, k, context); });
  };

  CHECK(refusal(X, 60).message == "graph.neighbours 60 needs more than 60 samples; there are 50");
  CHECK(refusal(X, 50).code == ErrorCode::bad_option);
  CHECK(refusal(X, 0).code == ErrorCode::bad_option);
  CHECK_FALSE(refusal(X, 49).code);
  CHECK(refusal(broken, 3).code == ErrorCode::not_finite);
  CHECK(refusal(X, 3, small).code == ErrorCode::memory);
  CHECK(test::complaint([&] { cross_neighbours(wider, X, 3, {}); }).code == ErrorCode::bad_shape);
  CHECK(test::complaint([&] { cross_neighbours(X, X, 51, {}); }).code == ErrorCode::bad_option);
  CHECK(cross_neighbours(X, X, 50, {}).queries() == 50);
  CHECK(cross_neighbours(RowMatrix(0, 2), X, 5, {}).queries() == 0);
}

TEST_CASE("a cancelled context interrupts the search") {
  const std::atomic<bool> cancelled{true};
  RunContext context;
  context.cancel = &cancelled;
  const RowMatrix X = RowMatrix::Random(2500, 2), wide = RowMatrix::Random(300, 20);

  CHECK_THROWS_AS(nearest_neighbours(X, 3, context), Interrupted);
  CHECK_THROWS_AS(nearest_neighbours(wide, 3, context), Interrupted);
  CHECK_THROWS_AS(nearest_neighbours(SparseRows(wide.sparseView()), 3, context), Interrupted);
}

TEST_CASE("growth stops at the smallest number of neighbours that connects the graph") {
  CHECK(rc::check([] {
    const Index n = *rc::gen::inRange<Index>(2, 50), k = *rc::gen::inRange<Index>(1, n);
    RowMatrix X = Rng(*rc::gen::inRange<std::uint64_t>(0, 1000), "points").normal_matrix(n, 2);
    if (*rc::gen::arbitrary<bool>()) X.topRows(n / 2).array() += 100;  // two groups far apart
    const GraphKind kind = *rc::gen::element(GraphKind::mutual, GraphKind::union_);
    const NeighbourTable all = nearest_neighbours(X, n - 1, {});

    const NeighbourGraph grown = connected_neighbour_graph(X, k, kind, {});

    RC_ASSERT(grown.k >= k);
    RC_ASSERT(connected_from_first(grown.graph));
    RC_ASSERT(grown.graph.edges == neighbour_graph(all, grown.k, kind).edges);
    RC_ASSERT(grown.k == k || !connected_from_first(neighbour_graph(all, grown.k - 1, kind)));
    RC_ASSERT(grown.neighbours.k >= grown.k);
  }));
}
