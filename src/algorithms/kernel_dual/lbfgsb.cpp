// SPDX-License-Identifier: MIT
// The dual by L-BFGS-B: one evaluation a step.
#include "linalg/optimise/lbfgsb.hpp"

#include "algorithms/kernel_dual/solvers.hpp"

namespace ritz::kernel_dual {

Step lbfgsb_step(Tracker& tracker, const Vector& start) {
  const Interval box = dual_box(tracker.dual().problem());
  const auto search = std::make_shared<BoundedLbfgs>(start, box.low, box.high);
  const auto positive = std::make_shared<Index>(0);
  const auto step = [&tracker, search, positive](int) {
    const auto numbers = [&] { return std::vector<double>{double(tracker.dual().evaluations()), double(*positive)}; };
    const std::optional<Vector> alpha = search->wanted();
    if (!alpha) return tracker.stalled(numbers());
    const Evaluation at = tracker.evaluate(*alpha);
    *positive = at.spectrum.count;
    search->tell(-at.dual_plain, -at.gradient);
    return tracker.report(numbers());
  };
  return {step, [search, positive](Archive& archive) { archive(*search, *positive); }};
}

}  // namespace ritz::kernel_dual
