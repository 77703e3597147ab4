// SPDX-License-Identifier: MIT
#include "tasks/reduce/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

namespace ritz {

namespace {

using Clock = std::chrono::steady_clock;

double best_objective(const std::vector<SolverRun>& runs) {
  double best = -std::numeric_limits<double>::infinity();
  for (const SolverRun& run : runs) best = std::max(best, run.result.summary.objective);
  return best;
}

std::string name_of(Solver solver) { return TextForm<Solver>::print(solver); }

}  // namespace

std::vector<SolverRun> compare_solvers(const ism::Problem& problem, const ism::Options& how,
                                       const std::vector<Solver>& solvers, double budget, RunContext& context) {
  std::vector<SolverRun> runs;
  for (const Solver solver : solvers) {
    ism::Options options = how;
    options.solver = solver;
    RunContext inner = context.nested(name_of(solver));
    const auto start = Clock::now();
    inner.deadline = std::min(
        context.deadline, start + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(budget)));
    try {
      SolverRun run{solver, ism::solve(problem, options, inner), kUnknown};
      run.seconds = std::chrono::duration<double>(Clock::now() - start).count();
      runs.push_back(std::move(run));
    } catch (const Interrupted& interrupted) {  // before there was a first W
      if (interrupted.why == Interrupted::Why::cancelled) break;
    }
    if (context.cancel && *context.cancel) break;
  }
  return runs;
}

TextTable comparison_table(const std::vector<SolverRun>& runs) {
  const double best = best_objective(runs);
  TextTable table{"", {"solver", "objective", "below the best", "seconds", "iterations", "residual", "ended"}, {}, {}};
  for (const SolverRun& run : runs) {
    const Summary& summary = run.result.summary;
    const double below = (best - summary.objective) / std::abs(best);
    table.rows.push_back({name_of(run.solver), fmt::format("{:.10g}", summary.objective),
                          below <= 1e-12 ? "0" : fmt::format("{:.2g} %", 100 * below),
                          fmt::format("{:.3g}", run.seconds), std::to_string(summary.iterations),
                          fmt::format("{:.1e}", run.result.certificate.first_order),
                          std::string(to_string(summary.termination))});
  }
  return table;
}

LinePlot comparison_plot(const std::vector<SolverRun>& runs, const std::string& subtitle) {
  LinePlot plot;
  plot.title = "Objective against time";
  plot.subtitle = subtitle;
  plot.x_label = "seconds";
  plot.x_scale = AxisScale::log10;
  plot.y_label = "what is missing to the best objective, relative";
  plot.y_scale = AxisScale::log10;
  const double best = best_objective(runs), floor = 1e-13;  // rounding, so that the winner's line ends on the picture
  for (const SolverRun& run : runs) {
    const Trace& trace = run.result.summary.trace;
    const auto column = [&](std::string_view name) {
      return std::size_t(std::ranges::find(trace.columns, name) - trace.columns.begin());
    };
    LineSeries series{name_of(run.solver), {}, {}, {}};
    const std::size_t columns = column("columns");  // dimension growth: F of fewer columns cannot be compared
    for (std::size_t r = 0; r < trace.rows(); ++r) {
      if (columns < trace.columns.size() && trace.at(r, columns) < double(run.result.W.cols())) continue;
      series.x.push_back(std::max(trace.at(r, column("seconds")), 1e-6));
      series.y.push_back(std::max((best - trace.at(r, column("objective"))) / std::abs(best), floor));
    }
    plot.series.push_back(std::move(series));
  }
  return plot;
}

}  // namespace ritz
