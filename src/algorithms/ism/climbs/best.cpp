// SPDX-License-Identifier: MIT
// ISM for the long way, the trust region for the last one: off saddle points, and past ISM's linear convergence.
#include <fmt/format.h>

#include <cmath>

#include "algorithms/ism/parts.hpp"
#include "linalg/subspace.hpp"

namespace ritz::ism {

namespace {

constexpr int kMostSaddles = 5;
constexpr double kFirstAngle = 0.5, kSmallestAngle = 1e-4;  // along the direction of largest curvature

// A W with larger F along the unit tangent E and its opposite; nothing where F does not rise by more than rounding.
std::optional<Matrix> off_the_saddle(const Setting& setting, const Matrix& W, double F, const Matrix& E,
                                     const RunContext& context) {
  for (double angle = kFirstAngle; angle >= kSmallestAngle; angle /= 2) {
    std::optional<Matrix> found;
    double best = F + kObjectiveRounding * std::abs(F);
    for (const double t : {angle, -angle}) {
      const Matrix trial = orthonormalise(W + std::tan(t) * E).basis;
      const double trial_F = setting.objective(trial, context);
      if (trial_F > best) {
        best = trial_F;
        found = trial;
      }
    }
    if (found) return found;
  }
  return std::nullopt;
}

}  // namespace

Climb climb_best(const Setting& setting, Matrix start, RunContext& context) {
  Climb climb = climb_ism(setting, std::move(start), WhenSlow::leave, context);
  Summary& summary = climb.summary;
  const auto note = [&](const std::string& text) {
    std::string& told = summary.used["polish"];
    told += (told.empty() ? "" : "; ") + text;
  };
  // The trust region from W on; what it gained is told with the reason.
  const auto polish = [&](const Matrix& W, const std::string& reason) {
    const double before = summary.objective;
    Climb more = climb_gm(setting, W, setting.options.max_iterations - summary.iterations, context);
    const int iterations = more.summary.iterations;
    append(summary, std::move(more.summary));
    climb.W = std::move(more.W);
    climb.sums = std::move(more.sums);
    note(fmt::format("{}: the trust region gained {:.3g} % in {} iterations", reason,
                     100 * (summary.objective - before) / std::max(std::abs(before), 1e-300), iterations));
  };
  const auto ended = [&](Termination why) {
    return summary.termination == why && summary.iterations < setting.options.max_iterations;
  };
  try {
    if (ended(Termination::stalled) && summary.measure > 0)  // unknown where Φ vanishes
      polish(Matrix(climb.W),
             fmt::format("ISM left a residual of {:.1e} after {} iterations", summary.measure, summary.iterations));
    const Effort effort = setting.options.curvature;
    double& left =
        climb.products.emplace(curvature_products(setting.problem, climb.W.cols(), effort, summary.iterations));
    if (const std::string why = no_curvature(setting.problem, climb.W.cols(), effort, left); !why.empty()) {
      if (climb.W.cols() < climb.W.rows() && effort == Effort::never)
        note(fmt::format("a saddle point would not be noticed: the curvature is {}", why));
      return climb;
    }
    for (int k = 0; k < kMostSaddles && ended(Termination::converged); ++k) {
      const TangentHessian hessian(setting.problem, setting.pass, climb.sums->phi, climb.W);
      const TangentHessian::Top top = hessian.largest(left, context);
      const double norm = spectral_bounds(climb.sums->phi.view(), context).norm();
      climb.curvature = top.value;
      if (top.value <= setting.options.tolerance * norm) break;
      const auto higher = off_the_saddle(setting, climb.W, climb.sums->objective, top.direction, context);
      if (!higher) break;
      climb.curvature.reset();
      polish(*higher, fmt::format("ISM ended at a saddle point (curvature {:.3g})", top.value));
    }
  } catch (const Error& error) {  // the second order is an extra: W stays
    note(fmt::format("a saddle point would not be noticed: {}", error.what()));
  } catch (const Interrupted& interrupted) {  // outside the loops, between them: W is the last one reached
    summary.notes.push_back(fmt::format("{} before the result was polished", interrupted.text()));
    summary.termination = termination_of(interrupted);
    summary.message = interrupted.text();
  }
  return climb;
}

}  // namespace ritz::ism
