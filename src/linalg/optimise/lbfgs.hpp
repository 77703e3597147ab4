// SPDX-License-Identifier: MIT
// L-BFGS for many variables without bounds (Nocedal's two-loop recursion, weak Wolfe steps by bisection). L-BFGS-B
// spends two thirds of its time on bounds that are not there.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "ritz/base/types.hpp"

namespace ritz {

class Lbfgs {
 public:
  struct Point {
    Vector x, gradient;
    double value = 0;
  };
  explicit Lbfgs(Point start) : now_(std::move(start)) {}
  const Point& now() const { return now_; }

  // One step; `evaluate` gives the Point of an x. False: no step is downhill any more.
  template <class Evaluate>
  bool step(Evaluate&& evaluate) {
    Vector direction = -applied(now_.gradient);
    double slope = direction.dot(now_.gradient);
    if (!(slope < 0)) {
      used_ = 0;
      direction = -now_.gradient;
      slope = -now_.gradient.squaredNorm();
    }
    if (!(slope < 0)) return false;
    double length = used_ == 0 ? std::min(1.0, 0.1 * now_.x.norm() / direction.norm()) : 1.0;
    double low = 0, high = std::numeric_limits<double>::infinity();
    for (int tries = 0; tries < kMostTries; ++tries) {
      Point trial = evaluate(Vector(now_.x + length * direction));
      if (!(trial.value <= now_.value + kArmijo * length * slope)) {
        high = length;
      } else if (trial.gradient.dot(direction) < kCurvature * slope) {
        low = length;
      } else {
        remember(trial);
        return true;
      }
      length = std::isinf(high) ? 2 * low : 0.5 * (low + high);
    }
    if (used_ == 0) return false;
    used_ = 0;  // what is remembered misleads: once more from the gradient alone
    return step(std::forward<Evaluate>(evaluate));
  }

 private:
  static constexpr int kMemory = 6, kMostTries = 25;
  static constexpr double kArmijo = 1e-4, kCurvature = 0.9;

  void remember(Point& trial) {
    if (moves_.cols() == 0) {
      moves_.resize(now_.x.size(), kMemory);
      changes_.resize(now_.x.size(), kMemory);
    }
    const int at = next_ % kMemory;
    moves_.col(at) = trial.x - now_.x;
    changes_.col(at) = trial.gradient - now_.gradient;
    curvature_[at] = moves_.col(at).dot(changes_.col(at));
    if (curvature_[at] > 0) {
      ++next_;
      used_ = std::min(used_ + 1, kMemory);
    }
    now_ = std::move(trial);
  }
  Vector applied(Vector g) const {  // the inverse curvature that is remembered
    double share[kMemory];
    for (int k = 1; k <= used_; ++k) {
      const int at = (next_ - k + kMemory) % kMemory;
      share[at] = moves_.col(at).dot(g) / curvature_[at];
      g -= share[at] * changes_.col(at);
    }
    if (used_ > 0) {
      const int last = (next_ - 1 + kMemory) % kMemory;
      g *= curvature_[last] / changes_.col(last).squaredNorm();
    }
    for (int k = used_; k >= 1; --k) {
      const int at = (next_ - k + kMemory) % kMemory;
      g += (share[at] - changes_.col(at).dot(g) / curvature_[at]) * moves_.col(at);
    }
    return g;
  }

  Point now_;
  Matrix moves_, changes_;
  double curvature_[kMemory] = {};
  int used_ = 0, next_ = 0;
};

}  // namespace ritz
