// SPDX-License-Identifier: MIT
// What the solvers of the dual share: the box of α, the best values seen, and the error an evaluation may have.
#pragma once

#include <functional>
#include <limits>
#include <memory>
#include <optional>

#include "algorithms/kernel_dual.hpp"

namespace ritz::kernel_dual {

Interval dual_box(const Problem& problem);
SymFactor kernel_of(const Evaluation& at, double power);  // power = q − 1

// Evaluates, and remembers the best of both sides.
class Tracker {
 public:
  Tracker(Dual& dual, const Options& options, const RunContext& context)
      : dual_(dual), options_(options), context_(context) {}
  Evaluation evaluate(const Vector& alpha);
  const Evaluation& best() const { return *best_; }
  bool any() const { return best_.has_value(); }
  double gap() const { return primal_ - best_->dual; }
  double relative_gap() const;
  bool slack() const;  // the budget does not bind
  StepReport report(std::vector<double> extra = {}) const;
  StepReport stalled(std::vector<double> extra) const;
  void finish(Result& result);
  Dual& dual() { return dual_; }
  void keep(Archive& archive) { archive(dual_, best_, primal_, kernel_, dual_sure_, primal_sure_); }
  const RunContext& context() const { return context_; }

 private:
  void note(const Evaluation& at);
  bool certified(const RunContext& context);
  Dual& dual_;
  const Options& options_;
  const RunContext& context_;
  std::optional<Evaluation> best_;
  double primal_ = std::numeric_limits<double>::infinity();
  std::optional<Evaluation> kernel_;              // of the smallest primal value
  bool dual_sure_ = false, primal_sure_ = false;  // nothing is missing that the value depends on
};

struct Step {
  std::function<StepReport(int)> go;
  std::function<void(Archive&)> keep;  // what it carries beside the tracker
  StepReport operator()(int iteration) const { return go(iteration); }
};
// Each returns the step of its loop; `start` is inside the box.
// `first_damping` is added to the curvature in the first step.
Step newton_step(Tracker& tracker, const Vector& start, double first_damping);
Step lbfgsb_step(Tracker& tracker, const Vector& start);
Step gradient_step(Tracker& tracker, const Vector& start);

// An interrupt that came before the first kernel goes through: there is nothing to keep.
void require_any(bool any, const Summary& summary);

// p = 1: a trace budget, where the dual has corners.
Result solve_trace(const Problem& problem, const Options& options, RunContext& context);

}  // namespace ritz::kernel_dual
