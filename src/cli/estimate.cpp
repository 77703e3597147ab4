// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <cmath>
#include <iostream>
#include <memory>

#include "base/machine.hpp"
#include "cli/flags.hpp"
#include "cli/session.hpp"
#include "linalg/products/dgemm_rate.hpp"
#include "tasks/reduce/prepare.hpp"

namespace ritz::cli {

namespace {

constexpr int kUsualIterations = 15;  // of ISM on the real sets we know; slow ones need ten times as many

struct Sizes {
  static constexpr std::string_view name = "estimate";
  Index rows = 0, columns = 0, classes = 2;
  static constexpr auto fields() {
    return std::tuple{
        field("rows", &Sizes::rows, 0, Index(1) << 40, "number of samples, where no data is given"),
        field("columns", &Sizes::columns, 0, Index(1) << 32, "number of features, where no data is given"),
        field("classes", &Sizes::classes, 2, 1'000'000, "number of classes, where no labels are given")};
  }
};

struct Flags {
  RunOptions run;
  DataFlags data;
  ReduceOptions reduce;
  Sizes sizes;
  std::string json;  // empty: none, "-": standard output
};

ExitStatus work(Flags& flags) {
  require_outputs({{"json", flags.json}});
  const RunContext context = make_context(flags.run);
  const KernelSum kernel = parse_kernel(flags.reduce.kernel);
  double held = 0;
  if (!flags.data.path.empty()) {
    const Dataset data = read_data(flags.data, context);
    held = data_bytes(data);
    flags.sizes.rows = data.rows();
    flags.sizes.columns = data.cols();
    if (data.labels.size() > 0) flags.sizes.classes = data.labels.classes();
  }
  if (flags.sizes.rows < 1 || flags.sizes.columns < 1)
    throw Error(ErrorCode::bad_option, "nothing to estimate: give data X, or --rows and --columns");
  const Index q =
      flags.reduce.dim.value > 0 ? flags.reduce.dim.value : std::min(flags.sizes.columns, flags.sizes.classes - 1);
  if (q > flags.sizes.columns)
    throw Error(ErrorCode::bad_option,
                fmt::format("--dim is {}; it must lie in [1, {}] because the data has {} columns", q,
                            flags.sizes.columns, flags.sizes.columns));
  const PairSizes sizes{flags.sizes.rows, flags.sizes.columns, q, flags.sizes.classes, true};
  if (held == 0) held = 8.0 * double(sizes.n) * double(sizes.d);
  const double bytes = reduce_bytes(held * (flags.reduce.holdout > 0 ? 2 : 1), sizes, kernel, context);
  double operations = 0, columns = 0;
  bool tiled = false;
  std::string routes;
  for (const KernelTerm& term : kernel) {
    const PairRoute route = plan_pairs(term, sizes);
    operations += route.tiled ? route.tiled_operations : route.direct_operations;
    tiled = tiled || route.tiled;
    columns += direct_columns(term, sizes);
    routes += (routes.empty() ? "" : "; ") + route.reason;
  }
  const double rate = dgemm_rate(context);
  const double d = double(sizes.d);
  // Pairs, then eigenvectors: of a thin factor, or of a dense Φ, directly or by a block iteration.
  const double eigen = !tiled && 2 * columns <= d ? 4 * d * columns * columns : 4 * d * d * std::min(d, 1500.0);
  const double iteration = (operations + eigen) / rate;
  const bool fits = bytes <= double(context.max_memory);

  say(flags.run, fmt::format("reduce {} x {}, {} classes -> {} dimensions (nothing is run)\n", sizes.n, sizes.d,
                             sizes.gamma_columns, q));
  say(flags.run, fmt::format("  memory       about {}, {} allowed{}\n", bytes_text(bytes),
                             bytes_text(double(context.max_memory)), fits ? "" : ": TOO MUCH"));
  say(flags.run,
      fmt::format(
          "  time         about {:.2g} s an iteration, {:.2g} s for {} (dgemm here: {:.1f} GFLOP/s on {} threads)\n",
          iteration, kUsualIterations * iteration, kUsualIterations, rate / 1e9, resolved_threads(context)));
  say(flags.run, fmt::format("  route        {}\n", routes));
  Json json = head_json("estimate", "ism", fits ? "fine" : "too_large");
  json["data"] = {{"n", sizes.n}, {"d", sizes.d}, {"classes", sizes.gamma_columns}};
  json["result"] = {{"dimension", q},
                    {"memory_bytes", std::floor(bytes)},
                    {"memory_allowed_bytes", context.max_memory},
                    {"seconds_per_iteration", iteration},
                    {"seconds", kUsualIterations * iteration},
                    {"operations_per_iteration", operations},
                    {"dgemm_rate", rate}};
  json["used"] = {{"pairs", routes}};
  print_json(flags.json, json);
  return fits ? ExitStatus::fine : ExitStatus::memory_budget;
}

}  // namespace

Verb add_estimate(CLI::App& root) {
  auto flags = std::make_shared<Flags>();
  CLI::App& verb = *root.add_subcommand("estimate", "Forecast memory and time of a verb, without running it");
  verb.require_subcommand(1);
  CLI::App& app = *verb.add_subcommand("reduce", "forecast for 'ritz reduce'");
  add_data_flags(app, flags->data, true);
  app.get_option("X")->required(false);
  add_fields(app, flags->sizes);
  add_fields(app, flags->reduce, {"neighbours"});
  add_run_flags(app, flags->run, flags->json);
  const Verb kernel = add_estimate_kernel(verb);
  const Verb isometry = add_estimate_isometry(verb);
  const Verb center = add_estimate_center(verb);
  return [flags, kernel, isometry, center, reduce = &app, &verb] {
    return reduce->parsed()                  ? work(*flags)
           : verb.got_subcommand("center")   ? center()
           : verb.got_subcommand("isometry") ? isometry()
                                             : kernel();
  };
}

}  // namespace ritz::cli
