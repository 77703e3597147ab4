// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "cli/flags.hpp"
#include "cli/session.hpp"
#include "report/plot/line_plot.hpp"
#include "report/table.hpp"
#include "ritz/tasks/reduce.hpp"
#include "tasks/projection/report.hpp"

namespace ritz::cli {

namespace {

using reduce::SolverRun;

struct RaceOptions {
  static constexpr std::string_view name = "bench";
  std::vector<Solver> solvers = {Solver::ism, Solver::plain, Solver::dg, Solver::sm, Solver::gm, Solver::best};
  double budget = 10;
  static constexpr auto fields() {
    return std::tuple{field("solvers", &RaceOptions::solvers, "those to compare, with commas between them"),
                      field("budget", &RaceOptions::budget, 0.001, 1e9, "seconds that each solver gets")};
  }
};

struct Flags {
  RunOptions run;
  Inputs inputs;
  std::string targets;
  std::vector<std::string> target_columns;
  reduce::ReduceOptions options;
  RaceOptions race;
  std::string json, plot;
};

double best_objective(const std::vector<SolverRun>& runs) {
  double best = -std::numeric_limits<double>::infinity();
  for (const SolverRun& run : runs) best = std::max(best, run.result.summary.objective);
  return best;
}

std::string name_of(Solver solver) { return TextForm<Solver>::print(solver); }

// Objective, what is missing to the best one, time, iterations, first-order residual and how it ended.
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

// Objective against time; where all runs climb to nearly the same value, what is missing to the best, on a log scale.
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

ExitStatus work(Flags& flags) {
  require_outputs({{"plot", flags.plot, FileForm::picture}, {"json", flags.json, FileForm::json}});
  RunContext context = make_context(flags.run);
  reduce::Comparison found;
  std::string heading;
  {
    const ProgressLine progress(flags.run, context, flags.options.how.tolerance);
    Dataset data = *flags.inputs.dataset(context);
    if (!flags.targets.empty() && !flags.target_columns.empty())
      throw Error(ErrorCode::bad_option, "reduce.targets and reduce.target_column exclude each other");
    reduce::Guidance guidance;
    if (!flags.target_columns.empty()) guidance.targets = take_columns(data, flags.target_columns);
    if (!flags.targets.empty()) {
      flags.inputs.others["targets"] = std::vector{flags.targets};
      guidance.targets = flags.inputs.matrix("targets", data.rows(), context);
    }
    found = compare_solvers(data, guidance, flags.options, flags.race.solvers, flags.race.budget, context);
    heading =
        fmt::format("{} x {} -> {} dimensions, {}, {} s each on {} threads", data.rows(), data.cols(), found.dimension,
                    projection::short_kernel_text(found.kernel), flags.race.budget, resolved_threads(context));
  }
  if (found.runs.empty())
    throw Error(ErrorCode::bad_option,
                fmt::format("no solver came to a first result within --budget {}", flags.race.budget));
  if (!flags.plot.empty())
    write_atomically(flags.plot, [&](std::ostream& out) { out << line_svg(comparison_plot(found.runs, heading)); });
  say(flags.run, heading + '\n' + table_text(comparison_table(found.runs)));
  Json json = head_json("bench", "reduce");
  json["options"] = options_json(flags.options);
  json["options"]["dim"] = found.dimension;
  json["options"].update(options_json(flags.race));
  Json results = Json::array();
  for (const SolverRun& run : found.runs) {
    Json entry = {{"solver", TextForm<Solver>::print(run.solver)}, {"seconds", run.seconds}};
    entry.update(summary_json(run.result.summary));
    entry["start_objective"] = number_json(run.result.start_objective);
    entry["certificate"] = certificate_json(run.result.certificate);
    entry["trace"] = trace_json(run.result.summary.trace);
    results.push_back(std::move(entry));
  }
  json["result"] = std::move(results);
  print_json(flags.json, json);
  return interrupted_by_user() ? ExitStatus::interrupted : ExitStatus::fine;
}

}  // namespace

Verb add_bench_reduce(CLI::App& bench) {
  auto flags = std::make_shared<Flags>();
  CLI::App& app = *bench.add_subcommand("reduce", "solvers of 'ritz reduce' on your data, under one time budget");
  add_data_flags(app, {.labels = true}, flags->inputs.data);
  app.add_option("--targets", flags->targets, "file with numbers to be explained, a row a sample: instead of labels")
      ->type_name("FILE");
  app.add_option("--target-column", flags->target_columns, "column of X to be explained: name or number from 1")
      ->type_name("NAME")
      ->expected(1)
      ->take_all();
  // Not what is for clusters, for a choice of the kernel, or for what comes after the fit.
  std::vector<std::string> others = {"mode",       "clusters", "mu",         "label_by", "round_tolerance",
                                     "max_rounds", "holdout",  "neighbours", "solver",   "sparse"};
  for (const auto& names : {field_names<reduce::ChooseOptions>(), field_names<reduce::FoldOptions>(),
                            field_names<reduce::BootstrapOptions>(), field_names<reduce::SparseOptions>()})
    others.insert(others.end(), names.begin(), names.end());
  add_fields(app, flags->options, others);
  add_fields(app, flags->race);
  add_output(app, "--plot", flags->plot, "SVG picture: what is missing to the best objective, against time");
  add_run_flags(app, flags->run, flags->json);
  return [flags] { return work(*flags); };
}

}  // namespace ritz::cli
