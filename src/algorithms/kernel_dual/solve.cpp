// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "algorithms/kernel_dual/solvers.hpp"
#include "ritz/base/error.hpp"

namespace ritz::kernel_dual {

namespace {

constexpr Index kSmall = 600;         // a full spectrum is cheap: start where most pairs count
constexpr double kFirstAlpha = 0.01;  // … and above where few eigenvalues are positive yet (docs/algorithms/kernel.md)
constexpr double kFirstDamping = 0.1;  // of the largest possible curvature
constexpr double kShareOfGap = 2e-3;   // of the gap that an inexact spectrum may blur
constexpr double kShareOfTolerance = 0.02;
constexpr int kMostLooks = 5;    // with wider blocks, before a gap is believed
constexpr double kSlack = 1e-6;  // part of the dual value that a binding budget exceeds

Solver chosen(const Problem& problem, Solver asked) {
  const double p = problem.capacity.power;
  if (asked == Solver::newton && p > 2)
    throw Error(ErrorCode::bad_option,
                fmt::format("solver newton needs a power of at most 2, and it is {}; solver lbfgsb takes any", p));
  if (asked == Solver::gradient && p != 2)
    throw Error(ErrorCode::bad_option,
                fmt::format("solver gradient needs the power 2, and it is {}: its step is known for no other", p));
  if (asked == Solver::gradient && problem.capacity.form == Capacity::Form::budget)
    throw Error(ErrorCode::bad_option,
                "solver gradient needs a ridge: with a budget the gradient has no Lipschitz constant");
  if (problem.targets.size() == 0) return Solver::newton;  // one evaluation; L-BFGS-B takes no empty α
  if (asked != Solver::automatic) return asked;
  return p <= 2 ? Solver::newton : Solver::lbfgsb;
}

Vector first_alpha(const Problem& problem) {
  const Interval box = dual_box(problem);
  const double penalty = std::visit([](const auto& each) { return each.penalty; }, problem.loss);
  const bool ridge = problem.capacity.form == Capacity::Form::ridge;
  if (std::isinf(box.low)) return Vector::Zero(problem.measurements.count());  // distances: no force at all
  double value = penalty;
  if (box.low < box.high && ridge && problem.base.size() > kSmall) value = kFirstAlpha * penalty;
  return Vector::Constant(problem.measurements.count(), std::clamp(value, box.low, box.high));
}

}  // namespace

Interval dual_box(const Problem& problem) {
  return std::visit([](const auto& each) { return each.dual_domain(); }, problem.loss);
}

SymFactor kernel_of(const Evaluation& at, double power) {
  const Index r = at.spectrum.side == Side::positive && at.scale > 0 ? at.spectrum.count : 0;
  SymFactor kernel;
  kernel.basis = at.spectrum.vectors.leftCols(r);
  kernel.weights = at.scale * at.spectrum.values.head(r).array().pow(power);
  return kernel;
}

Evaluation Tracker::evaluate(const Vector& alpha) {
  const double size = any() ? std::max(std::abs(primal_), std::abs(best_->dual)) : 1.0;
  const double allowed = any() ? std::max(kShareOfTolerance * options_.tolerance * size, kShareOfGap * gap())
                               : 1e-4 * dual_.problem().weight * alpha.cwiseAbs().sum();
  Evaluation at = dual_.evaluate(alpha, allowed, context_);
  note(at);
  for (int tries = 0; tries < kMostLooks && relative_gap() <= options_.tolerance && !certified(context_); ++tries) {
    dual_.widen(context_);
    Evaluation again = dual_.evaluate(dual_sure_ ? kernel_->alpha : best_->alpha, allowed, context_);
    if (again.alpha == alpha) at = again;
    if (!dual_sure_) best_.reset();
    if (!primal_sure_) primal_ = std::numeric_limits<double>::infinity();
    note(again);
  }
  return at;
}

// A positive eigenvalue that was missed would lower the dual value; a negative one would leave a kernel, which is
// c·(A + N) then, that is not positive semidefinite. The other value holds whatever was missed.
void Tracker::note(const Evaluation& at) {
  if (at.primal < primal_) {
    primal_ = at.primal;
    kernel_ = at;
    primal_sure_ = at.spectrum.exact || at.spectrum.side == Side::positive;
  }
  if (!best_ || at.dual > best_->dual) {
    best_ = at;
    dual_sure_ = at.spectrum.exact || at.spectrum.side == Side::negative;
  }
}

bool Tracker::certified(const RunContext& context) {
  const auto look = [&](Evaluation& at) {
    dual_.set_matrix(at.alpha, context);
    const double missing = dual_.missing(at, context);
    const bool little =
        missing <= kShareOfTolerance * options_.tolerance * std::max(std::abs(primal_), std::abs(at.dual));
    if (little) at.dual -= missing;
    return little;
  };
  if (!dual_sure_) dual_sure_ = look(*best_);
  if (!primal_sure_) primal_sure_ = look(*kernel_);
  return dual_sure_ && primal_sure_;
}

double Tracker::relative_gap() const {
  const double size = std::max(std::abs(primal_), std::abs(best_->dual));
  return size > 0 ? std::max(0.0, gap()) / size : 0.0;
}

// With a budget that does not bind, the optimum has A₊ = 0: the dual is found, but K cannot be read off it.
bool Tracker::slack() const {
  const Capacity& capacity = dual_.problem().capacity;
  if (capacity.form == Capacity::Form::ridge || best_->power_sum <= 0 || relative_gap() <= options_.tolerance)
    return false;
  const double p = capacity.power;
  const double support = std::pow(capacity.value, 1 / p) * std::pow(best_->power_sum, 1 - 1 / p);
  return support < kSlack * std::abs(best_->dual);
}

StepReport Tracker::report(std::vector<double> extra) const {
  StepReport report;
  if (slack()) {
    report.stalled = true;
    report.note = fmt::format(
        "the budget B = {} does not bind: the kernel cannot be read off the dual; lower kernel_dual.budget or use "
        "kernel_dual.ridge",
        dual_.problem().capacity.value);
  }
  report.objective = primal_;
  report.measure = relative_gap();
  report.extra = std::move(extra);
  return report;
}

StepReport Tracker::stalled(std::vector<double> extra) const {
  StepReport last = report(std::move(extra));
  last.stalled = true;
  if (last.note.empty()) last.note = "no step raises the dual any more";
  return last;
}

void Tracker::finish(Result& result) {
  const double p = dual_.problem().capacity.power;
  result.complete = certified(context_.uninterrupted());
  if (!result.complete)
    result.summary.notes.push_back(
        fmt::format("the spectrum was not found completely: the duality gap is an estimate"));
  result.best = *best_;
  result.from = kernel_ ? *kernel_ : *best_;
  result.primal = primal_;
  result.dual = best_->dual;
  result.gap = gap();
  result.relative_gap = relative_gap();
  result.kernel = kernel_of(result.from, 1 / (p - 1));
  result.eigenvalues = result.from.spectrum.values.head(result.kernel.weights.size());
  result.evaluations = dual_.evaluations();
}

void require_any(bool any, const Summary& summary) {
  if (any) return;
  throw_if_interrupted(summary.termination);
  throw Interrupted{Interrupted::Why::cancelled};  // by the observer, before there was anything
}

void keep(Archive& archive, Result& result) {
  auto& [best, from, primal, dual, gap, relative_gap, kernel, eigenvalues, matrix, complete, evaluations, summary] =
      result;
  archive(best, from, primal, dual, gap, relative_gap, kernel, eigenvalues, matrix, complete, evaluations, summary);
}

namespace {

Result solve_dual(const Problem& problem, const Options& options, RunContext& context,
                  const std::optional<Vector>& start);

}  // namespace

Result solve(const Problem& problem, const Options& options, RunContext& context, const std::optional<Vector>& start) {
  return stage(context, "dual", [&] { return solve_dual(problem, options, context, start); });
}

namespace {

Result solve_dual(const Problem& problem, const Options& options, RunContext& context,
                  const std::optional<Vector>& start) {
  ritz::check(options);
  check(problem);
  if (problem.capacity.form == Capacity::Form::none)
    throw Error(ErrorCode::bad_option, "the dual needs a ridge or a budget");
  if (options.solver == Solver::csdp)
    throw Error(ErrorCode::bad_option, "kernel_dual.solver is csdp, which does not solve the dual: ask solve_by_csdp");
  if (problem.capacity.power == 1 && problem.within.cols() > 0)
    throw Error(ErrorCode::bad_option, "a low rank needs a power above 1");
  if (problem.capacity.power == 1) return solve_trace(problem, options, context);
  const Solver solver = chosen(problem, options.solver);
  Dual dual(problem, context);
  Tracker tracker(dual, options, context);
  const Interval box = dual_box(problem);
  Vector alpha = start ? *start : first_alpha(problem);
  for (double& value : alpha) value = std::clamp(value, box.low, box.high);

  // From few positive eigenvalues the first full steps overshoot to many, which costs more than it gains.
  const bool far = !start && alpha.size() > 0 && problem.base.size() > kSmall && alpha(0) != 0 && box.low == 0;
  const Step step = solver == Solver::newton
                        ? newton_step(tracker, alpha, far ? kFirstDamping * dual.lipschitz(context) : 0.0)
                    : solver == Solver::gradient ? gradient_step(tracker, alpha)
                                                 : lbfgsb_step(tracker, alpha);
  StopRule stop;
  stop.tolerance = options.tolerance;
  stop.max_iterations = options.max_iterations;
  Result result;
  const auto keeping = [&](const Step& by) {
    return [&tracker, &by](Archive& archive) {
      archive(tracker);
      by.keep(archive);
    };
  };
  result.summary = iterate(step, stop, {"evaluations", "positive"}, context, keeping(step));
  // Corners of the dual can stop Newton; quasi-Newton steps then still gain.
  const bool again = solver == Solver::newton && options.solver == Solver::automatic && !tracker.slack() &&
                     result.summary.termination == Termination::stalled;
  if (again) {
    stop.max_iterations = std::max(1, options.max_iterations - result.summary.iterations);
    Summary first = std::move(result.summary);
    const Step last = lbfgsb_step(tracker, tracker.best().alpha);
    result.summary = iterate(last, stop, {"evaluations", "positive"}, context, keeping(last));
    result.summary.iterations += first.iterations;
    first.trace.values.insert(first.trace.values.end(), result.summary.trace.values.begin(),
                              result.summary.trace.values.end());
    result.summary.trace = std::move(first.trace);
  }
  require_any(tracker.any(), result.summary);
  tracker.finish(result);
  dual.set_matrix(result.from.alpha, context.uninterrupted());
  result.matrix = dual.matrix();
  result.summary.objective = result.primal;
  result.summary.used["solver"] = TextForm<Solver>::print(solver) + (again ? ", then lbfgsb" : "");
  result.summary.used["spectrum"] =
      result.best.spectrum.method +
      (result.best.spectrum.side == Side::positive ? ", positive side" : ", negative side");
  return result;
}

}  // namespace

}  // namespace ritz::kernel_dual
