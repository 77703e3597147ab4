// SPDX-License-Identifier: MIT
// A loss that the library does not have: one file, as docs/extend/loss.md says.
#pragma once

#include <algorithm>
#include <cmath>

#include "model/loss.hpp"

namespace ritz {

struct Huber {  // C·r²/2 within ±1, C·(|r| − 1/2) beyond
  static constexpr std::string_view name = "huber";
  static constexpr LossShape shape = LossShape::none;
  double penalty = 1;
  double value(double r) const { return penalty * (std::abs(r) <= 1 ? 0.5 * r * r : std::abs(r) - 0.5); }
  double slope(double r) const { return penalty * std::clamp(r, -1.0, 1.0); }
  double curvature(double r) const { return std::abs(r) <= 1 ? penalty : 0; }
  double conjugate(double a) const { return 0.5 * a * a / penalty; }
  double conjugate_slope(double a) const { return a / penalty; }
  double conjugate_curvature() const { return 1 / penalty; }
  Interval dual_domain() const { return {-penalty, penalty}; }
};

}  // namespace ritz
