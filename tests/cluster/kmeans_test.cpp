// SPDX-License-Identifier: MIT
#include "ritz/cluster/kmeans.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <set>

#include "ritz/base/random.hpp"
#include "support/inertia.hpp"

using namespace ritz;
using namespace ritz::test;

namespace {

// The smallest inertia over all ways to split n <= 9 points into at most k clusters.
double best_inertia(const RowMatrix& points, int k) {
  std::vector<int> labels(std::size_t(points.rows()), 0);
  double best = inertia_of(points, labels, k);
  for (;;) {
    std::size_t at = 0;
    while (at < labels.size() && ++labels[at] == k) labels[at++] = 0;
    if (at == labels.size()) return best;
    best = std::min(best, inertia_of(points, labels, k));
  }
}

// `count` tight groups far apart, sample i in group i % count.
RowMatrix groups(Index n, int count, Index columns, std::uint64_t seed) {
  Rng rng(seed, "groups");
  RowMatrix points = 0.1 * rng.normal_matrix(n, columns);
  for (Index i = 0; i < n; ++i) points(i, (i % count) % columns) += 10.0 * double(1 + (i % count) / columns);
  return points;
}

}  // namespace

TEST_CASE("k-means finds the best split of a few points, which brute force knows") {
  CHECK(rc::check([] {
    const Index n = *rc::gen::inRange<Index>(1, 8);
    const int k = *rc::gen::inRange(1, int(std::min<Index>(n, 3)) + 1);
    const RowMatrix points = Rng(*rc::gen::inRange<std::uint64_t>(0, 1000), "points").normal_matrix(n, 2);

    const KMeansResult result = kmeans(points, {.clusters = k, .restarts = 40}, {});

    const double best = best_inertia(points, k);
    RC_ASSERT(result.inertia == doctest::Approx(inertia_of(points, result.labels, k)).epsilon(1e-9));
    RC_ASSERT(result.inertia <= best * (1 + 1e-9) + 1e-12);
  }));
}

TEST_CASE("inertia never rises, every point is at its nearest center, and labels are numbered by first appearance") {
  CHECK(rc::check([] {
    const Index n = *rc::gen::inRange<Index>(2, 200), k = *rc::gen::inRange<Index>(1, std::min<Index>(n, 12) + 1);
    RowMatrix points = Rng(*rc::gen::inRange<std::uint64_t>(0, 1000), "points").normal_matrix(n, 3);
    if (*rc::gen::arbitrary<bool>()) points = points.array().round();  // many repeated points

    const KMeansResult result = kmeans(points, {.clusters = k, .restarts = 2}, {});

    for (std::size_t t = 1; t < result.inertias.size(); ++t)
      RC_ASSERT(result.inertias[t] <= result.inertias[t - 1] * (1 + 1e-12) + 1e-12);
    int seen = 0;
    for (Index i = 0; i < n; ++i) {
      const int label = result.labels[std::size_t(i)];
      RC_ASSERT(label <= seen);
      if (label == seen) ++seen;
      const Vector squared = (result.centers.rowwise() - points.row(i)).rowwise().squaredNorm();
      RC_ASSERT(squared[label] <= squared.minCoeff() + 1e-10);
    }
    RC_ASSERT(seen == int(result.centers.rows()));
    RC_ASSERT(nearest_centers(points, result.centers, {}) == result.labels);
  }));
}

TEST_CASE("groups far apart are found, also far from the origin") {
  RowMatrix points = groups(400, 5, 3, 1);
  points.array() += 1e6;

  const KMeansResult result = kmeans(points, {.clusters = 5}, {});

  CHECK(result.converged);
  for (Index i = 0; i < 400; ++i) CHECK(result.labels[std::size_t(i)] == i % 5);
}

TEST_CASE("labels, centers and inertia have the same bits for 1, 2 and 7 threads") {
  for (const Index n : {300, 5000}) {  // the first goes over restarts, the second over points
    const RowMatrix points = Rng(5, "points").normal_matrix(n, 4);
    RunContext context;
    context.threads = 1;
    const KMeansResult one = kmeans(points, {.clusters = 6, .restarts = 4, .max_iterations = 20}, context);
    for (const int threads : {2, 7}) {
      context.threads = threads;
      const KMeansResult many = kmeans(points, {.clusters = 6, .restarts = 4, .max_iterations = 20}, context);
      CHECK(many.labels == one.labels);
      CHECK((many.centers.array() == one.centers.array()).all());
      CHECK(many.inertia == one.inertia);
    }
  }
}

TEST_CASE("fewer distinct points than clusters: each is its own cluster and the others are left out") {
  RowMatrix points(6, 2);
  points << 1, 2, 3, 4, 1, 2, 3, 4, 5, 6, 1, 2;

  const KMeansResult result = kmeans(points, {.clusters = 5}, {});

  CHECK(result.labels == std::vector<int>{0, 1, 0, 1, 2, 0});
  CHECK(result.centers.rows() == 3);
  CHECK(result.inertia <= 1e-25);
}

TEST_CASE("one cluster has the mean for its center, n clusters the points, and equal points are one cluster") {
  const RowMatrix points = Rng(2, "points").normal_matrix(7, 2);
  const KMeansResult one = kmeans(points, {.clusters = 1}, {});
  CHECK((one.centers.row(0) - points.colwise().mean()).norm() <= 1e-14);

  const KMeansResult all = kmeans(points, {.clusters = 7}, {});
  CHECK(std::set<int>(all.labels.begin(), all.labels.end()).size() == 7);
  CHECK(all.inertia <= 1e-25);

  const KMeansResult equal = kmeans(RowMatrix::Constant(9, 2, 3.7), {.clusters = 4}, {});
  CHECK(equal.labels == std::vector<int>(9, 0));
  CHECK(equal.centers.rows() == 1);
}

TEST_CASE("a number of clusters outside [1, points] is refused with both numbers") {
  const RowMatrix points = RowMatrix::Zero(3, 1);
  CHECK_THROWS_WITH_AS(kmeans(points, {.clusters = 4}, {}),
                       "4 clusters are asked for; the number must lie in [1, 3] because there are 3 points", Error);
  CHECK_THROWS_AS(kmeans(points, {.clusters = 0}, {}), Error);
  CHECK_THROWS_AS(kmeans(RowMatrix(0, 2), {.clusters = 1}, {}), Error);
}

TEST_CASE("a cancelled context interrupts k-means") {
  const std::atomic<bool> cancelled{true};
  RunContext context;
  context.cancel = &cancelled;
  CHECK_THROWS_AS(kmeans(groups(100, 3, 2, 1), {.clusters = 3}, context), Interrupted);
}
