// SPDX-License-Identifier: MIT
#pragma once

#include "ritz/tasks/unfold.hpp"

namespace ritz::unfold {

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
