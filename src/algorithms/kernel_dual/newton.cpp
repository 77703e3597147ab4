// SPDX-License-Identifier: MIT
// Projected Newton: conjugate gradients on the free variables, a projected line search on the true dual.
#include <algorithm>
#include <cmath>

#include "algorithms/kernel_dual/solvers.hpp"

namespace ritz::kernel_dual {

namespace {

constexpr int kMostProducts = 250;        // of the curvature, in one step
constexpr double kForcing = 1e-2;         // relative residual of the Newton equation
constexpr double kSufficientRise = 1e-4;  // Armijo
constexpr double kSmallestStep = 1e-10;

// Solves curvature·x = g on the free variables.
Vector newton_direction(const Dual& dual, const Evaluation& at, const Eigen::Array<bool, Eigen::Dynamic, 1>& free,
                        const RunContext& context) {
  Vector x = Vector::Zero(at.alpha.size()), r = free.select(at.gradient.array(), 0.0).matrix(), p = r;
  double square = r.squaredNorm();
  const double goal = kForcing * kForcing * square;
  for (int k = 0; k < kMostProducts && square > goal; ++k) {
    context.poll();
    const Vector image = free.select(dual.curvature(at, p, context).array(), 0.0).matrix();
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

}  // namespace

Step newton_step(Tracker& tracker, const Vector& start) {
  struct State {
    Evaluation now;
    double step = 1;
  };
  const auto state = std::make_shared<State>();
  return [&tracker, start, state](int iteration) {
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
    const Vector direction = newton_direction(dual, now, free, tracker.context());

    for (double step = std::min(1.0, 4 * state->step);; step *= 0.5) {
      const Vector alpha = (now.alpha + step * direction).cwiseMax(box.low).cwiseMin(box.high);
      Evaluation trial = tracker.evaluate(alpha);
      const double rise = now.gradient.dot(alpha - now.alpha);
      if (trial.dual_plain >= now.dual_plain + kSufficientRise * rise) {
        state->now = std::move(trial);
        state->step = step;
        break;
      }
      if (tracker.relative_gap() <= 0 || step < kSmallestStep) return tracker.stalled(numbers());
    }
    return tracker.report(numbers());
  };
}

}  // namespace ritz::kernel_dual
