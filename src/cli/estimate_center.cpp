// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <cmath>
#include <memory>

#include "cli/flags.hpp"
#include "cli/session.hpp"
#include "ritz/tasks/center.hpp"
#include "tasks/reduce/prepare.hpp"

namespace ritz::cli {

namespace {

struct CenterSizes {
  static constexpr std::string_view name = "estimate";
  Index subspaces = 0, space = 0;
  double dimension = 10;
  static constexpr auto fields() {
    return std::tuple{field("subspaces", &CenterSizes::subspaces, 0, Index(1) << 40, "number of subspaces"),
                      field("space", &CenterSizes::space, 0, Index(1) << 32, "dimension of the space that they lie in"),
                      field("dimension", &CenterSizes::dimension, 1.0, 1e9, "mean dimension of the subspaces")};
  }
};

struct Flags {
  RunOptions run;
  CenterSizes sizes;
  std::string json;  // empty: none, "-": standard output
};

ExitStatus work(Flags& flags) {
  require_outputs({{"json", flags.json}});
  const RunContext context = make_context(flags.run);
  const CenterSizes& sizes = flags.sizes;
  if (sizes.subspaces < 1 || sizes.space < 1)
    throw Error(ErrorCode::bad_option, "nothing to estimate: give --subspaces and --space");
  const double bytes = center_bytes(sizes.subspaces, sizes.dimension, sizes.space);
  const bool fits = bytes <= double(context.max_memory);
  say(flags.run, fmt::format("centre of {} of about {:.3g} dimensions in R^{} (nothing is run)\n",
                             counted(sizes.subspaces, "subspace"), sizes.dimension, sizes.space));
  say(flags.run, fmt::format("  memory       about {}, {} allowed{}\n", bytes_text(bytes),
                             bytes_text(double(context.max_memory)), fits ? "" : ": TOO MUCH"));
  Json json = head_json("estimate", "center", fits ? "fine" : "too_large");
  json["data"] = {{"n", sizes.space}, {"subspaces", sizes.subspaces}};
  json["result"] = {{"memory_bytes", std::floor(bytes)}, {"memory_allowed_bytes", context.max_memory}};
  print_json(flags.json, json);
  return fits ? ExitStatus::fine : ExitStatus::memory_budget;
}

}  // namespace

Verb add_estimate_center(CLI::App& estimate) {
  auto flags = std::make_shared<Flags>();
  CLI::App& app = *estimate.add_subcommand("center", "forecast for 'ritz center'");
  add_fields(app, flags->sizes);
  add_run_flags(app, flags->run, flags->json);
  return [flags] { return work(*flags); };
}

}  // namespace ritz::cli
