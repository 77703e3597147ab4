// SPDX-License-Identifier: MIT
// L-BFGS for many variables without bounds (Nocedal's two-loop recursion, weak Wolfe steps by bisection). L-BFGS-B
// spends two thirds of its time on bounds that are not there. Where a rough inverse of the curvature is known, it takes
// the place of the identity in the middle of the recursion.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>

#include "ritz/base/checkpoint.hpp"
#include "ritz/base/types.hpp"

namespace ritz {

class Lbfgs {
 public:
  struct Point {
    Vector x, gradient;
    double value = 0;
  };
  // Symmetric and positive semidefinite, up to a factor; empty: the identity.
  using Inverse = std::function<Vector(const Vector&)>;
  explicit Lbfgs(Point start, Inverse inverse = {}, int memory = 6)
      : now_(std::move(start)), inverse_(std::move(inverse)), memory_(memory), curvature_(memory) {}
  const Point& now() const { return now_; }
  void keep(Archive& archive) {
    archive(now_.x, now_.gradient, now_.value, moves_, changes_, curvature_, scale_, used_, next_);
  }

  // One step; `evaluate` gives the Point of an x. False: no step is downhill any more.
  template <class Evaluate>
  bool step(Evaluate&& evaluate) {
    Vector direction = -applied(now_.gradient);
    double slope = direction.dot(now_.gradient);
    if (!(slope < 0)) {
      used_ = 0;
      direction = -roughly(now_.gradient);
      slope = direction.dot(now_.gradient);
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
  static constexpr int kMostTries = 25, kStepsOfScale = 5;
  static constexpr double kArmijo = 1e-4, kCurvature = 0.9;

  Vector roughly(const Vector& g) const { return inverse_ ? inverse_(g) : g; }
  void remember(Point& trial) {
    if (moves_.cols() == 0) {
      moves_.resize(now_.x.size(), memory_);
      changes_.resize(now_.x.size(), memory_);
    }
    const int at = next_ % memory_;
    moves_.col(at) = trial.x - now_.x;
    changes_.col(at) = trial.gradient - now_.gradient;
    curvature_(at) = moves_.col(at).dot(changes_.col(at));
    if (curvature_(at) > 0) {
      // A rough inverse costs as much as a gradient, and its factor changes little from step to step.
      if (!inverse_ || next_ % kStepsOfScale == 0)
        scale_ = curvature_(at) / changes_.col(at).dot(roughly(changes_.col(at)));
      ++next_;
      used_ = std::min(used_ + 1, memory_);
    }
    now_ = std::move(trial);
  }
  Vector applied(Vector g) const {  // the inverse curvature that is remembered
    Vector share(memory_);
    for (int k = 1; k <= used_; ++k) {
      const int at = (next_ - k + memory_) % memory_;
      share(at) = moves_.col(at).dot(g) / curvature_(at);
      g -= share(at) * changes_.col(at);
    }
    g = roughly(g);
    if (used_ > 0) g *= scale_;
    for (int k = used_; k >= 1; --k) {
      const int at = (next_ - k + memory_) % memory_;
      g += (share(at) - changes_.col(at).dot(g) / curvature_(at)) * moves_.col(at);
    }
    return g;
  }

  Point now_;
  Matrix moves_, changes_;
  Inverse inverse_;
  int memory_;
  Vector curvature_;
  double scale_ = 1;
  int used_ = 0, next_ = 0;
};

}  // namespace ritz
