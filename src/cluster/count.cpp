// SPDX-License-Identifier: MIT

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "linalg/dense/dense.hpp"
#include "ritz/base/random.hpp"
#include "ritz/cluster/kmeans.hpp"

namespace ritz {

namespace {

constexpr Index kMostPoints = 500, kMostDirections = 20, kMostClusters = 10;
constexpr int kReferences = 10, kStarts = 3;

// log of what k-means leaves with 1, 2, … clusters.
Vector left_by_kmeans(const RowMatrix& points, Index most, const RunContext& context) {
  Vector left(most);
  for (Index k = 1; k <= most; ++k) {
    const double inertia = kmeans(points, {.clusters = k, .restarts = kStarts}, context).inertia;
    left(k - 1) = std::log(std::max(inertia, std::numeric_limits<double>::min()));
  }
  return left;
}

}  // namespace

CountedClusters count_clusters(DataView points, const RunContext& context) {
  const Index n = std::min(points.rows(), kMostPoints), most = std::clamp<Index>(n / 2, 1, kMostClusters + 1);
  CountedClusters found;
  if (most < 3) {
    found.reason = "2: there are too few samples to tell";
    return found;
  }
  const std::vector<Index> rows = Rng(context.seed, "cluster/count").sample(points.rows(), n);
  Matrix some = points(rows, Eigen::all);
  some.rowwise() -= some.colwise().mean().eval();
  const SingularValues svd = thin_svd(std::move(some));
  const Index r = std::min<Index>(svd.values.size(), kMostDirections);
  const RowMatrix main = svd.U.leftCols(r) * svd.values.head(r).asDiagonal();
  const Vector own = left_by_kmeans(main, most, context);
  Matrix drawn(most, kReferences);
  for (int b = 0; b < kReferences; ++b) {
    context.poll();
    Rng rng(context.seed, "cluster/count/reference", std::uint64_t(b));
    RowMatrix uniform(n, r);
    for (Index j = 0; j < r; ++j) {
      const double low = main.col(j).minCoeff(), high = main.col(j).maxCoeff();
      for (Index i = 0; i < n; ++i) uniform(i, j) = low + (high - low) * rng.uniform();
    }
    drawn.col(b) = left_by_kmeans(uniform, most, context);
  }
  const Vector mean = drawn.rowwise().mean(), gap = mean - own;
  const Vector error =
      ((drawn.colwise() - mean).rowwise().squaredNorm() / kReferences).cwiseSqrt() * std::sqrt(1 + 1.0 / kReferences);
  // Clusters that stand like a grid leave two clusters no less than uniform points do: what does not widen the gap of
  // one cloud is passed over.
  const auto clusters = [&](Index k) { return gap(k - 1) > gap(0) + error(k - 1) && gap(k - 1) >= gap(k) - error(k); };
  Index k = 2;
  while (k < most && !clusters(k)) ++k;
  if (k == most) k = 1;
  found.gap.assign(gap.begin(), gap.end());
  found.count = std::max<Index>(2, k);
  found.reason = k == 1
                     ? std::string("2: the gap statistic says that there is one cloud, not clusters")
                     : fmt::format("{}: the smallest number whose gap to uniform points more clusters do not widen", k);
  return found;
}

}  // namespace ritz
