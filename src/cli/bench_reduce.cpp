// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <memory>

#include "cli/flags.hpp"
#include "cli/reduce_inputs.hpp"
#include "cli/reduce_text.hpp"
#include "cli/session.hpp"
#include "tasks/reduce/compare.hpp"
#include "tasks/reduce/prepare.hpp"

namespace ritz::cli {

namespace {

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
  DataFlags data;
  GuidanceFlags guidance;
  ReduceOptions reduce;
  ism::Options ism;
  RaceOptions race;
  std::string json, plot;
};

ExitStatus work(Flags& flags) {
  require_outputs({{"plot", flags.plot}, {"json", flags.json}});
  RunContext context = make_context(flags.run);
  std::vector<SolverRun> runs;
  std::string heading;
  ism::Options how = flags.ism;
  {
    const ProgressLine progress(flags.run, context, flags.ism.tolerance);
    Dataset data = read_data(flags.data, context);
    const Guidance guidance = read_guidance(flags.guidance, flags.reduce.mode, data, context);
    Prepared ready = prepare(data, flags.reduce, guidance, context);
    if (ready.mode != Mode::supervised)
      throw Error(ErrorCode::bad_option, "solvers are compared on the supervised problem: give --labels or --targets");
    const ism::Problem problem{ready.X, std::move(ready.gamma), ready.kernel};
    how.dimension =
        flags.reduce.dim.value > 0
            ? flags.reduce.dim.value
            : ism::choose_dimension(problem, most_dimensions(problem.gamma, data.cols()), context).dimension;
    heading = fmt::format("{} x {} -> {} dimensions, {}, {} s each on {} threads", data.rows(), data.cols(),
                          how.dimension, short_kernel_text(ready.kernel), flags.race.budget, resolved_threads(context));
    runs = compare_solvers(problem, how, flags.race.solvers, flags.race.budget, context);
  }
  if (runs.empty())
    throw Error(ErrorCode::bad_option,
                fmt::format("no solver came to a first result within --budget {}", flags.race.budget));
  if (!flags.plot.empty())
    write_atomically(flags.plot, [&](std::ostream& out) { out << line_svg(comparison_plot(runs, heading)); });
  say(flags.run, heading + '\n' + table_text(comparison_table(runs)));
  Json json = head_json("bench", "reduce");
  json["options"] = options_json(flags.reduce);
  json["options"].update(options_json(how));
  json["options"].update(options_json(flags.race));
  Json results = Json::array();
  for (const SolverRun& run : runs) {
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
  add_data_flags(app, flags->data, true);
  add_guidance_flags(app, flags->guidance);
  add_fields(app, flags->reduce, {"mode", "clusters", "holdout", "neighbours"});
  add_fields(app, flags->ism, {"dimension", "solver"});
  add_fields(app, flags->race);
  add_output(app, "--plot", flags->plot, "SVG picture: what is missing to the best objective, against time");
  add_run_flags(app, flags->run, flags->json);
  return [flags] { return work(*flags); };
}

}  // namespace ritz::cli
