// SPDX-License-Identifier: MIT
// Scale and number of neighbours by evidence: every pair is kept back once, a kernel is learned from the others, and
// the setting wins whose clusters agree with most of the pairs kept back. k-means of the samples, which needs no pair,
// has to be beaten, too.
#include "base/part_of_time.hpp"
#include "data/footprint.hpp"
#include "graph/laplacian.hpp"
#include "pairs/neighbours.hpp"
#include "ritz/cluster/kmeans.hpp"
#include "tasks/kernel/task.hpp"
#include "tasks/model/samples.hpp"

namespace ritz::kernel {

namespace {

constexpr Index kFolds = 5, kFoldsOfMany = 3;
constexpr Index kMany = 1000;        // samples from which on fewer folds are made
constexpr Index kMostTried = 5000;   // … and none at all
constexpr Index kLeastPairs = 5;     // fewer say nothing
constexpr int kTrialRestarts = 5;    // of k-means
constexpr double kTrialGap = 1e-3;   // relative
constexpr Index kFewNeighbours = 5;  // beside the default
constexpr int kPartOfTime = 4;       // of what a time limit leaves, for the choice

struct Setting {
  GraphScaling scale;
  Index neighbours;
};

std::vector<Setting> candidates(const KernelOptions& options, Index n, bool sparse) {
  std::vector<GraphScaling> scales = {options.scale};
  if (options.scale == GraphScaling::automatic)
    scales = sparse ? std::vector{GraphScaling::none} : std::vector{GraphScaling::standard, GraphScaling::none};
  std::vector<Index> neighbours = {resolved_neighbours(options, n)};
  if (options.neighbours == 0 && n > kFewNeighbours + 1) neighbours.push_back(kFewNeighbours);
  std::vector<Setting> all;
  for (const Index k : neighbours)
    for (const GraphScaling scale : scales) all.push_back({scale, k});
  return all;
}

Index agreements(const std::vector<int>& labels, const std::vector<LinkedPair>& pairs) {
  return std::ranges::count_if(pairs, [&](const LinkedPair& pair) {
    return (labels[std::size_t(pair.i)] == labels[std::size_t(pair.j)]) == (pair.sign > 0);
  });
}

std::shared_ptr<const Dataset> scaled_as(const Dataset& data, GraphScaling scale) {
  KernelOptions options;
  options.scale = scale;
  ColumnScaling scaling = learn_scaling(data, resolved_scaling(options, data.sparse()));
  if (data.sparse()) scaling.mean.setZero();
  return scaled_data(data, scaling);
}

class Trials {
 public:
  Trials(const PairSet& given, Index k, const KernelOptions& options, const RunContext& context)
      : given_(given), k_(k), options_(options), context_(context) {
    options_.how.tolerance = std::max(options.how.tolerance, kTrialGap);
    folds_ = std::min<Index>(given.points < kMany ? kFolds : kFoldsOfMany, Index(given.pairs.size()));
  }

  // Pairs kept back that the clusters of a kernel learned from the others agree with.
  Index of_kernel(const Sparse& laplacian) {
    Index sum = 0;
    for (Index fold = 0; fold < folds_; ++fold) {
      context_.agree();
      PairSet known = given_;
      std::vector<LinkedPair> back;
      known.pairs.clear();
      for (Index p = 0; p < Index(given_.pairs.size()); ++p)
        (p % folds_ == fold ? back : known.pairs).push_back(given_.pairs[std::size_t(p)]);
      const PairSet settled = settled_pairs(known, OnConflict::drop, options_.closure, context_).pairs;
      if (settled.pairs.empty()) continue;
      RunContext inner = context_.nested("setting");
      const npkl::Result fit = npkl::solve(laplacian, settled, options_.how, inner);
      throw_if_interrupted(fit.summary.termination);
      if (fit.kernel.weights.size() > 0) sum += agreements(clusters_of(fit.kernel.root()), back);
    }
    return sum;
  }
  Index of_samples(DataView X) { return agreements(clusters(X), given_.pairs); }

 private:
  std::vector<int> clusters(DataView points) const {
    return kmeans(points, {.clusters = k_, .restarts = kTrialRestarts}, context_).labels;
  }
  std::vector<int> clusters_of(const RowMatrix& F) const {
    return clusters(options_.normalise_rows == YesNo::yes ? unit_rows(F) : F);
  }

  const PairSet& given_;
  Index k_;
  KernelOptions options_;
  const RunContext& context_;
  Index folds_ = 0;
};

Choice tried(const Dataset& data, const PairSet& given, Index k, const std::vector<Setting>& all,
             const KernelOptions& options, const RunContext& context) {
  Choice choice;
  choice.options = options;
  Trials trials(given, k, options, context);
  choice.pairs = Index(given.pairs.size());
  choice.agreed = -1;
  for (std::size_t a = 0; a < all.size(); ++a) {
    const auto scaled = scaled_as(data, all[a].scale);
    const Graph graph = scaled->visit(
        [&](const auto& X) { return neighbour_graph(X, all[a].neighbours, options.graph, context).graph; });
    const Index agreed = trials.of_kernel(normalised_laplacian(graph));
    // k-means of the samples, once for each scale.
    if (all[a].neighbours == all[0].neighbours && !data.sparse() && options.scale == GraphScaling::automatic) {
      const Index simple = trials.of_samples(scaled->dense());
      if (simple > choice.simple) choice.simple = simple, choice.simple_scale = all[a].scale;
    }
    if (agreed <= choice.agreed) continue;
    choice.agreed = agreed;
    choice.options.scale = all[a].scale;
    choice.options.neighbours = all[a].neighbours;
  }
  return choice;
}

}  // namespace

Choice chosen_setting(const Dataset& data, const PairSet& given, Index k, bool graph_given,
                      const KernelOptions& options, const RunContext& context) {
  const Index n = data.rows();
  const std::vector<Setting> all = candidates(options, n, data.sparse());
  if (!graph_given && all.size() > 1 && Index(given.pairs.size()) >= kLeastPairs && n <= kMostTried &&
      options.how.solver != npkl::Solver::csdp) {
    try {
      return tried(data, given, k, all, options, part_of_time(context, kPartOfTime));
    } catch (const Interrupted&) {
      context.agree();  // the whole run, or the part of its time that a choice may take
    }
  }
  Choice choice;
  choice.options = options;
  return choice;
}

}  // namespace ritz::kernel
