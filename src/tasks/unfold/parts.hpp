// SPDX-License-Identifier: MIT
#pragma once

#include "ritz/tasks/unfold.hpp"

namespace ritz {

unfold::Method unfold_method(UnfoldMethod method);  // not for baselines
// ‖x_i − x_j‖² of each edge.
Vector edge_distances(const Dataset& data, const Graph& graph);

// One component of a problem: the rows that it has of the whole, and the edges.
struct ProblemPart {
  unfold::Problem problem;
  std::vector<Index> rows, edges;
};
std::vector<ProblemPart> problem_parts(const unfold::Problem& whole, const Components& components);

// K's leading columns √κ·v.
RowMatrix kernel_factor(const unfold::Result& fit);

// Embeds every part by itself and joins the results in `found`: fit, factor and penalties. A part of one sample is a
// point, and one of few has zeros in the dimensions that it cannot fill.
void solve_parts(const unfold::Problem& whole, const Components& components, const unfold::Options& how,
                 Unfolding& found, RunContext& context);

// Fills in max_stretch, fit.stretch, kept neighbours and accuracies. `pca`: the samples' leading components.
void judge(const Dataset& data, const RowMatrix& pca, const UnfoldOptions& options, Unfolding& found,
           const RunContext& context);

}  // namespace ritz
