// SPDX-License-Identifier: MIT
// What `ritz unfold` leaves behind: places for new samples, and a second look at the certificate.
#pragma once

#include <string>

#include "ritz/tasks/unfold.hpp"
#include "tasks/kernel/model.hpp"

namespace ritz {

inline constexpr std::string_view kUnfoldMethod = "unfold";

// `data`: scaled, as unfold_data left them.
ModelFile to_model(const Unfolding& found, const Dataset& data, const UnfoldOptions& options,
                   const unfold::Options& how);

// Rows of the embedding for the rows of `data`, which are scaled in place: y = Σ w_j·y_j over the k nearest fitted
// samples, with the weights (Σw = 1) that come nearest to x = Σ w_j·x_j under a small ridge (as in locally linear
// embedding). A sample that equals a fitted one has its row; the fitted data have theirs. Throws bad_shape when the
// columns do not match the model's, unsupported for a model of a graph alone.
RowMatrix place_samples(const ModelFile& model, Dataset& data, const RunContext& context);

// Whether the model was made from a graph alone, so that there are no data to check it with.
bool without_samples(const ModelFile& model);

// Both bounds from the data, the graph and α alone; the eigenvalues come from LAPACK up to kDenseCheck samples.
//   ridge, budget   K = c·A(α)₊ gives the primal value, α the dual one
//   neither         the stored factor gives the primal value; α is lowered by λmax(A(α))/λ₂(L) on every edge, L the
//                   graph's Laplacian, which makes it feasible, and gives the dual one
//   spe             as for a budget; the slack is the largest over all triples, counted one by one (up to kDenseCheck
//                   samples)
// The primal value is that of α's kernel, not of the best one seen, so that it agrees with the stored one up to the
// gap. Throws unsupported for baselines and csdp, which leave no dual values.
KernelCheck check_unfolding(const ModelFile& model, Dataset& data, const RunContext& context);

}  // namespace ritz
