// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>

#include "ritz/model/kernel.hpp"

namespace ritz {

// −√(β + offset²). The minus makes it conditionally positive definite, as for `squared`.
struct Multiquadric {
  static constexpr std::string_view name = "multiquadric";
  static constexpr PairForm form = PairForm::difference;
  static constexpr int trend = -1;
  static constexpr bool per_sample = false;
  double offset = 1.0;
  RITZ_INLINE double value(double beta) const { return -std::sqrt(beta + offset * offset); }
  RITZ_INLINE double slope(double beta) const { return 0.5 / value(beta); }
  RITZ_INLINE double curvature(double beta) const {
    const double root = value(beta);
    return -0.25 / (root * root * root);
  }
  // As for the Gaussian: f = −2(β + offset²)·(−f′).
  RITZ_INLINE SlopeMultiple value_per_slope() const { return {-2 * offset * offset, -2}; }
  static constexpr auto fields() {
    return std::tuple{field("offset", &Multiquadric::offset, 1e-12, 1e6, "keeps the root smooth at zero")};
  }
};

}  // namespace ritz
