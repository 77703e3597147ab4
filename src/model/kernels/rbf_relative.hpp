// SPDX-License-Identifier: MIT
#pragma once

#include "ritz/model/kernel.hpp"

namespace ritz {

// exp(−β / 2σᵢσⱼ), σᵢ the distance from sample i to its `neighbours`-th nearest distinct point: f(β) = exp(−β/2) with β
// scaled by 1/σᵢσⱼ.
struct RbfRelative {
  static constexpr std::string_view name = "rbf-relative";
  static constexpr PairForm form = PairForm::difference;
  static constexpr int trend = -1;
  static constexpr bool positive = true;
  static constexpr bool per_sample = true;
  int neighbours = 7;
  RITZ_INLINE double value(double beta) const { return vector_exp(-0.5 * beta); }
  RITZ_INLINE double slope(double beta) const { return -0.5 * value(beta); }
  RITZ_INLINE double curvature(double beta) const { return 0.25 * value(beta); }
  static constexpr auto fields() {
    return std::tuple{field("neighbours", &RbfRelative::neighbours, 1, 1'000'000,
                            "a sample's width is the distance to this nearest distinct point")};
  }
};

}  // namespace ritz
