// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <limits>

#include "model/loss.hpp"

namespace ritz {

struct SquareHinge {  // C/2·max(r, 0)²
  static constexpr std::string_view name = "square-hinge";
  static constexpr LossShape shape = LossShape::square_hinge;
  double penalty = 1;
  double value(double r) const { return 0.5 * penalty * std::max(r, 0.0) * std::max(r, 0.0); }
  double slope(double r) const { return penalty * std::max(r, 0.0); }
  double curvature(double r) const { return r > 0 ? penalty : 0.0; }
  double conjugate(double a) const { return 0.5 * a * a / penalty; }
  double conjugate_slope(double a) const { return a / penalty; }
  double conjugate_curvature() const { return 1 / penalty; }
  Interval dual_domain() const { return {0, std::numeric_limits<double>::infinity()}; }
};

}  // namespace ritz
