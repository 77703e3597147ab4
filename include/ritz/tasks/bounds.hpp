// SPDX-License-Identifier: MIT
// What a second look at a learned kernel finds: the tasks `kernel` and `unfold` have it in common.
#pragma once

#include <string>
#include <vector>

#include "ritz/base/types.hpp"

namespace ritz {

// The primal value of any K ⪰ 0 is an upper bound of the optimum and the dual value of any α a lower one, so that the
// gap needs no trust in what the solver did.
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

}  // namespace ritz
