// SPDX-License-Identifier: MIT
#include "algorithms/ism/climbs/first_order.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "linalg/subspace.hpp"

namespace ritz::ism {

namespace {

constexpr double kSufficient = 1e-4, kShrink = 0.1;  // as in Wen & Yin's program
constexpr int kMostTrials = 25;                      // 1e-25 of a step is no step
constexpr double kDrift = 1e-13;                     // of WᵀW from I; then W is made orthonormal again

}  // namespace

Climb climb_along(const Curve& curve, const Setting& setting, Matrix start, int max_iterations, RunContext& context) {
  // Φ itself is formed twice, for its norm: at the start, and where the tolerance seems to be met.
  Climb climb{.W = std::move(start)};
  climb.sums = setting.sums(climb.W, context);
  double objective = climb.start_objective = climb.sums->objective;
  double norm = spectral_bounds(climb.sums->phi.view(), context).norm();
  Matrix tangent = curve.tangent(climb.W, climb.sums->phi.times(climb.W));
  Matrix best_W = climb.W;
  double best_objective = objective;
  double step_size = norm > 0 ? 1 / (2 * norm) : 1, mean = objective, weight = 1;

  const auto stationarity = [&](const Matrix& T, double size) { return size > 0 ? T.norm() / 2 / size : 0.0; };
  const auto step = [&](int iteration) -> StepReport {
    if (iteration == 1 && stationarity(tangent, norm) <= setting.options.tolerance)
      return {objective, stationarity(tangent, norm), {stationarity(tangent, norm), 0.0, 0.0}};
    const double slope = tangent.squaredNorm();
    double tau = std::min(step_size, std::numbers::pi / 2 / std::sqrt(slope));  // no further than a right angle
    Matrix W;
    PairGradient at;
    bool found = false;
    for (int trial = 0; trial < kMostTrials && !found; ++trial) {
      if (trial > 0) tau *= kShrink;
      W = curve.point(climb.W, tangent, tau);
      if (orthonormality_error(W) > kDrift) W = orthonormalise(W).basis;
      // The first trial mostly succeeds, and then its gradient is needed.
      if (trial == 0)
        at = setting.gradient(W, context);
      else
        at.objective = setting.objective(W, context);
      found = at.objective >= mean + kSufficient * tau * slope - kObjectiveRounding * std::abs(mean);
      if (found && trial > 0) at = setting.gradient(W, context);
    }
    if (!found) {
      StepReport report{objective, stationarity(tangent, norm), {stationarity(tangent, norm), 0.0, 0.0}};
      report.stalled = true;
      report.note = kNoClimb;
      return report;
    }
    const Matrix next = curve.tangent(W, at.phi_W);
    double measure = stationarity(next, norm);
    std::optional<PairSums> sums;
    if (measure <= setting.options.tolerance) {  // by the norm of an earlier Φ
      sums = setting.sums(W, context);
      norm = spectral_bounds(sums->phi.view(), context).norm();
      measure = stationarity(next, norm);
    }
    const double moved = projector_distance(W, climb.W);
    const Matrix S = W - climb.W, D = next - tangent;
    const double SD = std::abs(inner(S, D));
    // F keeps its level where a step was pure rounding: the old length is as good as any.
    if (SD > 0) step_size = iteration % 2 ? S.squaredNorm() / SD : SD / D.squaredNorm();
    const double next_weight = curve.memory * weight + 1;
    mean = (curve.memory * weight * mean + at.objective) / next_weight;
    weight = next_weight;
    climb.W = std::move(W);
    climb.sums = std::move(sums);
    tangent = next;
    objective = at.objective;
    if (objective > best_objective) {
      best_objective = objective;
      best_W = climb.W;
    }
    return {objective, measure, {measure, tau, moved}};
  };
  const StopRule stop{.tolerance = setting.options.tolerance, .max_iterations = max_iterations};
  climb.summary = iterate(step, stop, {"residual", "step", "moved"}, context, [&](Archive& archive) {
    archive(climb.W, climb.sums, objective, norm, tangent, best_W, best_objective, step_size, mean, weight,
            setting.pass);
  });
  if (climb.summary.iterations == 0) climb.summary.objective = objective;
  if (!climb.summary.converged() && best_objective > objective) {
    climb.W = std::move(best_W);
    climb.sums.reset();
    climb.summary.objective = best_objective;
  }
  return climb;
}

}  // namespace ritz::ism
