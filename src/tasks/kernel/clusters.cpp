// SPDX-License-Identifier: MIT
// The clusters that a kernel makes, beside the truth and beside clusters without it.
#include <fmt/format.h>

#include "cluster/constrained_kmeans.hpp"
#include "data/footprint.hpp"
#include "metrics/clustering.hpp"
#include "ritz/cluster/kmeans.hpp"
#include "tasks/kernel/task.hpp"

namespace ritz::kernel {

namespace {

constexpr double kNoLength = 1e-12;  // a row below this part of the longest one has no direction

}  // namespace

RowMatrix unit_rows(const RowMatrix& F) {
  const Vector length = F.rowwise().norm();
  const double least = kNoLength * (length.size() > 0 ? length.maxCoeff() : 0.0);
  RowMatrix unit = F;
  for (Index i = 0; i < F.rows(); ++i) unit.row(i) *= length(i) > least ? 1 / length(i) : 0.0;
  return unit;
}

void make_clusters(Index k, const KernelOptions& options, KernelResult& result, const RunContext& context) {
  if (result.factor.cols() == 0) {
    result.labels = {std::vector<int>(std::size_t(result.n), 0), {"1"}};
    result.centers = RowMatrix(1, 0);
    result.fit.summary.notes.push_back("a kernel of zeros tells no samples apart: all are in cluster 1");
    return;
  }
  const RowMatrix points = options.normalise_rows == YesNo::yes ? unit_rows(result.factor) : result.factor;
  KMeansResult found = kmeans(points, {.clusters = k, .restarts = options.restarts}, context);
  result.labels.of = std::move(found.labels);
  result.centers = std::move(found.centers);
  for (Index c = 1; c <= result.centers.rows(); ++c) result.labels.names.push_back(std::to_string(c));
  if (result.centers.rows() < k)
    result.fit.summary.notes.push_back(fmt::format("the kernel knows only {} kinds of samples: {} clusters of {}",
                                                   result.centers.rows(), result.centers.rows(), k));
  if (options.suggest > 0)
    result.suggestions =
        suggested_pairs(points, result.labels.of, result.centers, result.settled.pairs, options.suggest);
}

void compare_with(const Labels& truth, Index k, const Dataset& scaled, const KernelOptions& options,
                  KernelResult& result, const RunContext& context) {
  const auto agreement = [&](std::string name, const std::vector<int>& labels) {
    result.baselines.push_back({std::move(name), rand_index(truth.of, labels), adjusted_rand_index(truth.of, labels)});
  };
  agreement("learned kernel", result.labels.of);
  result.rand = result.baselines[0].rand;
  result.adjusted_rand = result.baselines[0].adjusted;

  const KMeansOptions how{.clusters = k, .restarts = options.restarts};
  std::string left_out;
  const RowMatrix filled = filled_in(scaled, context, left_out);
  if (left_out.empty()) {
    const RowMatrix& X = scaled.sparse() ? filled : scaled.dense();
    agreement("k-means", kmeans(X, how, context).labels);
    const Components groups = must_link_groups(result.settled.pairs);
    if (k <= groups.count)
      agreement("constrained k-means", constrained_kmeans(X, groups.of, how, context).labels);
    else
      result.baselines.push_back({"constrained k-means", kUnknown, kUnknown,
                                  fmt::format("the must-links leave {} groups for {} clusters", groups.count, k)});
  } else {
    result.baselines.push_back({"k-means", kUnknown, kUnknown, left_out});
    result.baselines.push_back({"constrained k-means", kUnknown, kUnknown, left_out});
  }
  result.baselines.push_back({"random labels", random_rand_index(truth.of, k), 0});
  const std::vector<int> one(std::size_t(result.n), 0);
  agreement("one cluster", one);
  if (result.rand <= result.baselines.back().rand && result.labels.classes() > 1)
    result.fit.summary.notes.push_back(
        fmt::format("all samples in one cluster would have the Rand index {:.3f}; look at the adjusted one",
                    result.baselines.back().rand));
}

}  // namespace ritz::kernel
