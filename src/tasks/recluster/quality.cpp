// SPDX-License-Identifier: MIT
// How good a clustering is beside its objective.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tasks/recluster/tune.hpp"

namespace ritz::recluster {

namespace {

constexpr double kLeak = 1e-3;  // leaks below this are as good as none
// Below this share of an even one, a cluster is a few outliers.
constexpr double kTinyShare = 0.05;
// Eigenvalue k + 1 within this part of eigenvalue k: the next direction is as good as the last one taken.
constexpr double kNoGap = 1e-6;

// Part of the variance of U's rows, scaled to length 1, that lies between the clusters.
double explained(const Matrix& U, const std::vector<int>& labels) {
  const Index n = U.rows(), k = U.cols();
  Matrix sums = Matrix::Zero(std::ranges::max(labels) + 1, k);
  Vector counts = Vector::Zero(sums.rows());
  double total = 0;
  for (Index i = 0; i < n; ++i) {
    const double norm = U.row(i).norm();
    if (!(norm > 0)) continue;
    const int c = labels[std::size_t(i)];
    sums.row(c) += U.row(i) / norm;
    counts[c] += 1;
    total += 1;
  }
  double between = 0;
  for (Index c = 0; c < sums.rows(); ++c)
    if (counts[c] > 0) between += sums.row(c).squaredNorm() / counts[c];
  const double mean = sums.colwise().sum().squaredNorm() / std::max(1.0, total);
  return total - mean > 0 ? (between - mean) / (total - mean) : 0;
}

}  // namespace

double balanced_lambda(const std::vector<Labels>& given, Index clusters) {
  double size = 0;
  for (const Labels& labels : given) {
    const double n = double(labels.size());
    size += n;
    for (const Index count : labels.counts()) size -= double(count) * double(count) / n;
  }
  return size > 0 ? kLambdaShare * double(clusters) / size : 0;
}

std::string degenerate(const kdac::Result& result, Index clusters) {
  if (result.found.embedding.identity)
    return "the kernel is numerically the identity, every sample is its own cluster; raise recluster.sigma, for "
           "example to "
           "0.2*median";
  const std::vector<int>& labels = result.found.labels;
  std::vector<Index> counts(std::size_t(clusters), 0);
  for (const int label : labels) ++counts[std::size_t(label)];
  const Index smallest = std::ranges::min(counts);
  if (double(smallest) < kTinyShare * double(labels.size()) / double(clusters))
    return fmt::format("the smallest of {} clusters has {} of {} samples", clusters, smallest, labels.size());
  const Vector& values = result.found.embedding.values;
  if (!(result.gap > kNoGap * std::abs(values[0])))
    return fmt::format(
        "eigenvalue {} of the kernel matrix, {:.6g}, is no larger than the next one: the kernel tells "
        "no clusters apart (a wider one may)",
        values.size(), values.tail(1)[0]);
  return "";
}

Separation cluster_separation(const Embedding& embedding, const std::vector<int>& labels) {
  const Vector& values = embedding.values;
  const Index k = values.size();
  const auto gap = [](double before, double after) {
    const auto leak = [](double value) { return std::max(0.0, 1 - value) + kLeak; };
    return std::log(leak(after) / leak(before));
  };
  Separation clusters{gap(values[k - 2], values[k - 1]), values.head(k - 1).mean()};
  const double pieces = std::isnan(embedding.next) ? 0 : gap(values[k - 1], embedding.next);
  if (!(pieces > clusters.value)) return clusters;
  const Separation joined{pieces * explained(embedding.U, labels), values.mean()};
  return joined.value > clusters.value ? joined : clusters;
}

}  // namespace ritz::recluster
