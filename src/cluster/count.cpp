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
constexpr double kClearly = 2;   // deviations of the references: the best of many numbers is one above them by chance
constexpr double kLittle = 0.1;  // of what the clusters gained over one cloud: halves of a long cluster gain a little

// log of what k-means leaves with 1, 2, … clusters.
Vector left_by_kmeans(const RowMatrix& points, Index most, const RunContext& context) {
  Vector left(most);
  for (Index k = 1; k <= most; ++k) {
    const double inertia = kmeans(points, {.clusters = k, .restarts = kStarts}, context).inertia;
    left(k - 1) = std::log(std::max(inertia, std::numeric_limits<double>::min()));
  }
  return left;
}

// How much less k-means leaves than in uniform points, and what the latter differ by among themselves.
struct Gap {
  Vector gap, error;
  // Clusters that stand like a grid leave two clusters no less than uniform points do: what does not widen the gap of
  // one cloud is passed over.
  bool says(Index k) const {
    const double gained = gap(k - 1) - gap(0), more = gap(k) - gap(k - 1);
    return gained > kClearly * error(k - 1) && more <= std::max(error(k), kLittle * gained);
  }
};

// Against uniform points in the box of `axes` (n × any), seen through `view` (any × r).
Gap gap_to_box(const Vector& own, const Matrix& axes, const Matrix& view, std::string_view name,
               const RunContext& context) {
  const Index n = axes.rows(), most = own.size();
  Matrix drawn(most, kReferences);
  for (int b = 0; b < kReferences; ++b) {
    context.poll();
    Rng rng(context.seed, name, std::uint64_t(b));
    RowMatrix uniform(n, axes.cols());
    for (Index j = 0; j < axes.cols(); ++j) {
      const double low = axes.col(j).minCoeff(), high = axes.col(j).maxCoeff();
      for (Index i = 0; i < n; ++i) uniform(i, j) = low + (high - low) * rng.uniform();
    }
    drawn.col(b) = left_by_kmeans(view.size() > 0 ? RowMatrix(uniform * view) : uniform, most, context);
  }
  const Vector mean = drawn.rowwise().mean();
  return {mean - own, ((drawn.colwise() - mean).rowwise().squaredNorm() / kReferences).cwiseSqrt() *
                          std::sqrt(1 + 1.0 / kReferences)};
}

}  // namespace

// Both boxes of Tibshirani, Walther & Hastie: that of the leading directions, which correlated columns need, and that
// of the columns, since a cube fills another box than its own with corners that look like clusters.
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
  const SingularValues svd = thin_svd(some);
  const Index r = std::min<Index>(svd.values.size(), kMostDirections);
  const Matrix view = svd.V.leftCols(r), main = svd.U.leftCols(r) * svd.values.head(r).asDiagonal();
  const Vector own = left_by_kmeans(main, most, context);
  const Gap directions = gap_to_box(own, main, {}, "cluster/count/reference", context),
            columns = gap_to_box(own, some, view, "cluster/count/columns", context);
  Index k = 2;
  while (k < most && !(directions.says(k) && columns.says(k))) ++k;
  if (k == most) k = 1;
  const Vector& gap = directions.gap;
  found.gap.assign(gap.begin(), gap.end());
  found.count = std::max<Index>(2, k);
  found.reason = k == 1
                     ? std::string("2: the gap statistic says that there is one cloud, not clusters")
                     : fmt::format("{}: the smallest number whose gap to uniform points more clusters hardly widen", k);
  return found;
}

}  // namespace ritz
