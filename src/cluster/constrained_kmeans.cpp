// SPDX-License-Identifier: MIT
#include "cluster/constrained_kmeans.hpp"
#include "base/at.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ritz {

namespace {

// Numbered anew by first appearance, so that none is empty.
struct Grouping {
  std::vector<Index> of;
  std::vector<Index> sizes;
};

Grouping numbered(const std::vector<Index>& groups) {
  const Index n = Index(groups.size());
  Grouping grouping;
  std::vector<Index> number(std::size_t(n), -1);
  for (const Index group : groups) {
    if (group < 0 || group >= n)
      throw Error(ErrorCode::bad_data,
                  fmt::format("a point is in group {}; groups are numbered from 0 to {}", group, n - 1));
    Index& own = at(number, group);
    if (own < 0) {
      own = Index(grouping.sizes.size());
      grouping.sizes.push_back(0);
    }
    grouping.of.push_back(own);
    ++at(grouping.sizes, own);
  }
  return grouping;
}

}  // namespace

// Σ ‖x − c‖² over a group is size · ‖mean − c‖² and a part that no center changes: k-means of the weighted means.
KMeansResult constrained_kmeans(DataView points, const std::vector<Index>& groups, const KMeansOptions& options,
                                const RunContext& context) {
  const Index n = points.rows();
  if (Index(groups.size()) != n)
    throw Error(ErrorCode::bad_shape, fmt::format("there are {} points and {} group numbers", n, groups.size()));
  const auto [of, sizes] = numbered(groups);
  const Index count = Index(sizes.size());
  if (n > 0 && options.clusters > count)
    throw Error(ErrorCode::bad_option,
                fmt::format("{} clusters are asked for; the number must lie in [1, {}] because the must-links leave "
                            "{} groups of the {} points",
                            options.clusters, count, count, n));
  RowMatrix means = RowMatrix::Zero(count, points.cols());
  for (Index i = 0; i < n; ++i) means.row(at(of, i)) += points.row(i);
  for (Index g = 0; g < count; ++g) means.row(g) /= double(at(sizes, g));
  double within = 0;
  for (Index i = 0; i < n; ++i) within += (points.row(i) - means.row(at(of, i))).squaredNorm();

  KMeansResult result = weighted_kmeans(means, sizes, options, context);
  std::vector<int> labels;
  for (const Index group : of) labels.push_back(at(result.labels, group));
  result.labels = std::move(labels);
  result.inertia += within;
  for (double& inertia : result.inertias) inertia += within;
  return result;
}

}  // namespace ritz
