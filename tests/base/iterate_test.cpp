// SPDX-License-Identifier: MIT
#include "ritz/base/iterate.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <set>
#include <stdexcept>
#include <thread>

using namespace ritz;

namespace {

// Halves its measure in every step.
StepReport halving(int iteration) {
  return {.objective = double(iteration), .measure = std::ldexp(1.0, -iteration), .extra = {}, .note = {}};
}

Summary run(const auto& step, const StopRule& stop) {
  RunContext context;
  return iterate(step, stop, {}, context);
}

}  // namespace

TEST_CASE("a loop ends when its measure is within the tolerance") {
  const Summary summary = run(halving, {.tolerance = 0.25});

  CHECK(summary.termination == Termination::converged);
  CHECK(summary.converged());
  CHECK(summary.iterations == 2);  // 2⁻² <= ¼ holds with equality
  CHECK(summary.objective == 2);
  CHECK(summary.measure == 0.25);
}

TEST_CASE("a loop ends at the iteration limit") {
  const Summary summary = run(halving, {.tolerance = 0, .max_iterations = 5});

  CHECK(summary.termination == Termination::max_iterations);
  CHECK(summary.iterations == 5);
  CHECK(summary.usable());
  CHECK_FALSE(summary.converged());
}

TEST_CASE("no iterations are none") {
  const Summary summary = run(halving, {.max_iterations = 0});

  CHECK(summary.termination == Termination::max_iterations);
  CHECK(summary.iterations == 0);
  CHECK(summary.trace.rows() == 0);
}

TEST_CASE("a loop without a better measure stalls after its patience") {
  const auto step = [](int iteration) {
    return StepReport{.objective = 0, .measure = iteration < 3 ? 1.0 / iteration : 1.0, .extra = {}, .note = {}};
  };

  CHECK(run(step, {.tolerance = 0, .patience = 4}).termination == Termination::stalled);
  CHECK(run(step, {.tolerance = 0, .patience = 4}).iterations == 6);
  CHECK(run(step, {.tolerance = 0, .max_iterations = 20}).termination == Termination::max_iterations);
}

TEST_CASE("a step may say that it is stuck, and why") {
  const auto step = [](int iteration) {
    return StepReport{
        .objective = 0, .measure = 1, .extra = {}, .stalled = iteration == 3, .note = "no step length helps"};
  };

  const Summary summary = run(step, {});

  CHECK(summary.termination == Termination::stalled);
  CHECK(summary.message == "no step length helps");
  CHECK(summary.iterations == 3);
}

TEST_CASE("an objective that is not finite is a numerical failure") {
  for (const double bad : {kUnknown, std::numeric_limits<double>::infinity()}) {
    const Summary summary = run(
        [&](int iteration) {
          return StepReport{.objective = iteration == 2 ? bad : 0, .measure = 1, .extra = {}, .note = {}};
        },
        {});

    CHECK(summary.termination == Termination::numerical_failure);
    CHECK_FALSE(summary.usable());
    CHECK(summary.iterations == 2);
  }
}

TEST_CASE("a loop ends when its time is up") {
  const auto slow = [](int) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    return StepReport{.objective = 0, .measure = 1, .extra = {}, .note = {}};
  };

  const Summary summary = run(slow, {.max_iterations = 1000000, .max_seconds = 0.001});

  CHECK(summary.termination == Termination::time_limit);
  CHECK(summary.iterations == 1);
}

TEST_CASE("the time limit reaches into a step through the context, which gets its own deadline back") {
  RunContext context;
  const auto before = context.deadline;
  const auto step = [&](int) -> StepReport {
    for (;;) context.poll();
  };

  const Summary summary = iterate(step, {.max_seconds = 0.01}, {}, context);

  CHECK(summary.termination == Termination::time_limit);
  CHECK(summary.iterations == 0);
  CHECK(context.deadline == before);
}

TEST_CASE("the observer sees every iteration and can end the loop") {
  RunContext context;
  context.path = "outer";
  context = context.nested("inner");
  std::vector<int> seen;
  context.observer = [&](const Progress& progress) {
    CHECK(progress.path == "outer/inner");
    CHECK(progress.measure == std::ldexp(1.0, -progress.iteration));
    CHECK(progress.seconds >= 0);
    seen.push_back(progress.iteration);
    return progress.iteration == 3 ? Next::stop : Next::go_on;
  };

  const Summary summary = iterate(halving, {.tolerance = 0}, {}, context);

  CHECK(summary.termination == Termination::stopped_by_observer);
  CHECK(seen == std::vector{1, 2, 3});
}

TEST_CASE("an interrupted step leaves the state of the last completed one") {
  std::atomic<bool> cancel = false;
  RunContext context;
  context.cancel = &cancel;
  int state = 0;
  const auto step = [&](int iteration) {
    if (iteration == 4) cancel = true;
    context.poll();
    state = iteration;
    return halving(iteration);
  };

  const Summary summary = iterate(step, {.tolerance = 0}, {}, context);

  CHECK(summary.termination == Termination::interrupted);
  CHECK(summary.iterations == 3);
  CHECK(state == 3);
  CHECK(summary.objective == 3);
  CHECK(summary.trace.rows() == 3);
}

TEST_CASE("other exceptions pass through and the deadline is restored") {
  RunContext context;
  const auto before = context.deadline;
  const auto step = [](int) -> StepReport { throw std::logic_error("bug"); };

  CHECK_THROWS_AS(iterate(step, {.max_seconds = 10}, {}, context), std::logic_error);

  CHECK(context.deadline == before);
}

TEST_CASE("the trace has one row an iteration, with the declared columns at its end") {
  RunContext context;
  const auto step = [](int iteration) {
    StepReport report = halving(iteration);
    report.extra = {10.0 * iteration, -1.0};
    return report;
  };

  const Summary summary = iterate(step, {.tolerance = 0, .max_iterations = 4}, {"gap", "shift"}, context);

  const Trace& trace = summary.trace;
  CHECK(trace.columns == std::vector<std::string>{"iteration", "objective", "measure", "seconds", "gap", "shift"});
  REQUIRE(trace.rows() == 4);
  for (std::size_t row = 0; row < 4; ++row) {
    CHECK(trace.at(row, 0) == double(row + 1));
    CHECK(trace.at(row, 2) == std::ldexp(1.0, -int(row + 1)));
    CHECK(trace.at(row, 4) == 10.0 * double(row + 1));
    if (row > 0) CHECK(trace.at(row, 3) >= trace.at(row - 1, 3));
  }
}

TEST_CASE("every reason to end has a name of its own") {
  std::set<std::string_view> names;
  for (const Termination why :
       {Termination::converged, Termination::stalled, Termination::max_iterations, Termination::time_limit,
        Termination::stopped_by_observer, Termination::interrupted, Termination::numerical_failure})
    names.insert(to_string(why));

  CHECK(names.size() == 7);
  CHECK(names.count("unknown") == 0);
}

TEST_CASE("a phase timer adds to its phase") {
  std::map<std::string, double> seconds{{"eigen", 5.0}};

  { const PhaseTimer timer(seconds, "eigen"); }
  { const PhaseTimer timer(seconds, "pairs"); }

  CHECK(seconds["eigen"] >= 5);
  CHECK(seconds.count("pairs") == 1);
}

TEST_CASE("a step that says it has finished ends the run as converged, with its note") {
  RunContext context;
  const auto step = [](int k) {
    StepReport report;
    report.objective = k;
    report.measure = 5;
    report.finished = k == 3;
    report.note = "nothing is left";
    return report;
  };

  const Summary summary = iterate(step, {.tolerance = 1, .max_iterations = 10}, {}, context);

  CHECK(summary.converged());
  CHECK(summary.iterations == 3);
  CHECK(summary.message == "nothing is left");
}

TEST_CASE("an interruption becomes a termination and back") {
  for (const auto why : {Interrupted::Why::cancelled, Interrupted::Why::time_limit}) {
    const Termination end = termination_of({why});
    try {
      throw_if_interrupted(end);
      FAIL("nothing was thrown");
    } catch (const Interrupted& again) {
      CHECK(again.why == why);
    }
  }
  for (const Termination end : {Termination::converged, Termination::stalled, Termination::stopped_by_observer})
    CHECK_NOTHROW(throw_if_interrupted(end));
}
