// SPDX-License-Identifier: MIT
#pragma once

#include "model/loss.hpp"

namespace ritz {

struct LinearLoss {  // C·r: the dual has the one point α = C, and its kernel is a closed form
  static constexpr std::string_view name = "linear";
  static constexpr LossShape shape = LossShape::linear;
  double penalty = 1;
  double value(double r) const { return penalty * r; }
  double slope(double) const { return penalty; }
  double curvature(double) const { return 0; }
  double conjugate(double) const { return 0; }
  double conjugate_slope(double) const { return 0; }
  double conjugate_curvature() const { return 0; }
  Interval dual_domain() const { return {penalty, penalty}; }
};

}  // namespace ritz
