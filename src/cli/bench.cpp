// SPDX-License-Identifier: MIT
#include <chrono>

#include "cli/session.hpp"
#include "linalg/products/dgemm_rate.hpp"
#include "linalg/subspace.hpp"
#include "report/plot/line_plot.hpp"
#include "report/table.hpp"
#include "ritz/base/random.hpp"
#include "ritz/pairs/backend.hpp"
#include "ritz/tasks/reduce.hpp"
#include "tasks/projection/prepare.hpp"
#include "tasks/projection/report.hpp"

namespace ritz::cli {

namespace {

// --- the pair engine ------------------------------------------------------------------------------------------------

struct BenchOptions {
  static constexpr std::string_view name = "bench";
  Index rows = 4000, columns = 784, dim = 10, classes = 10;
  int repeats = 3;
  std::string kernel = "gaussian(sigma=5)";
  Precision precision = Precision::full;
  static constexpr auto fields() {
    return std::tuple{field("rows", &BenchOptions::rows, 2, 10'000'000, "samples, drawn at random"),
                      field("columns", &BenchOptions::columns, 1, 100'000, "features"),
                      field("dim", &BenchOptions::dim, 1, 1000, "dimensions of the projection"),
                      field("classes", &BenchOptions::classes, 2, 1000, "classes"),
                      field("repeats", &BenchOptions::repeats, 1, 1000, "the best of this many is reported"),
                      field("kernel", &BenchOptions::kernel, "kernel with all widths given"),
                      field("precision", &BenchOptions::precision, "of the products over pairs: double or mixed")};
  }
};

struct BenchFlags {
  RunOptions run;
  BenchOptions bench;
  std::string json;  // empty: none, "-": standard output
};

double seconds_of(const auto& job) {
  const auto start = std::chrono::steady_clock::now();
  job();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// Φ by each exact route, beside the dgemm rate of the same moments.
ExitStatus work_bench(BenchFlags& flags) {
  require_outputs({{"json", flags.json}});
  const RunContext context = make_context(flags.run);
  const BenchOptions& options = flags.bench;
  const Index n = options.rows, d = options.columns, q = std::min(options.dim, d);
  const KernelSum kernel = parse_kernel(options.kernel);
  if (!is_resolved(kernel, long(n)))
    fail(ErrorCode::bad_option, "--kernel {}: give every width as a number here", options.kernel);
  const double bytes =
      projection::fit_bytes(8.0 * double(n) * double(d), {n, d, q, options.classes, true}, kernel, context);
  if (bytes > double(context.max_memory))
    fail(ErrorCode::memory, "{} x {} needs about {}, but --max-memory allows {}", n, d, bytes_text(bytes),
         bytes_text(double(context.max_memory)));
  Rng rng(context.seed, "bench");
  const RowMatrix X = rng.normal_matrix(n, d);
  const Matrix W = orthonormalise(rng.normal_matrix(d, q)).basis;
  std::vector<std::string> texts;
  for (Index i = 0; i < n; ++i) texts.push_back(std::to_string(i % options.classes));
  const Samples samples(X);
  const auto pass = backend_or_cpu(context).pair_pass(samples, supervised_gamma(make_labels(texts)));

  pass->set_accuracy({options.precision, 0});
  double ceiling = 0, tiled = 1e300, chosen = 1e300;
  for (int r = 0; r < options.repeats; ++r) {
    ceiling = std::max(ceiling, dgemm_rate(context));
    pass->force_route(RouteChoice::tiled);
    tiled = std::min(tiled, seconds_of([&] { pass->sums(W, kernel, context); }));
    pass->force_route(RouteChoice::cheaper);
    chosen = std::min(chosen, seconds_of([&] { pass->sums(W, kernel, context); }));
  }
  const double rate = double(n) * double(n) * double(d) / tiled;
  say(flags.run, "Phi of {} x {}, {} on {} threads\n", n, d, kernel_text(kernel), resolved_threads(context));
  say(flags.run, "  dgemm        {:.1f} GFLOP/s\n", ceiling / 1e9);
  say(flags.run, "  tiles        {:.3f} s, {:.1f} GFLOP/s counting n*n*d: {:.0f} % of dgemm\n", tiled, rate / 1e9,
      100 * rate / ceiling);
  say(flags.run, "  chosen route {:.3f} s, {:.1f} times the tiles' speed: {}\n", chosen, tiled / chosen,
      pass->route_text(q, kernel));
  Json json = head_json("bench", "pairs");
  json["options"] = options_json(options);
  json["result"] = {{"dgemm_rate", ceiling},      {"tiled_seconds", tiled},   {"tiled_rate", rate},
                    {"of_dgemm", rate / ceiling}, {"chosen_seconds", chosen}, {"speedup", tiled / chosen}};
  json["used"] = {{"pairs", pass->route_text(q, kernel)}, {"backend", backend_or_cpu(context).used()}};
  print_json(flags.json, json);
  return ExitStatus::fine;
}

// --- solvers of `reduce` --------------------------------------------------------------------------------------------

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

struct RaceFlags {
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

std::string solver_name(Solver solver) { return TextForm<Solver>::print(solver); }

// Objective, what is missing to the best one, time, iterations, first-order residual and how it ended.
TextTable comparison_table(const std::vector<SolverRun>& runs) {
  const double best = best_objective(runs);
  TextTable table{"", {"solver", "objective", "below the best", "seconds", "iterations", "residual", "ended"}, {}, {}};
  for (const SolverRun& run : runs) {
    const Summary& summary = run.result.summary;
    const double below = (best - summary.objective) / std::abs(best);
    table.rows.push_back({solver_name(run.solver), fmt::format("{:.10g}", summary.objective),
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
    LineSeries series{solver_name(run.solver)};
    const std::size_t columns = column("columns");  // dimension growth: F of fewer columns cannot be compared
    for (std::size_t r = 0; r < trace.rows(); ++r) {
      if (columns < trace.columns.size() && trace.at(r, columns) < double(run.result.W.cols())) continue;
      series.add(std::max(trace.at(r, column("seconds")), 1e-6),
                 std::max((best - trace.at(r, column("objective"))) / std::abs(best), floor));
    }
    plot.series.push_back(std::move(series));
  }
  return plot;
}

ExitStatus work_race(RaceFlags& flags) {
  require_outputs({{"plot", flags.plot, FileForm::picture}, {"json", flags.json, FileForm::json}});
  RunContext context = make_context(flags.run);
  reduce::Comparison found;
  std::string heading;
  {
    const ProgressLine progress(flags.run, context, flags.options.how.tolerance);
    flags.inputs.data.read.target_columns = flags.target_columns;
    Dataset data = *flags.inputs.dataset(context);
    if (!flags.targets.empty() && !flags.target_columns.empty())
      fail(ErrorCode::bad_option, "reduce.targets and reduce.target_column exclude each other");
    reduce::Guidance guidance;
    if (!flags.target_columns.empty())
      guidance.targets = take_columns(data, data.recipe ? data.recipe->targets : flags.target_columns);
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
    fail(ErrorCode::bad_option, "no solver came to a first result within --budget {}", flags.race.budget);
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
    entry["start_objective"] = run.result.start_objective;
    entry["certificate"] = certificate_json(run.result.certificate);
    entry["trace"] = trace_json(run.result.summary.trace);
    results.push_back(std::move(entry));
  }
  json["result"] = std::move(results);
  print_json(flags.json, json);
  return interrupted_by_user() ? ExitStatus::interrupted : ExitStatus::fine;
}

Verb add_race(CLI::App& bench) {
  auto flags = std::make_shared<RaceFlags>();
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
  return [flags] { return work_race(*flags); };
}

}  // namespace

Verb add_bench(CLI::App& root) {
  auto flags = std::make_shared<BenchFlags>();
  CLI::App& verb =
      *root.add_subcommand("bench", "Honest measurements on this machine, as ratios to a ceiling of the same run");
  verb.require_subcommand(1);
  CLI::App& app = *verb.add_subcommand("pairs", "the pair engine against the dgemm rate");
  add_fields(app, flags->bench);
  add_run_flags(app, flags->run, flags->json);
  const Verb race = add_race(verb);
  return [flags, race, pairs = &app] { return pairs->parsed() ? work_bench(*flags) : race(); };
}

}  // namespace ritz::cli
