// SPDX-License-Identifier: MIT
// What `ritz kernel` leaves behind, and what can be done with it later: new samples, their clusters, a second look.
#pragma once

#include <string>
#include <vector>

#include "ritz/tasks/kernel.hpp"
#include "ritz/tasks/model.hpp"
#include "ritz/tasks/task.hpp"

namespace ritz {

inline constexpr std::string_view kKernelMethod = "npkl";

// `data`: scaled, as learn_kernel left them. Throws unsupported for a kernel that has no rule for new samples (csdp
// with a budget).
ModelFile to_model(const LearnedKernel& learned, const Dataset& data, const KernelOptions& options,
                   const npkl::Options& how);

// Rows of the factor F for the rows of `data`, which are scaled in place: by npkl::extend from the links that the
// samples would have. union: their k nearest fitted samples; mutual: those of them that would count the new one among
// their k nearest. A sample that equals a fitted one has its row; the fitted data have theirs. Throws bad_shape when
// the columns do not match the model's.
struct Extension {
  RowMatrix factor;
  std::vector<Index> nearest;  // fitted sample
  Index unlinked = 0;          // rows without a link: zeros
};
Extension extend_kernel(const ModelFile& model, Dataset& data, const RunContext& context);

// The nearest cluster center; without a link, the cluster of the nearest fitted sample.
Prediction predict_kernel(const ModelFile& model, Dataset& data, const RunContext& context);

// Primal and dual value from the data, the pairs, α and the factor alone. The graph is made anew (unless it was given),
// A(α) is built anew, and its eigenvalues come from LAPACK up to kDenseCheck samples, from the eigen engine above. The
// primal value of any K ⪰ 0 is an upper bound of the optimum and the dual value of any α a lower one, so that the gap
// needs no trust in what the solver did.
inline constexpr Index kDenseCheck = 2000;
struct KernelCheck {
  double primal = kUnknown, dual = kUnknown, gap = kUnknown, relative_gap = kUnknown;
  double stored_primal = kUnknown, stored_dual = kUnknown, tolerance = kUnknown;
  double agreement = 1e-6;  // how far the values may lie from the stored ones, in parts of them
  Index positive = 0;       // eigenvalues of A(α)
  Index edges = 0;
  std::string spectrum;  // how they were found
  bool feasible = true;  // weights are not negative, the budget and the subspace are kept
  bool same_data = false;
  std::vector<std::string> notes;
  bool values_agree() const;  // with the stored ones, to `agreement` of them
  bool within_tolerance() const;
  void take_gap();  // both gaps, from primal and dual
  bool holds() const { return feasible && values_agree() && within_tolerance(); }
};
KernelCheck check_kernel(const ModelFile& model, Dataset& data, const RunContext& context);

}  // namespace ritz
