// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <set>

#include "model/kernel_list.hpp"
#include "pairs/bandwidth.hpp"
#include "ritz/base/error.hpp"
#include "ritz/base/random.hpp"

using namespace ritz;

namespace {

double naive_median(const RowMatrix& X) {
  std::vector<double> distances;
  for (Index i = 0; i < X.rows(); ++i)
    for (Index j = 0; j < X.rows(); ++j) distances.push_back((X.row(i) - X.row(j)).norm());
  std::ranges::sort(distances);
  const std::size_t m = distances.size();
  return 0.5 * (distances[(m - 1) / 2] + distances[m / 2]);
}

double naive_neighbour(const RowMatrix& X, Index i, Index k) {
  std::set<std::vector<double>> seen;
  std::vector<double> distances;
  for (Index j = 0; j < X.rows(); ++j)
    if (seen.insert(std::vector<double>(X.row(j).begin(), X.row(j).end())).second && X.row(j) != X.row(i))
      distances.push_back((X.row(i) - X.row(j)).norm());
  std::ranges::sort(distances);
  return distances[std::size_t(k - 1)];
}

}  // namespace

TEST_CASE("the median distance is that of all ordered pairs, the diagonal included") {
  const RunContext context;
  CHECK(rc::check([&] {
    const Index n = *rc::gen::inRange<Index>(2, 40), d = *rc::gen::inRange<Index>(1, 5);
    RowMatrix X = Rng(*rc::gen::inRange<std::uint64_t>(0, 1000), "x").normal_matrix(n, d);
    X.rowwise() += Eigen::RowVectorXd::Constant(d, 100);
    const double naive = naive_median(X);
    const MedianDistance median = median_distance(Samples(X), context);
    RC_ASSERT(std::abs(median.value - naive) <= 1e-9 * naive);
    RC_ASSERT(!median.floored);
  }));
}

TEST_CASE("a median of zero is replaced by that of the distinct points, and said so") {
  RowMatrix X = RowMatrix::Zero(10, 2);
  X(8, 0) = 3;
  X(9, 0) = 3;
  const RunContext context;

  const ResolvedKernel resolved = resolve_bandwidths(parse_kernel("gaussian"), Samples(X), context);

  CHECK(std::get<Gaussian>(*resolved.kernel[0].kernel).sigma.value == doctest::Approx(3));
  REQUIRE(resolved.notes.size() == 1);
  CHECK(resolved.notes[0].find("repeated points") != std::string::npos);
}

TEST_CASE("equal points everywhere are refused") {
  const RowMatrix X = RowMatrix::Constant(6, 3, 2.5);
  const RunContext context;
  CHECK_THROWS_WITH_AS(median_distance(Samples(X), context),
                       "all 6 points are equal after scaling; there is nothing to reduce", Error);
}

TEST_CASE("a large set is sampled, repeatably, near the full median") {
  const RowMatrix X = Rng(1, "x").normal_matrix(900, 3);
  const RunContext context;

  const MedianDistance all = median_distance(Samples(X), context), some = median_distance(Samples(X), context, 300);

  CHECK(some.rows_used == 300);
  CHECK(some.value == median_distance(Samples(X), context, 300).value);
  CHECK(some.value == doctest::Approx(all.value).epsilon(0.1));
  CHECK(some.value != all.value);
}

TEST_CASE("neighbour distances count distinct points only") {
  const RunContext context;
  CHECK(rc::check([&] {
    const Index n = *rc::gen::inRange<Index>(8, 40), k = *rc::gen::inRange<Index>(1, 4);
    RowMatrix X = Rng(*rc::gen::inRange<std::uint64_t>(0, 1000), "x").normal_matrix(n, 2);
    for (Index i = 0; i < n / 3; ++i) X.row(i) = X.row(n - 1 - i);  // repeats

    const std::vector<double> distances = neighbour_distances(Samples(X), k, context);

    for (Index i = 0; i < n; ++i) RC_ASSERT(std::abs(distances[std::size_t(i)] - naive_neighbour(X, i, k)) <= 1e-12);
  }));
}

TEST_CASE("too few distinct points for the neighbours are refused by number") {
  const RowMatrix X = RowMatrix::Identity(4, 4);
  const RunContext context;
  CHECK_THROWS_WITH_AS(neighbour_distances(Samples(X), 4, context),
                       "kernel rbf-relative(neighbours=4) needs at least 5 distinct points, the data has 4", Error);
}

TEST_CASE("a width is a number, or a multiple of the median distance") {
  const RowMatrix X = Rng(2, "x").normal_matrix(30, 2);

  CHECK(resolved_width({2.5, 1}, X, {}).value == 2.5);
  CHECK(resolved_width({0, 0.5}, X, {}).value == doctest::Approx(0.5 * naive_median(X)).epsilon(1e-9));
}
