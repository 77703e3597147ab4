// SPDX-License-Identifier: MIT
#include <chrono>

#include "ritz/tasks/reduce.hpp"
#include "tasks/reduce/fit.hpp"

namespace ritz::reduce {

namespace {

using Clock = std::chrono::steady_clock;

std::vector<SolverRun> raced(const ism::Problem& problem, ism::Options how, const std::vector<Solver>& solvers,
                             double budget, RunContext& context) {
  std::vector<SolverRun> runs;
  for (const Solver solver : solvers) {
    how.solver = solver;
    RunContext inner = context.nested(TextForm<Solver>::print(solver));
    const auto start = Clock::now();
    inner.deadline = std::min(
        context.deadline, start + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(budget)));
    try {
      inner.agree();
      SolverRun run{solver, ism::solve(problem, how, inner), kUnknown};
      run.seconds = std::chrono::duration<double>(Clock::now() - start).count();
      runs.push_back(std::move(run));
    } catch (const Interrupted& interrupted) {  // before there was a first W
      if (interrupted.why == Interrupted::Why::cancelled) break;
    }
  }
  return runs;
}

}  // namespace

Comparison compare_solvers(const Dataset& data, const Guidance& guidance, const ReduceOptions& options,
                           const std::vector<Solver>& solvers, double budget, RunContext& context) {
  ReduceOptions settled = options;
  settled.mode = mode_of(data, guidance, options);
  if (settled.mode != Mode::supervised)
    fail(ErrorCode::bad_option, "solvers are compared on the supervised problem: give input.labels or reduce.targets");
  settle_preset(data, guidance, settled);
  Problem ready = prepare(data, guidance, settled, context);
  const ism::Problem problem{ready.X.samples(), std::move(ready.gamma), ready.kernel};
  ism::Options how = options.how;
  how.dimension = settled.dim.value > 0 ? settled.dim.value : needed_dimensions(data, guidance);
  return {how.dimension, ready.kernel, raced(problem, how, solvers, budget, context)};
}

}  // namespace ritz::reduce
