// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <cmath>
#include <memory>

#include "base/machine.hpp"
#include "cli/flags.hpp"
#include "cli/session.hpp"
#include "linalg/products/dgemm_rate.hpp"
#include "ritz/tasks/isometry.hpp"
#include "tasks/reduce/prepare.hpp"

namespace ritz::cli {

namespace {

// Of the search and the comparison together, on the sets we know; a small rank or distortion takes more.
constexpr int kUsualSweeps = 15;
constexpr double kSingleRate = 1.8;  // products in single precision against double

struct IsometrySizes {
  static constexpr std::string_view name = "estimate";
  Index rows = 0, columns = 0, rank = 0;
  static constexpr auto fields() {
    return std::tuple{
        field("rows", &IsometrySizes::rows, 0, Index(1) << 40, "number of samples, where no data is given"),
        field("columns", &IsometrySizes::columns, 0, Index(1) << 32, "number of features, where no data is given"),
        field("rank", &IsometrySizes::rank, 0, 1 << 24,
              "measurements that are to be expected; 0: a quarter of the features")};
  }
};

struct Flags {
  RunOptions run;
  DataFlags data;
  IsometrySizes sizes;
  std::string json;  // empty: none, "-": standard output
};

ExitStatus work(Flags& flags) {
  require_outputs({{"json", flags.json}});
  const RunContext context = make_context(flags.run);
  IsometrySizes& sizes = flags.sizes;
  if (!flags.data.path.empty()) {
    const Dataset data = read_data(flags.data, context);
    sizes.rows = data.rows();
    sizes.columns = data.cols();
  }
  if (sizes.rows < 2 || sizes.columns < 1)
    throw Error(ErrorCode::bad_option, "nothing to estimate: give data X, or --rows (at least 2) and --columns");
  const double n = double(sizes.rows), d = double(sizes.columns);
  const double rank = sizes.rank > 0 ? double(sizes.rank) : std::ceil(d / 4);
  const double bytes = isometry_bytes(n, d), rate = kSingleRate * dgemm_rate(context);
  const double operations = n * (n - 1) * (d + rank), seconds = operations / rate;
  const bool fits = bytes <= double(context.max_memory);
  say(flags.run, fmt::format("isometry of {} x {}, {} pairs, about {} measurements (nothing is run)\n", sizes.rows,
                             sizes.columns, sizes.rows * (sizes.rows - 1) / 2, rank));
  say(flags.run, fmt::format("  memory       about {}, {} allowed{}\n", bytes_text(bytes),
                             bytes_text(double(context.max_memory)), fits ? "" : ": TOO MUCH"));
  say(flags.run, fmt::format("  time         about {:.2g} s a sweep over all pairs, {:.2g} s for {} sweeps\n", seconds,
                             kUsualSweeps * seconds, kUsualSweeps));
  Json json = head_json("estimate", "isometry", fits ? "fine" : "too_large");
  json["data"] = {{"n", sizes.rows}, {"d", sizes.columns}};
  json["result"] = {{"memory_bytes", std::floor(bytes)},
                    {"memory_allowed_bytes", context.max_memory},
                    {"operations_per_sweep", operations},
                    {"seconds_per_sweep", seconds},
                    {"seconds", kUsualSweeps * seconds}};
  print_json(flags.json, json);
  return fits ? ExitStatus::fine : ExitStatus::memory_budget;
}

}  // namespace

Verb add_estimate_isometry(CLI::App& estimate) {
  auto flags = std::make_shared<Flags>();
  CLI::App& app = *estimate.add_subcommand("isometry", "forecast for 'ritz isometry'");
  add_data_flags(app, flags->data, false);
  app.get_option("X")->required(false);
  add_fields(app, flags->sizes);
  add_run_flags(app, flags->run, flags->json);
  return [flags] { return work(*flags); };
}

}  // namespace ritz::cli
