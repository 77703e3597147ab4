// SPDX-License-Identifier: MIT
// NILE-Pro (the paper's Algorithm 2): min ‖A(ΨᵀΨ) − w‖_∞ by ADMM, q = A(ΨᵀΨ). The multiplier ω is scaled, so that its
// step is the residual, without the printed β; the step length of Ψ is found by backtracking.

#include "algorithms/isometry/parts.hpp"
#include "linalg/projections.hpp"

namespace ritz::isometry {

namespace {

constexpr double kArmijo = 1e-4;
constexpr double kEnlarge = 1.5;  // of the step that succeeded
constexpr int kMostHalvings = 40;
constexpr int kNilePatience = 250;  // steps without a tenth less excess over δ

}  // namespace

Attempt nile_attempt(const WorkingSet& set, const Matrix& start, double delta, const Options& options,
                     const RunContext& context) {
  const Vector& target = set.target();
  // ‖·‖_∞ against a sum over S pairs: the radius 1/β of its prox's ℓ1 ball, about what a handful of pairs exceed δ by.
  const double radius = options.beta > 0 ? 1 / options.beta : 4 * delta;
  Matrix psi = start;
  Vector image = set.measured(psi, context), multiplier = Vector::Zero(set.size());
  double length = options.eta;
  BestOfSteps best(delta, kNilePatience);
  for (int k = 0; k < options.steps(); ++k) {
    context.agree();
    if (best.ends(psi, (image - target).cwiseAbs().maxCoeff())) break;
    const Vector tau = image - multiplier - target;
    const Vector q = target + tau - project_l1_ball(tau, radius);
    // One gradient step on ½‖A(ΨᵀΨ) − q − ω‖².
    Vector residual = image - q - multiplier;
    const double value = 0.5 * residual.squaredNorm();
    const Matrix slope = 2 * set.adjoint_times(residual, Matrix(psi.transpose()), context).transpose();
    const double squared = slope.squaredNorm();
    for (int halving = 0; halving < kMostHalvings && squared > 0; ++halving) {
      const Matrix next = psi - length * slope;
      const Vector there = set.measured(next, context);
      if (0.5 * (there - q - multiplier).squaredNorm() <= value - kArmijo * length * squared) {
        psi = next;
        image = there;
        length *= kEnlarge;
        break;
      }
      length *= 0.5;
    }
    multiplier -= image - q;
  }
  return best.take();
}

}  // namespace ritz::isometry
