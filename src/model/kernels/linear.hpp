// SPDX-License-Identifier: MIT
#pragma once

#include "ritz/model/kernel.hpp"

namespace ritz {

struct Linear {  // β: Φ does not depend on W, one step solves
  static constexpr std::string_view name = "linear";
  static constexpr PairForm form = PairForm::dot;
  static constexpr int trend = +1;
  static constexpr bool per_sample = false;
  RITZ_INLINE double value(double beta) const { return beta; }
  RITZ_INLINE double slope(double) const { return 1.0; }
  RITZ_INLINE double curvature(double) const { return 0.0; }
  static constexpr auto fields() { return std::tuple{}; }
};

}  // namespace ritz
