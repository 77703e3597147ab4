// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>

#include "model/loss.hpp"

namespace ritz {

struct Hinge {  // C·max(r, 0)
  static constexpr std::string_view name = "hinge";
  static constexpr LossShape shape = LossShape::hinge;
  double penalty = 1;
  double value(double r) const { return penalty * std::max(r, 0.0); }
  double slope(double r) const { return r > 0 ? penalty : 0.0; }
  double curvature(double) const { return 0; }
  double conjugate(double) const { return 0; }
  double conjugate_slope(double) const { return 0; }
  double conjugate_curvature() const { return 0; }
  Interval dual_domain() const { return {0, penalty}; }
};

}  // namespace ritz
