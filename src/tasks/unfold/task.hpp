// SPDX-License-Identifier: MIT
// The row of `unfold`; see tasks/row.hpp.
#pragma once

#include "ritz/tasks/unfold.hpp"
#include "tasks/row.hpp"

namespace ritz::unfold {

struct UnfoldSizes {
  static constexpr std::string_view name = "estimate";
  Index rows = 0, columns = 0, edges = 0;
  static constexpr auto fields() {
    return std::tuple{
        field("rows", &UnfoldSizes::rows, 0, Index(1) << 40, "number of samples, where no data is given"),
        field("columns", &UnfoldSizes::columns, 0, Index(1) << 32, "number of features, where no data is given"),
        field("edges", &UnfoldSizes::edges, 0, Index(1) << 40,
              "edges of a graph that is given; 0: those that the neighbours make")};
  }
};

struct UnfoldTask {
  using Data = Dataset;
  using Known = Graph;
  using Options = UnfoldOptions;
  using Result = UnfoldResult;
  using Sizes = UnfoldSizes;
  static constexpr std::string_view verb = "unfold", method = "unfold",
                                    summary =
                                        "Few dimensions that keep the distances of neighbours, or who they are (MVU, "
                                        "coloured MVU, MVE, SPE)";
  static DataRow data();
  static std::vector<InputRow> inputs();
  static std::vector<Output<UnfoldTask>> outputs();
  static double goal(const UnfoldOptions& options);
  static void settle(TaskCall& call, const UnfoldOptions& options);
  static std::shared_ptr<const Dataset> read(const Inputs& inputs, const UnfoldOptions& options, Graph& given,
                                             const RunContext& context);
  static UnfoldResult fit(const Dataset& data, const Graph& given, const UnfoldOptions& options, RunContext& context);
  static Summary& summary_of(UnfoldResult& result) { return result.fit.summary; }
  static std::string text(const Fit<UnfoldTask>& fit);
  static Json json(const Fit<UnfoldTask>& fit);
  static ModelFile model(const Fit<UnfoldTask>& fit);
  static RowMatrix transform(const ModelFile& model, const Dataset& data, const RunContext& context);
  static CheckReport check(const ModelFile& model, const Inputs& inputs, const CheckOptions& how,
                           const RunContext& context);
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

Json unfold_json(const UnfoldResult& found, const UnfoldOptions& options);
// The embedding, coloured by the labels; from three dimensions on a second panel shows the third. Edges are drawn where
// they are few enough to be seen.
std::string plot_svg(const UnfoldResult& found, const Labels& colours);

}  // namespace ritz::unfold
