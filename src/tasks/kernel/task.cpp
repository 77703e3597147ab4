// SPDX-License-Identifier: MIT
#include "ritz/tasks/kernel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "ritz/base/error.hpp"
#include "ritz/cluster/constrained_kmeans.hpp"
#include "ritz/cluster/kmeans.hpp"
#include "ritz/graph/laplacian.hpp"
#include "ritz/metrics/clustering.hpp"
#include "tasks/model/samples.hpp"
#include "tasks/reduce/prepare.hpp"

namespace ritz {

namespace {

constexpr double kNoLength = 1e-12;     // a row below this part of the longest one has no direction
constexpr Index kUsualRank = 64;        // for the forecast: the rank is known only afterwards
constexpr double kMostPairBytes = 300;  // of a pair: as read, settled, in the dual, in the matrix

Index cluster_count(const KernelOptions& options, const Labels& truth, Index n) {
  if (options.clusters == 0 && truth.size() == 0)
    throw Error(ErrorCode::bad_option, "say how many clusters to make: --clusters K, or give a --truth");
  const Index k = options.clusters > 0 ? options.clusters : truth.classes();
  if (options.clusters == 0 && k < 2)
    throw Error(ErrorCode::bad_option,
                fmt::format("all labels are '{}': say how many clusters to make, --clusters K", truth.names[0]));
  if (k < 2 || k > n)
    throw Error(ErrorCode::bad_option,
                fmt::format("--clusters is {}; it must lie in [2, {}] because there are {} samples", k, n, n));
  return k;
}

void check_known(const Dataset& data, const KernelKnowledge& known, const KernelOptions& options) {
  const Index n = data.rows();
  if (n < 2) throw Error(ErrorCode::bad_data, fmt::format("{}: one sample only; at least two are needed", data.source));
  const bool given = !known.pairs.pairs.empty();
  if (given && options.fraction > 0)
    throw Error(ErrorCode::bad_option,
                "--pairs and --fraction are two sources of the same; give the pairs, or have them drawn");
  if (!given && options.fraction <= 0)
    throw Error(ErrorCode::bad_option,
                "there is no pair to learn from: give --pairs FILE, or have them drawn from labels by --fraction R");
  if (!given && data.labels.size() == 0)
    throw Error(ErrorCode::bad_option, "--fraction draws pairs from labels: give --labels FILE or --label-column NAME");
  if (given && known.pairs.points != n)
    throw Error(ErrorCode::bad_shape,
                fmt::format("the pairs are of {} samples, but {} has {} rows", known.pairs.points, data.source, n));
  if (known.edges.vertices > 0 && known.edges.vertices != n)
    throw Error(ErrorCode::bad_shape,
                fmt::format("the graph has {} vertices, but {} has {} rows", known.edges.vertices, data.source, n));
  if (known.truth.size() > 0 && known.truth.size() != n)
    throw Error(ErrorCode::bad_shape,
                fmt::format("the truth has {} labels, but {} has {} rows", known.truth.size(), data.source, n));
}

ColumnScaling scale_in_place(Dataset& data, GraphScaling asked) {
  const Scaling kind = asked == GraphScaling::standard || (asked == GraphScaling::automatic && !data.sparse())
                           ? Scaling::standard
                       : asked == GraphScaling::center ? Scaling::center
                                                       : Scaling::none;
  ColumnScaling scaling = learn_scaling(data, kind);
  if (data.sparse()) scaling.mean.setZero();
  scale_columns(scaling.mean, scaling.factor, data);
  return scaling;
}

void make_graph(const Dataset& data, const KernelKnowledge& known, const KernelOptions& options, LearnedKernel& result,
                const RunContext& context) {
  result.neighbours = options.neighbours > 0 ? options.neighbours : default_neighbours(result.n);
  result.graph_given = known.edges.vertices > 0;
  if (result.graph_given) {
    result.graph = known.edges;
    return;
  }
  const NeighbourTable table =
      std::visit([&](const auto& X) { return nearest_neighbours(X, result.neighbours, context); }, data.samples);
  result.graph = neighbour_graph(table, options.graph);
  result.reach.resize(result.n);
  for (Index i = 0; i < result.n; ++i) result.reach(i) = table.squared_of(i).back();
}

void compare_with(const Labels& truth, Index k, const Dataset& data, const KernelOptions& options,
                  LearnedKernel& result, const RunContext& context) {
  const auto agreement = [&](std::string name, const std::vector<int>& labels) {
    result.baselines.push_back({std::move(name), rand_index(truth.of, labels), adjusted_rand_index(truth.of, labels)});
  };
  agreement("learned kernel", result.labels.of);
  result.rand = result.baselines[0].rand;
  result.adjusted_rand = result.baselines[0].adjusted;

  const KMeansOptions how{.clusters = k, .restarts = options.restarts};
  std::string left_out;
  const RowMatrix filled = filled_in(data, context, left_out);
  if (left_out.empty()) {
    const RowMatrix& X = data.sparse() ? filled : data.dense();
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

void make_clusters(Index k, const KernelOptions& options, LearnedKernel& result, const RunContext& context) {
  if (result.factor.cols() == 0) {
    result.labels = {std::vector<int>(std::size_t(result.n), 0), {"1"}};
    result.centers = RowMatrix(1, 0);
    result.fit.summary.notes.emplace_back("a kernel of zeros tells no samples apart: all are in cluster 1");
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

void note_pairs(const LearnedKernel& result, const KernelOptions& options, std::vector<std::string>& notes) {
  const SettledPairs& settled = result.settled;
  if (!settled.dropped.empty())
    notes.push_back(
        fmt::format("{} of {} pairs are dropped: they contradict the others", settled.dropped.size(), result.given));
  else if (settled.contradicted > 0)
    notes.push_back(fmt::format("{} cannot-link{} must-links: kept, and nothing is concluded from their groups",
                                settled.contradicted, settled.contradicted == 1 ? " contradicts" : "s contradict"));
  if (options.active > 0)
    notes.push_back(fmt::format("{} of {} pairs are used: those that name one of {} uncertain samples",
                                result.pairs.pairs.size(), settled.pairs.pairs.size(), options.active));
}

}  // namespace

Index default_neighbours(Index samples) { return std::min<Index>(samples < 1000 ? 5 : 50, samples - 1); }

double kernel_bytes(double data_bytes, Index samples, double edges, double pairs, double rank) {
  constexpr double kMostEdgeBytes = 120;  // the table of neighbours, the edges, L, and A with its copies
  constexpr double kBlocks = 10;          // the block, its image, the filter's three, best and primal's best, F
  return data_bytes + kMostEdgeBytes * edges + kMostPairBytes * pairs + 8 * kBlocks * double(samples) * rank;
}

RowMatrix unit_rows(const RowMatrix& F) {
  const Vector length = F.rowwise().norm();
  const double least = kNoLength * (length.size() > 0 ? length.maxCoeff() : 0.0);
  RowMatrix unit = F;
  for (Index i = 0; i < F.rows(); ++i) unit.row(i) *= length(i) > least ? 1 / length(i) : 0.0;
  return unit;
}

LearnedKernel learn_kernel(Dataset& data, const KernelKnowledge& known, const KernelOptions& options,
                           const npkl::Options& how, RunContext& context) {
  check(options);
  check(how);
  check_known(data, known, options);
  const Labels& truth = known.truth.size() > 0 ? known.truth : data.labels;
  LearnedKernel result;
  result.n = data.rows();
  result.d = data.cols();
  result.ids = data.ids;
  const Index k = cluster_count(options, truth, result.n);
  std::map<std::string, double> seconds;
  std::vector<std::string> notes = data.notes;

  {
    const PhaseTimer timer(seconds, "pairs");
    result.drawn = known.pairs.pairs.empty();
    PairSet given = result.drawn ? drawn_pairs(data.labels.of, options.fraction, context) : known.pairs;
    given.ids = data.ids;
    result.given = Index(given.pairs.size());
    result.settled = settled_pairs(given, options.on_conflict, options.closure, context);
    result.pairs = result.settled.pairs;
    if (result.pairs.pairs.empty())
      throw Error(ErrorCode::bad_data, "every pair is dropped: none is left to learn from");
  }
  const double edges =
      known.edges.vertices > 0
          ? double(known.edges.edges.size())
          : double(result.n) * double(options.neighbours > 0 ? options.neighbours : default_neighbours(result.n));
  require_memory(kernel_bytes(data_bytes(data), result.n, edges, double(result.pairs.pairs.size()),
                              double(std::min(result.n, kUsualRank))),
                 context, fmt::format("learning a kernel of {} samples", result.n));
  result.data_hash = data_hash(data);
  Sparse laplacian;
  {
    const PhaseTimer timer(seconds, "graph");
    result.scaling = scale_in_place(data, options.scale);
    make_graph(data, known, options, result, context);
    laplacian = normalised_laplacian(result.graph);
  }
  {
    const PhaseTimer timer(seconds, "solve");
    if (options.active > 0)
      result.pairs = npkl::active_pairs(laplacian, result.settled.pairs, options.active, how, context);
    RunContext inner = context.nested("kernel");
    result.fit = npkl::solve(laplacian, result.pairs, how, inner);
  }
  Summary& summary = result.fit.summary;
  note_pairs(result, options, notes);
  std::ranges::move(summary.notes, std::back_inserter(notes));
  summary.notes = std::move(notes);
  result.factor = result.fit.kernel.root();
  {
    const PhaseTimer timer(seconds, "cluster");
    const RunContext calm = context.uninterrupted();  // belongs to the result, also after Ctrl-C
    make_clusters(k, options, result, calm);
    if (truth.size() > 0) compare_with(truth, k, data, options, result, calm);
  }
  summary.seconds = std::move(seconds);
  if (options.neighbours == 0)
    summary.used["neighbours"] = fmt::format("{}: the default for {} samples", result.neighbours, result.n);
  if (how.ridge == 0 && how.budget == 0)
    summary.used["ridge"] =
        fmt::format("{}: the default for {} samples", number_text(npkl::default_ridge(result.n)), result.n);
  if (options.scale == GraphScaling::automatic)
    summary.used["scale"] = data.sparse() ? "none: sparse data" : "standard";
  return result;
}

}  // namespace ritz
