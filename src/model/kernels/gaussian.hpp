// SPDX-License-Identifier: MIT
#pragma once

#include "ritz/model/kernel.hpp"

namespace ritz {

struct Gaussian {  // exp(−β / 2σ²)
  static constexpr std::string_view name = "gaussian";
  static constexpr PairForm form = PairForm::difference;
  static constexpr int trend = -1;
  static constexpr bool positive = true;
  static constexpr bool per_sample = false;
  Bandwidth sigma;

  RITZ_INLINE double value(double beta) const { return vector_exp(-rate() * beta); }
  RITZ_INLINE double slope(double beta) const { return -rate() * value(beta); }
  RITZ_INLINE double curvature(double beta) const { return rate() * rate() * value(beta); }
  // −f′ is positive definite, and f = (constant + linear·β)·(−f′): what a low-rank factor of −f′ needs to give F too.
  RITZ_INLINE SlopeMultiple value_per_slope() const { return {1 / rate(), 0}; }
  static constexpr auto fields() {
    return std::tuple{field("sigma", &Gaussian::sigma, "bandwidth: a number, 'median' or a multiple of it")};
  }

 private:
  RITZ_INLINE double rate() const { return 0.5 / (sigma.value * sigma.value); }
};

}  // namespace ritz
