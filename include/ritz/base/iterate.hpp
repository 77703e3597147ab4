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

#include "ritz/base/checkpoint.hpp"
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

void keep(Archive& archive, Trace& trace);
void keep(Archive& archive, Summary& summary);

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

// What a loop without a state has to keep: nothing. After a kill it begins anew.
struct NoState {};

namespace detail {

// Of the driver itself, from one step to the next.
struct LoopState {
  Summary summary;
  double best = std::numeric_limits<double>::infinity(), seconds = 0;
  int since_best = 0;
  bool ended = false;
  void keep(Archive& archive) { archive(summary, best, seconds, since_best, ended); }
};

}  // namespace detail

// Calls step(1), step(2), … until one of the stop rules holds. A step that throws Interrupted (Ctrl-C or the time limit
// inside a sweep) is as if it had not begun: the algorithm's state is that of the last completed step.
//
// state(archive) lists what the algorithm carries from step to step, for context.checkpoint: where an earlier run kept
// it, the loop goes on from there. It must list all of it, or else the bits differ.
template <IterationStep Step, class State = NoState>
Summary iterate(Step&& step, const StopRule& stop, std::vector<std::string> extra_names, RunContext& context,
                State&& state = {}) {
  using Clock = std::chrono::steady_clock;
  constexpr bool kKeeps = !std::is_same_v<std::remove_cvref_t<State>, NoState>;
  auto start = Clock::now();
  const auto outer_deadline = context.deadline;
  if (std::isfinite(stop.max_seconds)) {
    const auto limit = start + std::chrono::duration_cast<Clock::duration>(
                                   std::chrono::duration<double>(std::min(stop.max_seconds, 1e9)));
    context.deadline = std::min(context.deadline, limit);
  }
  Checkpoint::Scope scope(context, context.path,
                          kKeeps ? Checkpoint::Scope::Inside::recorded : Checkpoint::Scope::Inside::hidden);
  detail::LoopState loop;
  Summary& summary = loop.summary;
  summary.trace.columns = {"iteration", "objective", "measure", "seconds"};
  std::ranges::move(extra_names, std::back_inserter(summary.trace.columns));
  const auto keep = [&] {
    if constexpr (kKeeps) {
      Archive archive;
      loop.seconds = std::chrono::duration<double>(Clock::now() - start).count();
      archive(loop);
      state(archive);
      scope.keep(archive.take());
    }
  };
  const auto end = [&](Termination why, std::string message) {
    context.deadline = outer_deadline;
    summary.termination = why;
    summary.message = std::move(message);
    loop.ended = true;
    if (why == Termination::interrupted || why == Termination::time_limit || why == Termination::stopped_by_observer)
      scope.disturbed();
    else if (scope.active())
      keep();
    return std::move(summary);
  };

  if constexpr (kKeeps)
    if (const std::string* earlier = scope.earlier()) {
      Archive archive(*earlier);
      archive(loop);
      state(archive);
      scope.took(summary.iterations);
      start -= std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(loop.seconds));
      if (loop.ended) {
        context.deadline = outer_deadline;
        return std::move(summary);
      }
    }
  for (int k = summary.iterations + 1; k <= stop.max_iterations; ++k) {
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
    loop.since_best = report.measure < loop.best ? 0 : loop.since_best + 1;
    loop.best = std::min(loop.best, report.measure);
    if (stop.patience > 0 && loop.since_best >= stop.patience)
      return end(Termination::stalled, "no better measure for " + std::to_string(stop.patience) + " iterations");
    if (scope.due()) keep();
  }
  return end(Termination::max_iterations, "the iteration limit is reached");
}

}  // namespace ritz
