// SPDX-License-Identifier: MIT
#pragma once

#include <limits>

#include "model/loss.hpp"

namespace ritz {

struct SquareLoss {  // C/2·r²
  static constexpr std::string_view name = "square";
  static constexpr LossShape shape = LossShape::square;
  double penalty = 1;
  double value(double r) const { return 0.5 * penalty * r * r; }
  double slope(double r) const { return penalty * r; }
  double curvature(double) const { return penalty; }
  double conjugate(double a) const { return 0.5 * a * a / penalty; }
  double conjugate_slope(double a) const { return a / penalty; }
  double conjugate_curvature() const { return 1 / penalty; }
  Interval dual_domain() const {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    return {-kInfinity, kInfinity};
  }
};

}  // namespace ritz
