// SPDX-License-Identifier: MIT
// Projected Newton: conjugate gradients on the free variables, damped (Levenberg–Marquardt) by how well the quadratic
// model foretold the dual's rise. The model does not know the eigenvalues that are about to turn positive, so far from
// the optimum full steps overshoot.
#include <algorithm>
#include <cmath>

#include "algorithms/kernel_dual/solvers.hpp"

namespace ritz::kernel_dual {

namespace {

constexpr int kMostProducts = 250;        // of the curvature, in one step
constexpr double kForcing = 1e-2;         // relative residual of the Newton equation
constexpr double kSufficientRise = 1e-4;  // Armijo
constexpr int kMostTries = 40;
constexpr double kGood = 0.6, kPoor = 0.2;  // gain against the model's: less damping, or more

// Solves curvature·x = g on the free variables.
Vector newton_direction(const Dual& dual, const Evaluation& at, const Eigen::Array<bool, Eigen::Dynamic, 1>& free,
                        double damping, const RunContext& context) {
  Vector x = Vector::Zero(at.alpha.size()), r = free.select(at.gradient.array(), 0.0).matrix(), p = r;
  double square = r.squaredNorm();
  const double goal = kForcing * kForcing * square;
  for (int k = 0; k < kMostProducts && square > goal; ++k) {
    context.agree();
    const Vector image = free.select((dual.curvature(at, p, context) + damping * p).array(), 0.0).matrix();
    const double bend = p.dot(image);
    if (!(bend > 0)) break;  // flat to rounding: what has been found so far is a good direction
    const double step = square / bend;
    x += step * p;
    r -= step * image;
    const double next = r.squaredNorm();
    p = r + (next / square) * p;
    square = next;
  }
  return x.isZero(0) ? r : x;
}

// Where the loss bends, a small part of its curvature; else of the largest there can be.
double least_damping(Tracker& tracker) {
  const Problem& problem = tracker.dual().problem();
  const double bend = std::visit([](const auto& each) { return each.conjugate_curvature(); }, problem.loss);
  return bend > 0 ? 3e-3 * problem.weight * bend : 1e-7 * tracker.dual().lipschitz(tracker.context());
}

}  // namespace

Step newton_step(Tracker& tracker, const Vector& start, double first_damping) {
  struct State {
    Evaluation now;
    double damping;
    double least;  // damping below it is none
  };
  const auto state = std::make_shared<State>(State{{}, first_damping, least_damping(tracker)});
  const auto step = [&tracker, start, state](int iteration) {
    Dual& dual = tracker.dual();
    const auto numbers = [&] {
      return std::vector<double>{double(dual.evaluations()), double(state->now.spectrum.count)};
    };
    if (iteration == 1) {
      state->now = tracker.evaluate(start);
      return tracker.report(numbers());
    }
    const Evaluation& now = state->now;
    const Interval box = dual_box(dual.problem());
    const auto free = !((now.alpha.array() <= box.low && now.gradient.array() < 0) ||
                        (now.alpha.array() >= box.high && now.gradient.array() > 0));
    for (int tries = 0; tries < kMostTries; ++tries) {
      const Vector direction = newton_direction(dual, now, free, state->damping, tracker.context());
      const Vector alpha = (now.alpha + direction).cwiseMax(box.low).cwiseMin(box.high);
      const Vector move = alpha - now.alpha;
      Evaluation trial = tracker.evaluate(alpha);
      const double rise = now.gradient.dot(move);
      const double gained = trial.dual_plain - now.dual_plain;
      const double model = rise - 0.5 * move.dot(dual.curvature(now, move, tracker.context()));
      const bool accepted = gained >= kSufficientRise * rise;
      const double quality = model > 0 ? gained / model : 0;
      if (quality > kGood) state->damping = state->damping > state->least ? state->damping / 3 : 0.0;
      if (quality < kPoor) state->damping = std::max(3 * state->damping, 100 * state->least);
      if (accepted) {
        state->now = std::move(trial);
        return tracker.report(numbers());
      }
      if (tracker.relative_gap() <= 0) break;
    }
    return tracker.stalled(numbers());
  };
  return {step, [state](Archive& archive) { archive(state->now, state->damping); }};
}

}  // namespace ritz::kernel_dual
