// SPDX-License-Identifier: MIT
#include "cluster/constrained_kmeans.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <numeric>

#include "ritz/base/random.hpp"
#include "support/errors.hpp"
#include "support/inertia.hpp"

using namespace ritz;
using namespace ritz::test;

namespace {

// The smallest inertia over all ways to put whole groups into k clusters.
double best_inertia(const RowMatrix& points, const std::vector<Index>& groups, Index count, int k) {
  std::vector<int> choice(std::size_t(count), 0), labels(groups.size());
  double best = std::numeric_limits<double>::infinity();
  for (;;) {
    for (std::size_t i = 0; i < groups.size(); ++i) labels[i] = choice[std::size_t(groups[i])];
    best = std::min(best, inertia_of(points, labels, k));
    std::size_t at = 0;
    while (at < choice.size() && ++choice[at] == k) choice[at++] = 0;
    if (at == choice.size()) return best;
  }
}

}  // namespace

TEST_CASE("groups stay whole, and the best split of a few of them is found, which brute force knows") {
  CHECK(rc::check([] {
    const Index n = *rc::gen::inRange<Index>(2, 14), count = *rc::gen::inRange<Index>(1, std::min<Index>(n, 6) + 1);
    Rng rng(*rc::gen::inRange<std::uint64_t>(0, 1000), "points");
    const RowMatrix points = rng.normal_matrix(n, 2);
    std::vector<Index> groups;
    for (Index i = 0; i < n; ++i) groups.push_back(i < count ? i : rng.below(count));
    const int k = *rc::gen::inRange(1, int(std::min<Index>(count, 3)) + 1);

    const KMeansResult result = constrained_kmeans(points, groups, {.clusters = k, .restarts = 40}, {});

    for (std::size_t i = 0; i < groups.size(); ++i)
      RC_ASSERT(result.labels[i] == result.labels[std::size_t(groups[i])]);  // point g is in group g
    RC_ASSERT(result.inertia == doctest::Approx(inertia_of(points, result.labels, k)).epsilon(1e-9));
    RC_ASSERT(result.inertia <= best_inertia(points, groups, count, k) * (1 + 1e-9) + 1e-12);
    RC_ASSERT(result.inertias.back() >= result.inertia - 1e-9);
  }));
}

TEST_CASE("without must-links it is k-means to the bit") {
  const RowMatrix points = Rng(7, "points").normal_matrix(150, 3);
  std::vector<Index> alone(150);
  std::iota(alone.rbegin(), alone.rend(), Index(0));

  const KMeansResult plain = kmeans(points, {.clusters = 4}, {});
  const KMeansResult weighted = weighted_kmeans(points, std::vector<Index>(150, 1), {.clusters = 4}, {});
  const KMeansResult grouped = constrained_kmeans(points, alone, {.clusters = 4}, {});

  CHECK(weighted.labels == plain.labels);
  CHECK(weighted.inertia == plain.inertia);
  CHECK(grouped.labels == plain.labels);
  CHECK(grouped.inertia == plain.inertia);
}

TEST_CASE("a weight counts like so many copies of the point") {
  RowMatrix points(4, 1), copies(6, 1);
  points << 0, 1, 5, 9;
  copies << 0, 1, 1, 1, 5, 9;

  const KMeansResult weighted = weighted_kmeans(points, {1, 3, 1, 1}, {.clusters = 2}, {});
  const KMeansResult copied = kmeans(copies, {.clusters = 2}, {});

  CHECK(weighted.inertia == doctest::Approx(copied.inertia));
  CHECK((weighted.centers - copied.centers).norm() <= 1e-12);
}

TEST_CASE("must-links across the gap move a point where its group goes") {
  RowMatrix points(7, 1);
  points << 0, 0.1, 0.2, 10, 10.1, 10.2, 9;  // the last is linked with the first three

  const KMeansResult result = constrained_kmeans(points, {0, 0, 0, 3, 4, 5, 0}, {.clusters = 2}, {});

  CHECK(result.labels == std::vector<int>{0, 0, 0, 1, 1, 1, 0});
}

TEST_CASE("more clusters than groups, or group numbers that are none, are refused") {
  const RowMatrix points = RowMatrix::Random(4, 2);
  const auto refusal = [&](const std::vector<Index>& groups, Index clusters) {
    return test::complaint([&] { constrained_kmeans(points, groups, {.clusters = clusters}, {}); });
  };

  CHECK(
      refusal({0, 0, 1, 1}, 3).message ==
      "3 clusters are asked for; the number must lie in [1, 2] because the must-links leave 2 groups of the 4 points");
  CHECK(refusal({0, 0, 1, 4}, 2).code == ErrorCode::bad_data);
  CHECK(refusal({0, -1, 1, 1}, 2).code == ErrorCode::bad_data);
  CHECK(refusal({0, 0, 1}, 2).code == ErrorCode::bad_shape);
  CHECK(test::complaint([&] { weighted_kmeans(points, {1, 1, 0, 1}, {.clusters = 2}, {}); }).says("at least 1"));
}
