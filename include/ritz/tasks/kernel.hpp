// SPDX-License-Identifier: MIT
// A kernel, and clusters, from samples and pairs of them that belong together or apart: the task `kernel`.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "ritz/algorithms/npkl.hpp"
#include "ritz/cluster/kmeans.hpp"
#include "ritz/data/dataset.hpp"
#include "ritz/data/preprocess.hpp"
#include "ritz/graph/graph.hpp"
#include "ritz/graph/pairs.hpp"
#include "ritz/tasks/model.hpp"
#include "ritz/tasks/task.hpp"

namespace ritz::kernel {

// automatic: standard or none, whichever the pairs speak for; none for sparse data. Neighbours do not change when all
// samples are shifted, so that sparse data are scaled but never centred, and stay sparse.
enum class GraphScaling { automatic, standard, center, none };
constexpr auto names_of(GraphScaling) { return std::array{"auto", "standard", "center", "none"}; }

enum class YesNo { no, yes };
constexpr auto names_of(YesNo) { return std::array{"false", "true"}; }

struct KernelOptions {
  static constexpr std::string_view name = "kernel";
  ClusterCount clusters = 0;  // 0: as many as the truth has
  double fraction = 0;
  Closure closure = Closure::closed;
  OnConflict on_conflict = OnConflict::error;
  Index neighbours = 0;
  GraphKind graph = GraphKind::union_;
  GraphScaling scale = GraphScaling::automatic;
  Index active = 0;
  Index suggest = 0;
  YesNo normalise_rows = YesNo::yes;
  int restarts = 20;
  npkl::Options how;
  static constexpr auto fields() {
    return std::tuple{
        field(
            "clusters", &KernelOptions::clusters,
            "clusters to make with the kernel; auto: by the gap statistic of the samples; 0: as many as the truth has "
            "classes"),
        field("fraction", &KernelOptions::fraction, 0.0, 1.0,
              "draw pairs from the labels until the must-links leave this part of n groups; smaller: more pairs"),
        field("closure", &KernelOptions::closure, "add the pairs that follow from the given ones, or take them raw"),
        field("on_conflict", &KernelOptions::on_conflict,
              "contradictory pairs: explain and end, drop as few as can be, or keep all and let the loss weigh them"),
        field("neighbours", &KernelOptions::neighbours, 0, 1 << 24,
              "neighbours of each sample in the graph; 0: 10, or 5 where pairs that are kept back speak for it"),
        field("graph", &KernelOptions::graph,
              "join samples that are each other's neighbours, or one the other's, or b-matching: such that each has "
              "exactly so many neighbours and all edges together are shortest"),
        field("scale", &KernelOptions::scale,
              "columns: standard (deviation 1), center, none, or auto: standard or none, whichever pairs that are kept "
              "back speak for; none for sparse data"),
        field("active", &KernelOptions::active, 0, 1 << 30,
              "keep only pairs that name one of this many samples of which a linear fit is least certain; 0: all"),
        field("suggest", &KernelOptions::suggest, 0, 1 << 24, "print this many pairs most worth asking about next"),
        field("normalise_rows", &KernelOptions::normalise_rows,
              "cluster the rows of the factor at length 1: the angles that the kernel gives, not its sizes"),
        field("restarts", &KernelOptions::restarts, 1, 1'000'000, "starts of k-means, of which the best is kept"),
        rows(&KernelOptions::how)};
  }
};

// What is known beside the samples.
struct KernelKnowledge {
  PairSet pairs;  // as given; without one they are drawn from the data's labels (KernelOptions::fraction)
  Graph edges;    // as given; without vertices the neighbour graph is made
  Labels truth;   // what clusters are compared with; empty: the data's labels, or nothing
};

// Agreement of one clustering with the truth. NaN, with a reason, where it was left out.
struct Agreement {
  std::string name;
  double rand = kUnknown, adjusted = kUnknown;
  std::string left_out{};
};

// What is clustered: the columns of the scaled samples times `samples`, beside F's rows times `kernel`. In kernels: the
// samples' own one and the learned one, added up.
struct Blend {
  double samples = 0, kernel = 1;
};

struct KernelResult {
  npkl::Result fit;   // with the summary; its phases are graph, pairs, solve and cluster
  RowMatrix factor;   // F, n × rank: K = F·Fᵀ
  Labels labels;      // clusters "1", "2", … by first appearance; K = 0 makes one
  RowMatrix centers;  // of the clusters, among the rows that were clustered: F's, at length 1 where so asked
  Blend blend;        // … beside the samples' columns, where pairs that were kept back speak for it
  Index n = 0, d = 0;
  std::string data_hash;
  ColumnScaling scaling;  // mean 0 for sparse data
  Graph graph;
  bool graph_given = false;
  double above = 0;      // a b-matching could be shorter by this part of its length, at most
  Index neighbours = 0;  // k of the graph; of new samples, where the graph was given
  Vector reach;          // squared distance of each sample's k-th neighbour; empty where the graph was given
  SettledPairs settled;
  PairSet pairs;  // what the kernel was fitted to: the settled ones, or the active part of them
  Index given = 0;
  bool drawn = false;
  std::vector<Agreement> baselines;  // with a truth: kernel, k-means, constrained k-means, random, one cluster
  std::vector<Edge> suggestions;     // the most uncertain first
  std::vector<std::string> ids;      // of the samples; empty: their numbers
  double rand = kUnknown, adjusted_rand = kUnknown;
};

// Throws Error for what the caller can put right; memory is checked first. Interrupted leaves the best kernel so far,
// or comes through when there is none. clusters = 0 without a truth: bad_option.
KernelResult fit(const Dataset& data, const KernelKnowledge& known, const KernelOptions& options, RunContext& context);

// Throws unsupported for a kernel that has no rule for new samples (csdp with a budget).
ModelFile to_model(const KernelResult& found, const Dataset& data, const KernelOptions& options);
// Rows of the factor F for the rows of `data`, by npkl::extend from the links that the samples would have. union: their
// k nearest fitted samples; mutual: those of them that would count the new one among their k nearest. A sample that
// equals a fitted one has its row; the fitted data have theirs. Throws bad_shape when the columns do not match the
// model's.
RowMatrix transform(const ModelFile& model, const Dataset& data, const RunContext& context);
// The nearest cluster center; without a link, the cluster of the nearest fitted sample.
Prediction predict(const ModelFile& model, const Dataset& data, const RunContext& context);

// Primal and dual value from the data, the pairs, α and the factor alone. The graph is made anew (unless it was given),
// A(α) is built anew, and its eigenvalues come from LAPACK for a few thousand samples, from the eigen engine above.
KernelCheck check(const ModelFile& model, const Dataset& data, const RunContext& context);

// Bytes: about what a fit holds at a time: the samples (and their scaled copy), `edges` and `pairs`, and a few blocks
// of `rank` vectors.
double forecast(double data_bytes, Index samples, double edges, double pairs, double rank);

}  // namespace ritz::kernel
