// SPDX-License-Identifier: MIT
#pragma once

#include "ritz/model/kernel.hpp"

namespace ritz {

// A kernel given by a program's own functions (user_kernel in ritz/model/kernel_sum.hpp makes one). Plain pointers:
// what they point to belongs to the KernelTerm.
template <PairForm F>
struct UserKernel {
  using Function = double (*)(const void* object, double beta);
  static constexpr std::string_view name = "user";
  static constexpr PairForm form = F;
  static constexpr bool per_sample = false;
  int trend = 1;
  const char* title = "user";  // what kernel_text prints
  const void* object = nullptr;
  Function value_of = nullptr, slope_of = nullptr, curvature_of = nullptr;
  RITZ_INLINE double value(double beta) const { return value_of(object, beta); }
  RITZ_INLINE double slope(double beta) const { return slope_of(object, beta); }
  RITZ_INLINE double curvature(double beta) const { return curvature_of(object, beta); }
  static constexpr auto fields() { return std::tuple{}; }
};

}  // namespace ritz
