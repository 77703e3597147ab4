// SPDX-License-Identifier: MIT
// The row of `unfold`; see tasks/row.hpp.
#pragma once

#include "ritz/tasks/unfold.hpp"
#include "tasks/row.hpp"

namespace ritz::unfold {

struct UnfoldSizes {
  static constexpr std::string_view name = "estimate";
  SampleSizes samples;
  Index edges = 0;
  static constexpr auto fields() {
    return std::tuple{rows(&UnfoldSizes::samples),
                      field("edges", &UnfoldSizes::edges, 0, Index(1) << 40,
                            "edges of a graph that is given; 0: those that the neighbours make")};
  }
};

Json unfold_json(const UnfoldResult& found, const UnfoldOptions& options);

struct UnfoldTask : Verb<UnfoldTask, Dataset, Graph, UnfoldOptions, UnfoldResult, UnfoldSizes> {
  static constexpr std::string_view verb = "unfold", method = "unfold",
                                    summary =
                                        "Few dimensions that keep the distances of neighbours, or who they are (MVU, "
                                        "coloured MVU, MVE, SPE)";
  static DataRow data() { return {.required = false, .labels = true}; }
  static std::vector<InputRow> inputs();
  static std::vector<Output<UnfoldTask>> outputs();
  static double goal(const UnfoldOptions& options);
  static void settle(TaskCall& call, const UnfoldOptions& options);
  static std::shared_ptr<const Dataset> read(const Inputs& inputs, const UnfoldOptions& options, Graph& given,
                                             const RunContext& context);
  static constexpr auto fit = unfold::fit;
  static Lines text(const F& fit);
  static constexpr auto json = unfold_json;
  static ModelForm form();
  static constexpr auto model = to_model;
  static constexpr auto transform = unfold::transform;
  static CheckReport check(const ModelFile& model, const Inputs& inputs, const CheckOptions& how,
                           const RunContext& context);
  static void tell(const page::Source& from, page::Page& page, const RunContext& context);
  static ForecastReport forecast(const UnfoldSizes& sizes, const UnfoldOptions& options, const Dataset* data,
                                 const RunContext& context);
};

Options resolved(const UnfoldOptions& options);  // `how` with the method; mvu for baselines
bool has_capacity(const UnfoldOptions& options);
bool without_samples(const ModelFile& model);  // made from a graph alone: there are no data to check it with

// Sizes of a graph's parts, the first of them: "40, 2, 7, 1, 1, …".
std::string parts_text(const std::vector<Index>& sizes);
// ‖x_i − x_j‖² of each edge.
Vector edge_distances(const Dataset& data, const Graph& graph);
// Leading coordinates √λ·u of HKH.
RowMatrix leading_components(const Dataset& data, std::string_view kernel, Index count, const RunContext& context);
// The leading components as a result. `pca`: those of the samples, already found.
void solve_baseline(const Dataset& data, Index dim, const RowMatrix& pca, UnfoldResult& found,
                    const RunContext& context);
// Fills in max_stretch, fit.stretch, kept neighbours and accuracies. `pca`: the samples' leading components.
void judge(const Dataset& data, const RowMatrix& pca, const UnfoldOptions& options, UnfoldResult& found,
           const RunContext& context);

// The embedding, coloured by the labels; from three dimensions on a second panel shows the third. Edges are drawn where
// they are few enough to be seen.
std::string plot_svg(const UnfoldResult& found, const Labels& colours, const std::vector<std::string>& ids);

// --- parts of a graph that no edge joins ----------------------------------------------------------------------------

// One component of a problem: the rows that it has of the whole, and the edges.
struct ProblemPart {
  Problem problem;
  std::vector<Index> rows, edges;
};
std::vector<ProblemPart> problem_parts(const Problem& whole, const Components& components);

// K's leading columns √κ·v.
RowMatrix kernel_factor(const Result& fit);

// Embeds every part by itself and joins the results in `found`: fit, factor and penalties. A part of one sample is a
// point, and one of few has zeros in the dimensions that it cannot fill.
void solve_parts(const Problem& whole, const Components& components, const Options& how, UnfoldResult& found,
                 RunContext& context);

// Moves parts of an embedding side by side along its first axis, in the order of their numbers, each centred on the
// other axes, a tenth of the widest one apart.
void place_side_by_side(RowMatrix& embedding, const Components& parts);

}  // namespace ritz::unfold

// The parts of a second look at an embedding. Nothing here is shared with the solvers.
namespace ritz::unfold::second_look {

struct Stored {
  UnfoldMethod method = UnfoldMethod::mvu;
  double ridge = 0, budget = 0;
  Matrix smooth;               // U, to whose span the kernel is bound; or no column
  Vector alpha, kernel_alpha;  // of the dual value, and of the kernel
  Matrix triples;              // spe
};

// The columns of E are the leading principal coordinates of FFᵀ (up to a turn among equals), zeros behind its rank; a
// note where they are not.
void look_at_embedding(const Matrix& E, const Matrix& F, KernelCheck& check);

// Each fills in both values and how the spectrum was found; E, the embedding, is compared with the kernel.
void check_capacity(const Stored& stored, const Problem& problem, const Matrix& drawn_to, double penalty,
                    const Matrix& E, KernelCheck& check, const RunContext& context);
void check_structure(const Stored& stored, const Problem& problem, double penalty, double stored_slack, const Matrix& E,
                     KernelCheck& check, const RunContext& context);
// Without a limit: adds those of one part. `smooth`: its rows of Stored::smooth.
void check_free(UnfoldMethod method, const ProblemPart& part, const Vector& alpha, const Matrix& F,
                const Matrix& drawn_to, const Matrix& smooth, double penalty, KernelCheck& check,
                const RunContext& context);
// The columns of U are orthonormal eigenvectors of the graph's Laplacian, and those of F lie in their span; a note
// where they do not.
void look_at_smooth(const Matrix& U, const Matrix& F, const Graph& graph, KernelCheck& check);

}  // namespace ritz::unfold::second_look
