// SPDX-License-Identifier: MIT
// The loop driver: it owns time, trace, observer and stopping; an algorithm owns one function, its step.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <concepts>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "ritz/base/context.hpp"
#include "ritz/base/text.hpp"
#include "ritz/base/types.hpp"

namespace ritz {

enum class Termination {
  converged,
  stalled,
  max_iterations,
  time_limit,
  stopped_by_observer,
  interrupted,
  numerical_failure
};
constexpr auto names_of(Termination) {
  return std::array{"converged",           "stalled",     "max_iterations",   "time_limit",
                    "stopped_by_observer", "interrupted", "numerical_failure"};
}
Termination termination_of(const Interrupted& interrupted);
// The way back, for who has no use for what an interrupted part left: throws Interrupted for interrupted and
// time_limit.
void throw_if_interrupted(Termination why);

struct StopRule {
  double tolerance = 1e-6;  // converged when measure <= tolerance
  int max_iterations = 100;
  double max_seconds = std::numeric_limits<double>::infinity();
  int patience = 0;  // stalled after this many iterations without a better measure; 0: never
};

struct StepReport {
  double objective = kUnknown;
  double measure = kUnknown;
  std::vector<double> extra;  // one number for each name the algorithm declared
  bool stalled = false;       // the step could not improve and says so; `note` gives the reason
  bool finished = false;      // nothing is left to do, whatever the measure: converged, and `note` says why
  std::string note;
};

struct Trace {  // one row an iteration: CSV, JSON or a data frame without further thought
  std::vector<std::string> columns;
  std::vector<double> values;  // row-major
  std::size_t rows() const { return columns.empty() ? 0 : values.size() / columns.size(); }
  double at(std::size_t row, std::size_t column) const { return values[row * columns.size() + column]; }
};

struct Summary {
  Termination termination = Termination::max_iterations;
  std::string message;
  int iterations = 0;
  double objective = kUnknown;
  double measure = kUnknown;
  Trace trace;
  std::map<std::string, double> seconds;    // by phase: "pairs", "eigen", "update"
  std::map<std::string, std::string> used;  // chosen on the way: "eigen" -> "gram: r = 5 < n = 900"
  std::vector<std::string> notes;           // what the user should know: a constant column, a floored bandwidth
  bool usable() const { return termination != Termination::numerical_failure; }
  bool converged() const { return termination == Termination::converged; }
};

// Adds the time between its construction and its end to one phase of a Summary.
class PhaseTimer {
 public:
  PhaseTimer(std::map<std::string, double>& seconds, std::string phase)
      : seconds_(seconds), phase_(std::move(phase)), start_(std::chrono::steady_clock::now()) {}
  PhaseTimer(const PhaseTimer&) = delete;
  PhaseTimer& operator=(const PhaseTimer&) = delete;
  ~PhaseTimer() {
    seconds_[phase_] += std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::map<std::string, double>& seconds_;
  std::string phase_;
  std::chrono::steady_clock::time_point start_;
};

template <class Step>
concept IterationStep = requires(Step& step, int iteration) {
  { step(iteration) } -> std::same_as<StepReport>;
};

// Calls step(1), step(2), … until one of the stop rules holds. A step that throws Interrupted (Ctrl-C or the time limit
// inside a sweep) is as if it had not begun: the algorithm's state is that of the last completed step.
template <IterationStep Step>
Summary iterate(Step&& step, const StopRule& stop, std::vector<std::string> extra_names, RunContext& context) {
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  const auto outer_deadline = context.deadline;
  if (std::isfinite(stop.max_seconds)) {
    const auto limit = start + std::chrono::duration_cast<Clock::duration>(
                                   std::chrono::duration<double>(std::min(stop.max_seconds, 1e9)));
    context.deadline = std::min(context.deadline, limit);
  }
  Summary summary;
  summary.trace.columns = {"iteration", "objective", "measure", "seconds"};
  std::ranges::move(extra_names, std::back_inserter(summary.trace.columns));
  const auto end = [&](Termination why, std::string message) {
    context.deadline = outer_deadline;
    summary.termination = why;
    summary.message = std::move(message);
    return std::move(summary);
  };

  double best = std::numeric_limits<double>::infinity();
  int since_best = 0;
  for (int k = 1; k <= stop.max_iterations; ++k) {
    StepReport report;
    try {
      if (context.world && k > 1) context.agree();
      report = step(k);
    } catch (const Interrupted& interrupted) {
      const Termination why = termination_of(interrupted);
      return end(why, why == Termination::interrupted
                          ? "interrupted; the result of the last completed iteration is kept"
                          : std::string(interrupted.text()));
    } catch (...) {
      context.deadline = outer_deadline;
      throw;
    }
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    summary.iterations = k;
    summary.objective = report.objective;
    summary.measure = report.measure;
    auto& values = summary.trace.values;
    values.insert(values.end(), {double(k), report.objective, report.measure, seconds});
    values.insert(values.end(), report.extra.begin(), report.extra.end());

    if (!std::isfinite(report.objective)) return end(Termination::numerical_failure, "the objective is not finite");
    if (context.observer &&
        context.observer({context.path, k, report.objective, report.measure, seconds}) == Next::stop)
      return end(Termination::stopped_by_observer, "the observer asked to stop");
    if (report.measure <= stop.tolerance) return end(Termination::converged, "the measure is within the tolerance");
    if (report.finished) return end(Termination::converged, report.note);
    if (report.stalled) return end(Termination::stalled, report.note);
    if (seconds > stop.max_seconds && !context.world) return end(Termination::time_limit, "the time limit is reached");
    since_best = report.measure < best ? 0 : since_best + 1;
    best = std::min(best, report.measure);
    if (stop.patience > 0 && since_best >= stop.patience)
      return end(Termination::stalled, "no better measure for " + std::to_string(stop.patience) + " iterations");
  }
  return end(Termination::max_iterations, "the iteration limit is reached");
}

}  // namespace ritz
