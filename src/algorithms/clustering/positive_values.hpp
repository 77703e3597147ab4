// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>

#include "ritz/model/kernel_list.hpp"

namespace ritz {

// Gaussian and rbf-relative terms only: all values are positive, so that degrees are, and the value at 0 is the weight.
inline bool has_positive_values(const KernelSum& kernel) {
  return std::ranges::all_of(kernel, [](const KernelTerm& term) {
    return std::holds_alternative<Gaussian>(term.kernel) || std::holds_alternative<RbfRelative>(term.kernel);
  });
}

}  // namespace ritz
