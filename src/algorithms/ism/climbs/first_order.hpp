// SPDX-License-Identifier: MIT
// Gradient ascent along curves of orthonormal W: what dimension growth and the Stiefel search have in common.
#pragma once

#include <functional>
#include <string>

#include "algorithms/ism/parts.hpp"

namespace ritz::ism {

struct Curve {
  // The gradient of F that the curve follows, from W and ΦW (half the plain gradient).
  std::function<Matrix(const Matrix& W, const Matrix& phi_W)> tangent;
  // The point at step τ of the curve that leaves W in the direction of a tangent.
  std::function<Matrix(const Matrix& W, const Matrix& tangent, double step)> point;
  // Zhang & Hager's weight of the past in the value that F must exceed: 0 never lets F fall.
  double memory = 0;
};

// Barzilai–Borwein steps, alternating between the two formulas, shortened until
// F(W(τ)) >= C + 1e-4·τ·‖T‖², C the running mean of F with `memory`. Converged when ½‖T‖_F <= tolerance · ‖Φ(W)‖₂.
Climb climb_along(const Curve& curve, const Setting& setting, Matrix start, int max_iterations, RunContext& context);

}  // namespace ritz::ism
