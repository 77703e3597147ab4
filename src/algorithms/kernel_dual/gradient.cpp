// SPDX-License-Identifier: MIT
// The paper's projected gradient, with the true Lipschitz constant for its step: kept as the documented baseline.
#include "algorithms/kernel_dual/solvers.hpp"

namespace ritz::kernel_dual {

Step gradient_step(Tracker& tracker, const Vector& start) {
  struct State {
    Evaluation now;
    double step = 0;
  };
  const auto state = std::make_shared<State>();
  const auto step = [&tracker, start, state](int iteration) {
    Dual& dual = tracker.dual();
    if (iteration == 1) {
      state->step = 1 / dual.lipschitz(tracker.context());
      state->now = tracker.evaluate(start);
    } else {
      const Interval box = dual_box(dual.problem());
      state->now =
          tracker.evaluate((state->now.alpha + state->step * state->now.gradient).cwiseMax(box.low).cwiseMin(box.high));
    }
    return tracker.report({double(dual.evaluations()), double(state->now.spectrum.count)});
  };
  return {step, [state](Archive& archive) { archive(state->now, state->step); }};
}

}  // namespace ritz::kernel_dual
