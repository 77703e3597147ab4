// SPDX-License-Identifier: MIT
// Few dimensions that keep the distances of neighbours, or who they are, from samples or a graph: the task `unfold`.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "ritz/algorithms/unfold.hpp"
#include "ritz/data/dataset.hpp"
#include "ritz/data/preprocess.hpp"
#include "ritz/graph/graph.hpp"
#include "ritz/tasks/model.hpp"

namespace ritz::unfold {

// The last two are baselines: the leading principal components, of the samples and of a Gaussian kernel whose width is
// the median distance.
enum class UnfoldMethod { mvu, cmvu, mve, spe, pca, kpca };
constexpr auto names_of(UnfoldMethod) { return std::array{"mvu", "cmvu", "mve", "spe", "pca", "kpca"}; }
inline bool is_baseline(UnfoldMethod method) { return method == UnfoldMethod::pca || method == UnfoldMethod::kpca; }

// standard: every column of deviation 1. msn: centred, then all columns by one factor so that the mean squared norm is
// 1; distances keep their proportions, and penalty, ridge and budget mean the same for all data. automatic: standard,
// and msn for sparse data, which are scaled but never centred.
enum class UnfoldScaling { automatic, msn, standard, center, none };
constexpr auto names_of(UnfoldScaling) { return std::array{"auto", "msn", "standard", "center", "none"}; }

enum class GraphParts { together, each };
constexpr auto names_of(GraphParts) { return std::array{"together", "each"}; }

struct UnfoldOptions {
  static constexpr std::string_view name = "unfold";
  UnfoldMethod method = UnfoldMethod::mvu;
  Index vertices = 0;
  Index neighbours = 5;
  GraphKind graph_kind = GraphKind::union_;
  bool connect = false;
  GraphParts components = GraphParts::together;
  UnfoldScaling scale = UnfoldScaling::automatic;
  std::string unlabelled;
  Options how;  // its method is not looked at
  static constexpr auto fields() {
    return std::tuple{
        field("method", &UnfoldOptions::method,
              "mvu: as wide as distances allow; cmvu: wide along the labels; mve: wide in the dimensions asked for, "
              "narrow in the others; spe: keeps who is whose neighbour; pca, kpca: baselines"),
        field("vertices", &UnfoldOptions::vertices, 0, 2147483647,
              "vertices of a graph without samples; 0: up to its largest number"),
        field("neighbours", &UnfoldOptions::neighbours, 1, 1 << 24,
              "neighbours of each sample in the graph, and of a new sample in 'ritz transform'"),
        field("graph_kind", &UnfoldOptions::graph_kind,
              "join samples that are each other's neighbours, or one the other's, or b-matching: such that each has "
              "exactly so many neighbours and all edges together are shortest"),
        field("connect", &UnfoldOptions::connect,
              "more neighbours until the graph is connected; without a limit that is so anyway, unless components is "
              "each"),
        field("components", &UnfoldOptions::components,
              "parts of a graph that no edge joins: embedded together, or each by itself, then side by side"),
        field("scale", &UnfoldOptions::scale,
              "standard: columns of deviation 1; msn: centred, mean squared norm 1; center; none; auto: standard, msn "
              "for "
              "sparse data"),
        field("unlabelled", &UnfoldOptions::unlabelled, "label of the samples whose class is not known"),
        rows(&UnfoldOptions::how, "method")};
  }
};

// Leave-one-out accuracy of 5-NN in three spaces.
struct NeighbourAccuracy {
  double embedding = kUnknown, pca = kUnknown, all = kUnknown;
};

struct UnfoldResult {
  UnfoldMethod method = UnfoldMethod::mvu;
  // With the summary; its phases are graph, solve and judge. Parts embedded by themselves: sums over them; spectrum and
  // vectors are those of the joined embedding, and alpha and measured have the order of the graph's edges.
  Result fit;
  // K's leading columns √κ·v. Parts embedded by themselves share columns: inner products mean K within a part only.
  RowMatrix factor;
  Index n = 0, d = 0;  // d = 0: a graph without samples
  std::string data_hash;
  ColumnScaling scaling;
  Graph graph;
  Vector squared;  // distance of each edge; empty for spe and the baselines
  bool graph_given = false;
  Index neighbours = 0;                      // k of the graph; of new samples, where the graph was given
  std::vector<Index> parts;                  // sizes of the graph's components
  std::vector<double> penalties;             // C of each part that was embedded by itself; otherwise one
  double max_stretch = kUnknown;             // like fit.stretch, which leaves out edges of length 0
  double kept_neighbours = kUnknown;         // see kept_neighbours()
  double kept_neighbours_kernel = kUnknown;  // in all dimensions of K, where they are known
  NeighbourAccuracy accuracy;                // with labels
};

// A graph alone is data of n rows without columns (spe only). `given` without vertices: the neighbour graph is made.
// Throws Error for what the caller can put right; memory is checked first. Interrupted leaves the best embedding so
// far, or comes through when there is none.
UnfoldResult fit(const Dataset& data, const Graph& given, const UnfoldOptions& options, RunContext& context);

ModelFile to_model(const UnfoldResult& found, const Dataset& data, const UnfoldOptions& options);
// Rows of the embedding for the rows of `data`: y = Σ w_j·y_j over the k nearest fitted samples, with the weights
// (Σw = 1) that come nearest to x = Σ w_j·x_j under a small ridge (as in locally linear embedding). A sample that
// equals a fitted one has its row; the fitted data have theirs. Throws bad_shape when the columns do not match the
// model's, unsupported for a model of a graph alone.
RowMatrix transform(const ModelFile& model, const Dataset& data, const RunContext& context);

// Both bounds from the data, the graph and α alone; the eigenvalues come from LAPACK for a few thousand samples. `data`
// is not looked at for a model of a graph alone.
//   ridge, budget   K = c·A(α)₊ gives the primal value, α the dual one
//   neither         the stored factor gives the primal value, α the dual one, lowered on every edge by what rounding
//                   left of A(α) above 0
//   smooth vectors  the same among kernels in their span: UᵀA(α)U in place of A(α)
//   spe             as for a budget; the slack is the largest over all triples, counted one by one
// The primal value is that of α's kernel, not of the best one seen, so that it agrees with the stored one up to the
// gap. Throws unsupported for baselines and csdp, which leave no dual values.
KernelCheck check(const ModelFile& model, const Dataset& data, const RunContext& context);

// Bytes: about what a fit holds at a time. With a ridge or budget the spectrum may have to be found whole.
double forecast(double data_bytes, Index samples, double edges, const UnfoldOptions& options);

// Mean over the vertices that have neighbours: of the g nearest points of a vertex with g neighbours in the graph, the
// share that are these neighbours. Of more than kMostCounted neighbours that many points are looked at.
inline constexpr Index kMostCounted = 64;
double kept_neighbours(const Graph& graph, DataView points, const RunContext& context);

}  // namespace ritz::unfold
