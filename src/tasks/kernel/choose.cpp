// SPDX-License-Identifier: MIT
// Scale, number of neighbours and the samples' own share by evidence: every pair is kept back once, a kernel is learned
// from the others, and the setting wins whose clusters agree with most of the pairs kept back. Clusters of the samples'
// own (linear) kernel need no pair: the learned one counts beside it, and then alone, as far as the pairs speak for it.
#include <set>

#include "base/part_of_time.hpp"
#include "data/footprint.hpp"
#include "graph/laplacian.hpp"
#include "pairs/neighbours.hpp"
#include "ritz/base/random.hpp"
#include "tasks/kernel/task.hpp"
#include "tasks/model/samples.hpp"

namespace ritz::kernel {

namespace {

constexpr Index kFolds = 5, kFoldsOfMany = 3;
constexpr Index kMany = 1000;        // samples from which on fewer folds are made
constexpr Index kLeastPairs = 5;     // fewer say nothing: the samples' own clusters, then
constexpr int kTrialRestarts = 5;    // of k-means
constexpr double kTrialGap = 1e-3;   // relative
constexpr Index kFewNeighbours = 5;  // beside the default
constexpr int kPartOfTime = 4;       // of what a time limit leaves, for the choice
// The samples' own share, from what needs no pair to what believes in nothing else. A step is taken where the pairs
// speak for it by more than so many standard errors, together and apart counting alike.
constexpr std::array kShares = {1.0, 0.5, 0.0};
constexpr double kClearly = 0.25;

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

using Agreed = std::vector<char>;  // of each pair

// How much more of the pairs `next` agrees with than `before`, in standard errors.
double gain(const Agreed& before, const Agreed& next, const std::vector<LinkedPair>& pairs) {
  double must = 0, cannot = 0, sum = 0, squares = 0;
  for (const LinkedPair& pair : pairs) (pair.sign > 0 ? must : cannot) += 1;
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    const double change = (double(next[p]) - double(before[p])) / (pairs[p].sign > 0 ? must : cannot);
    sum += change;
    squares += change * change;
  }
  return squares > 0 ? sum / std::sqrt(squares) : 0;
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
      : given_(given), options_(options), context_(context), how_{.clusters = k, .restarts = kTrialRestarts} {
    options_.how.tolerance = std::max(options.how.tolerance, kTrialGap);
  }

  // For each share whether the pairs, each kept back once, agree with the clusters made without it. Without samples
  // only the last share, the kernel alone, is tried.
  std::vector<Agreed> agreed(const Sparse& laplacian, const RowMatrix& samples, Index folds, int& solves) {
    std::vector<Agreed> of(samples.size() > 0 ? kShares.size() : 1, Agreed(given_.pairs.size(), 0));
    for (Index fold = 0; fold < folds; ++fold) {
      context_.agree();
      PairSet known = given_;
      known.pairs.clear();
      for (Index p = 0; p < Index(given_.pairs.size()); ++p)
        if (p % folds != fold) known.pairs.push_back(given_.pairs[std::size_t(p)]);
      const PairSet settled = settled_pairs(known, OnConflict::drop, options_.closure, context_).pairs;
      if (settled.pairs.empty()) continue;
      RunContext inner = context_.nested("setting");
      const npkl::Result fit = npkl::solve(laplacian, settled, options_.how, inner);
      throw_if_interrupted(fit.summary.termination);
      ++solves;
      const RowMatrix F = fit.kernel.root(), rows = options_.normalise_rows == YesNo::yes ? unit_rows(F) : F;
      for (std::size_t s = 0; s < of.size(); ++s) {
        const double share = samples.size() > 0 ? kShares[s] : 0;
        if (share == 0 && rows.cols() == 0) continue;
        const Blend blend = blend_of(share, samples, rows);
        const std::vector<int> labels =
            blended_kmeans(clustered_points(blend, samples, rows), blend, settled, how_, context_).labels;
        for (std::size_t p = std::size_t(fold); p < of[s].size(); p += std::size_t(folds)) {
          const LinkedPair& pair = given_.pairs[p];
          of[s][p] = (labels[std::size_t(pair.i)] == labels[std::size_t(pair.j)]) == (pair.sign > 0);
        }
      }
    }
    return of;
  }

 private:
  const PairSet& given_;
  KernelOptions options_;
  const RunContext& context_;
  KMeansOptions how_;
};

Index fold_count(Index samples, Index pairs) { return std::min(samples < kMany ? kFolds : kFoldsOfMany, pairs); }

// Whether the samples' own kernel may count: who asks for a scale means the graph.
bool blends(const KernelOptions& options, bool sparse) { return options.scale == GraphScaling::automatic && !sparse; }

Choice tried(const Dataset& data, const PairSet& given, Index k, const std::vector<Setting>& all,
             const KernelOptions& options, const RunContext& context) {
  Choice choice;
  choice.options = options;
  Trials trials(given, k, options, context);
  const Index folds = fold_count(data.rows(), Index(given.pairs.size()));
  choice.pairs = Index(given.pairs.size());
  choice.agreed = -1;
  const auto count = [](const Agreed& each) { return Index(std::ranges::count(each, 1)); };
  std::vector<Agreed> best;
  for (const Setting& setting : all) {
    const auto scaled = scaled_as(data, setting.scale);
    const Graph graph = scaled->visit(
        [&](const auto& X) { return neighbour_graph(X, setting.neighbours, options.graph, context).graph; });
    std::vector<Agreed> agreed =
        trials.agreed(normalised_laplacian(graph), blends(options, data.sparse()) ? countable(*scaled) : RowMatrix(),
                      folds, choice.solves);
    Index most = 0;
    for (const Agreed& each : agreed) most = std::max(most, count(each));
    if (most <= choice.agreed) continue;
    choice.agreed = most;
    choice.options.scale = setting.scale;
    choice.options.neighbours = setting.neighbours;
    best = std::move(agreed);
  }
  std::size_t taken = 0;
  for (std::size_t s = 1; s < best.size(); ++s)
    if (gain(best[taken], best[s], given.pairs) > kClearly) taken = s;
  choice.share = best.size() > 1 ? kShares[taken] : 0;
  choice.agreed = count(best[taken]);
  return choice;
}

// The samples of the pairs, as they come, and others at random, in their order; and the pairs among them.
struct Judged {
  std::vector<Index> rows;
  PairSet pairs;
};
Judged judged_by(const PairSet& given, Index n, const RunContext& context) {
  std::set<Index> taken;
  for (const LinkedPair& pair : given.pairs)
    if (Index(taken.size()) + 2 <= kMostJudged) taken.insert({pair.i, pair.j});
  for (const Index i : Rng(context.seed, "kernel/choice").permutation(n)) {
    if (Index(taken.size()) >= kMostJudged) break;
    taken.insert(i);
  }
  Judged judged{{taken.begin(), taken.end()}, given};
  judged.pairs.points = Index(judged.rows.size());
  judged.pairs.ids.clear();
  judged.pairs.pairs.clear();
  const auto place = [&](Index i) { return Index(std::ranges::lower_bound(judged.rows, i) - judged.rows.begin()); };
  for (const LinkedPair& pair : given.pairs)
    if (taken.contains(pair.i) && taken.contains(pair.j))
      judged.pairs.pairs.push_back({place(pair.i), place(pair.j), pair.sign});
  return judged;
}

bool chooses(const KernelOptions& options, Index n, Index pairs, bool sparse) {
  return (candidates(options, n, sparse).size() > 1 || blends(options, sparse)) && pairs >= kLeastPairs &&
         options.how.solver != npkl::Solver::csdp;
}

}  // namespace

int solves_to_choose(const KernelOptions& options, Index samples, Index pairs, bool sparse) {
  const Index rows = std::min(samples, kMostJudged);
  return chooses(options, rows, pairs, sparse)
             ? int(fold_count(rows, pairs)) * int(candidates(options, rows, sparse).size())
             : 0;
}

Choice chosen_setting(const Dataset& data, const PairSet& given, Index k, bool graph_given,
                      const KernelOptions& options, const RunContext& context) {
  const Index n = data.rows(), pairs = Index(given.pairs.size());
  if (!graph_given && chooses(options, n, pairs, data.sparse())) {
    try {
      const RunContext part = part_of_time(context, kPartOfTime);
      if (n <= kMostJudged) return tried(data, given, k, candidates(options, n, data.sparse()), options, part);
      const Judged judged = judged_by(given, n, context);
      return tried(select_rows(data, judged.rows), judged.pairs, k, candidates(options, kMostJudged, data.sparse()),
                   options, part);
    } catch (const Interrupted&) {
      context.agree();  // the whole run, or the part of its time that a choice may take
    }
  }
  Choice choice;
  choice.options = options;
  if (!graph_given && pairs < kLeastPairs && blends(options, data.sparse())) choice.share = kShares.front();
  return choice;
}

}  // namespace ritz::kernel
