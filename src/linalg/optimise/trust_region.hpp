// SPDX-License-Identifier: MIT
// One step of a trust-region Newton method: conjugate gradients on the quadratic model, ended at the border of the
// region, where the curvature is not positive, or when accurate enough (Steihaug 1983). The region is a ball in the
// norm of the preconditioner M.
#pragma once

#include <cmath>

#include "ritz/base/types.hpp"

namespace ritz {

struct TrustStep {
  Vector move;
  double promised = 0;  // by how much the model falls
  double length = 0;    // in the norm of M
  bool border = false;
};

// `apply`: v → Hv. `inverse`: v → M⁻¹v, positive semidefinite. Ends where the residual is `accuracy` times the gradient
// in the norm of M⁻¹, or after `most` products.
template <class Apply, class Inverse>
TrustStep trust_region_step(const Vector& gradient, Apply&& apply, Inverse&& inverse, double radius, double accuracy,
                            int most) {
  TrustStep step{Vector::Zero(gradient.size()), 0, 0, false};
  Vector residual = gradient, z = inverse(residual), direction = -z;
  double fit = residual.dot(z);
  const double enough = accuracy * accuracy * fit;
  double square = 0, across = 0, ahead = fit;  // ‖move‖², ⟨move, direction⟩, ‖direction‖² in the norm of M
  for (int count = 0; count < most && fit > enough && fit > 0; ++count) {
    const Vector image = apply(direction);
    const double bend = direction.dot(image), share = fit / bend;
    const bool leaves = !(bend > 0) || square + share * (2 * across + share * ahead) >= radius * radius;
    // To the border: the positive root of ‖move + t·direction‖ = radius.
    const double t =
        leaves ? (std::sqrt(across * across + ahead * (radius * radius - square)) - across) / ahead : share;
    step.promised -= t * direction.dot(residual) + 0.5 * t * t * bend;
    step.move += t * direction;
    square += t * (2 * across + t * ahead);
    residual += t * image;
    if (leaves) {
      step.border = true;
      break;
    }
    z = inverse(residual);
    const double next = residual.dot(z), ratio = next / fit;
    across = ratio * (across + t * ahead);
    ahead = next + ratio * ratio * ahead;
    direction = ratio * direction - z;
    fit = next;
  }
  step.length = std::sqrt(std::max(0.0, square));
  return step;
}

}  // namespace ritz
