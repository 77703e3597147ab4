// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <cmath>
#include <memory>

#include "cli/flags.hpp"
#include "cli/session.hpp"
#include "ritz/tasks/kernel.hpp"
#include "tasks/reduce/prepare.hpp"

namespace ritz::cli {

namespace {

struct KernelSizes {
  static constexpr std::string_view name = "estimate";
  Index rows = 0, columns = 0, pair_count = 0, neighbours = 0, rank = 64;
  static constexpr auto fields() {
    return std::tuple{
        field("rows", &KernelSizes::rows, 0, Index(1) << 40, "number of samples, where no data is given"),
        field("columns", &KernelSizes::columns, 0, Index(1) << 32, "number of features, where no data is given"),
        field("pair_count", &KernelSizes::pair_count, 0, Index(1) << 40,
              "number of pairs, those that follow from others included; 0: as many as samples"),
        field("neighbours", &KernelSizes::neighbours, 0, 1 << 24,
              "neighbours of each sample in the graph; 0: the default of 'ritz kernel'"),
        field("rank", &KernelSizes::rank, 1, 1 << 24,
              "positive eigenvalues that are to be expected: tens with a small ridge or penalty")};
  }
};

struct Flags {
  RunOptions run;
  DataFlags data;
  KernelSizes sizes;
  std::string json;  // empty: none, "-": standard output
};

ExitStatus work(Flags& flags) {
  require_outputs({{"json", flags.json}});
  const RunContext context = make_context(flags.run);
  KernelSizes& sizes = flags.sizes;
  double held = 0;
  if (!flags.data.path.empty()) {
    const Dataset data = read_data(flags.data, context);
    held = data_bytes(data);
    sizes.rows = data.rows();
    sizes.columns = data.cols();
  }
  if (sizes.rows < 2 || sizes.columns < 1)
    throw Error(ErrorCode::bad_option, "nothing to estimate: give data X, or --rows (at least 2) and --columns");
  if (held == 0) held = 8.0 * double(sizes.rows) * double(sizes.columns);
  const Index k = sizes.neighbours > 0 ? sizes.neighbours : default_neighbours(sizes.rows);
  const Index pairs = sizes.pair_count > 0 ? sizes.pair_count : sizes.rows;
  const double bytes = kernel_bytes(held, sizes.rows, double(sizes.rows) * double(k), double(pairs),
                                    double(std::min(sizes.rows, sizes.rank)));
  const bool fits = bytes <= double(context.max_memory);
  say(flags.run, fmt::format("kernel of {} samples, {} neighbours, {} pairs, rank {} (nothing is run)\n", sizes.rows, k,
                             pairs, sizes.rank));
  say(flags.run, fmt::format("  memory       about {}, {} allowed{}\n", bytes_text(bytes),
                             bytes_text(double(context.max_memory)), fits ? "" : ": TOO MUCH"));
  Json json = head_json("estimate", "npkl", fits ? "fine" : "too_large");
  json["data"] = {{"n", sizes.rows}, {"d", sizes.columns}};
  json["result"] = {{"neighbours", k},
                    {"pairs", pairs},
                    {"rank", sizes.rank},
                    {"memory_bytes", std::floor(bytes)},
                    {"memory_allowed_bytes", context.max_memory}};
  print_json(flags.json, json);
  return fits ? ExitStatus::fine : ExitStatus::memory_budget;
}

}  // namespace

Verb add_estimate_kernel(CLI::App& estimate) {
  auto flags = std::make_shared<Flags>();
  CLI::App& app = *estimate.add_subcommand("kernel", "forecast for 'ritz kernel'");
  add_data_flags(app, flags->data, false);
  app.get_option("X")->required(false);
  add_fields(app, flags->sizes);
  add_run_flags(app, flags->run, flags->json);
  return [flags] { return work(*flags); };
}

}  // namespace ritz::cli
