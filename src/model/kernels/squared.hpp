// SPDX-License-Identifier: MIT
#pragma once

#include "ritz/model/kernel.hpp"

namespace ritz {

// −β. The minus makes it conditionally positive definite; the paper's +β picks the least informative subspace
// (docs/algorithms/ism.md).
struct Squared {
  static constexpr std::string_view name = "squared";
  static constexpr PairForm form = PairForm::difference;
  static constexpr int trend = -1;
  static constexpr bool per_sample = false;
  RITZ_INLINE double value(double beta) const { return -beta; }
  RITZ_INLINE double slope(double) const { return -1.0; }
  RITZ_INLINE double curvature(double) const { return 0.0; }
  static constexpr auto fields() { return std::tuple{}; }
};

}  // namespace ritz
