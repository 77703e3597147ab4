// SPDX-License-Identifier: MIT
// The clusters that a kernel makes, beside the truth and beside clusters without it, and the pairs most worth asking
// about next.
#include <limits>
#include <numeric>
#include <set>

#include "cluster/constrained_kmeans.hpp"
#include "data/footprint.hpp"
#include "metrics/clustering.hpp"
#include "ritz/cluster/kmeans.hpp"
#include "tasks/kernel/task.hpp"

namespace ritz::kernel {

namespace {

constexpr double kNoLength = 1e-12;  // a row below this part of the longest one has no direction

// Whether the pairs tell about i and j: by a must-link group that holds both, or a cannot-link between their groups.
class Known {
 public:
  explicit Known(const PairSet& pairs) : groups_(must_link_groups(pairs)) {
    for (const LinkedPair& pair : pairs.pairs)
      if (pair.sign < 0) apart_.insert(ordered(groups_.of[std::size_t(pair.i)], groups_.of[std::size_t(pair.j)]));
  }
  Index group(Index i) const { return groups_.of[std::size_t(i)]; }
  bool tells(Index i, Index j) const { return group(i) == group(j) || apart_.contains(ordered(group(i), group(j))); }

 private:
  static Edge ordered(Index a, Index b) { return {std::min(a, b), std::max(a, b)}; }
  Components groups_;
  std::set<Edge> apart_;
};

}  // namespace

RowMatrix unit_rows(const RowMatrix& F) {
  const Vector length = F.rowwise().norm();
  const double least = kNoLength * (length.size() > 0 ? length.maxCoeff() : 0.0);
  RowMatrix unit = F;
  for (Index i = 0; i < F.rows(); ++i) unit.row(i) *= length(i) > least ? 1 / length(i) : 0.0;
  return unit;
}

RowMatrix countable(const Dataset& scaled) {
  return scaled.sparse() || scaled.stored() || !scaled.dense().allFinite() ? RowMatrix() : RowMatrix(scaled.dense());
}

Blend blend_of(double share, const RowMatrix& samples, const RowMatrix& rows) {
  const auto spread = [](const RowMatrix& points) {
    return points.size() > 0 ? (points.rowwise() - points.colwise().mean()).squaredNorm() / double(points.rows()) : 0.0;
  };
  const double own = spread(samples), learned = spread(rows);
  if (!(share > 0) || !(own > 0)) return {};
  return {std::sqrt(share / own), learned > 0 ? std::sqrt((1 - share) / learned) : 0.0};
}

RowMatrix clustered_points(const Blend& blend, const RowMatrix& samples, const RowMatrix& rows) {
  if (blend.samples == 0) return rows;
  if (samples.rows() != rows.rows())
    fail(ErrorCode::bad_data, "clusters of samples and kernel together need dense samples without gaps");
  RowMatrix points(rows.rows(), samples.cols() + rows.cols());
  points << blend.samples * samples, blend.kernel * rows;
  return points;
}

KMeansResult blended_kmeans(const RowMatrix& points, const Blend& blend, const PairSet& pairs, const KMeansOptions& how,
                            const RunContext& context) {
  if (!(blend.samples > 0 && blend.kernel > 0)) return kmeans(points, how, context);
  const Components groups = must_link_groups(pairs);
  return how.clusters <= groups.count ? constrained_kmeans(points, groups.of, how, context)
                                      : kmeans(points, how, context);
}

void make_clusters(Index k, const KernelOptions& options, const RowMatrix& samples, double share, KernelResult& result,
                   const RunContext& context) {
  const RowMatrix rows = options.normalise_rows == YesNo::yes ? unit_rows(result.factor) : result.factor;
  result.blend = blend_of(share, samples, rows);
  if (result.factor.cols() == 0 && result.blend.samples == 0) {
    result.labels = {std::vector<int>(std::size_t(result.n), 0), {"1"}};
    result.centers = RowMatrix(1, 0);
    result.fit.summary.notes.push_back("a kernel of zeros tells no samples apart: all are in cluster 1");
    return;
  }
  const RowMatrix points = clustered_points(result.blend, samples, rows);
  const KMeansOptions how{.clusters = k, .restarts = options.restarts};
  KMeansResult found = blended_kmeans(points, result.blend, result.settled.pairs, how, context);
  result.labels.of = std::move(found.labels);
  result.centers = std::move(found.centers);
  for (Index c = 1; c <= result.centers.rows(); ++c) result.labels.names.push_back(std::to_string(c));
  if (result.centers.rows() < k)
    note(result.fit.summary.notes, "the kernel knows only {} kinds of samples: {} clusters of {}",
         result.centers.rows(), result.centers.rows(), k);
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
  const RowMatrix filled = filled_in(scaled, context, left_out, EmptyColumns::go);
  if (left_out.empty()) {
    const RowsView X = dense_or(scaled, filled);
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
    note(result.fit.summary.notes,
         "all samples in one cluster would have the Rand index {:.3f}; look at the adjusted one",
         result.baselines.back().rand);
}

std::vector<Edge> suggested_pairs(const RowMatrix& points, const std::vector<int>& labels, const RowMatrix& centers,
                                  const PairSet& known, Index count) {
  const Index n = points.rows(), k = centers.rows();
  if (k < 2 || points.cols() == 0) return {};
  std::vector<Index> central(std::size_t(k), -1);
  std::vector<double> nearest(std::size_t(k), std::numeric_limits<double>::infinity());
  std::vector<std::array<Index, 2>> two(std::size_t(n), {0, 0});  // the nearest centers
  Vector margin(n);
  for (Index i = 0; i < n; ++i) {
    const Vector distance = (centers.rowwise() - points.row(i)).rowwise().norm();
    Index first = 0;
    distance.minCoeff(&first);
    Index second = first == 0 ? 1 : 0;
    for (Index c = 0; c < k; ++c)
      if (c != first && distance(c) < distance(second)) second = c;
    two[std::size_t(i)] = {first, second};
    margin(i) = distance(second) - distance(first);
    const auto own = std::size_t(labels[std::size_t(i)]);
    if (distance(Index(own)) < nearest[own]) nearest[own] = distance(Index(own)), central[own] = i;
  }
  std::vector<Index> order(std::size_t(n), 0);
  std::iota(order.begin(), order.end(), Index(0));
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return margin(a) < margin(b); });

  const Known told(known);
  std::set<Index> asked;  // groups
  std::set<Edge> taken;
  std::vector<Edge> pairs;
  for (const Index i : order) {
    if (Index(pairs.size()) == count) break;
    if (asked.contains(told.group(i))) continue;
    for (const Index c : two[std::size_t(i)]) {
      const Index j = central[std::size_t(c)];
      if (j < 0 || told.tells(i, j)) continue;
      const Edge pair{std::min(i, j), std::max(i, j)};
      if (!taken.insert(pair).second) continue;
      pairs.push_back(pair);
      asked.insert(told.group(i));
      break;
    }
  }
  return pairs;
}

}  // namespace ritz::kernel
