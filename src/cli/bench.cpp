// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <memory>

#include "base/machine.hpp"
#include "cli/flags.hpp"
#include "cli/session.hpp"
#include "linalg/products/dgemm_rate.hpp"
#include "linalg/subspace.hpp"
#include "ritz/base/random.hpp"
#include "ritz/pairs/backend.hpp"
#include "tasks/projection/prepare.hpp"

namespace ritz::cli {

namespace {

struct BenchOptions {
  static constexpr std::string_view name = "bench";
  Index rows = 4000, columns = 784, dim = 10, classes = 10;
  int repeats = 3;
  std::string kernel = "gaussian(sigma=5)";
  static constexpr auto fields() {
    return std::tuple{field("rows", &BenchOptions::rows, 2, 10'000'000, "samples, drawn at random"),
                      field("columns", &BenchOptions::columns, 1, 100'000, "features"),
                      field("dim", &BenchOptions::dim, 1, 1000, "dimensions of the projection"),
                      field("classes", &BenchOptions::classes, 2, 1000, "classes"),
                      field("repeats", &BenchOptions::repeats, 1, 1000, "the best of this many is reported"),
                      field("kernel", &BenchOptions::kernel, "kernel with all widths given")};
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
    throw Error(ErrorCode::bad_option, fmt::format("--kernel {}: give every width as a number here", options.kernel));
  const double bytes =
      projection::fit_bytes(8.0 * double(n) * double(d), {n, d, q, options.classes, true}, kernel, context);
  if (bytes > double(context.max_memory))
    throw Error(ErrorCode::memory, fmt::format("{} x {} needs about {}, but --max-memory allows {}", n, d,
                                               bytes_text(bytes), bytes_text(double(context.max_memory))));
  Rng rng(context.seed, "bench");
  const RowMatrix X = rng.normal_matrix(n, d);
  const Matrix W = orthonormalise(rng.normal_matrix(d, q)).basis;
  std::vector<std::string> texts;
  for (Index i = 0; i < n; ++i) texts.push_back(std::to_string(i % options.classes));
  const Samples samples(X);
  const auto pass = backend_or_cpu(context).pair_pass(samples, supervised_gamma(make_labels(texts)));

  double ceiling = 0, tiled = 1e300, chosen = 1e300;
  for (int r = 0; r < options.repeats; ++r) {
    ceiling = std::max(ceiling, dgemm_rate(context));
    pass->force_route(RouteChoice::tiled);
    tiled = std::min(tiled, seconds_of([&] { pass->sums(W, kernel, context); }));
    pass->force_route(RouteChoice::cheaper);
    chosen = std::min(chosen, seconds_of([&] { pass->sums(W, kernel, context); }));
  }
  const double rate = double(n) * double(n) * double(d) / tiled;
  say(flags.run,
      fmt::format("Phi of {} x {}, {} on {} threads\n", n, d, kernel_text(kernel), resolved_threads(context)));
  say(flags.run, fmt::format("  dgemm        {:.1f} GFLOP/s\n", ceiling / 1e9));
  say(flags.run, fmt::format("  tiles        {:.3f} s, {:.1f} GFLOP/s counting n*n*d: {:.0f} % of dgemm\n", tiled,
                             rate / 1e9, 100 * rate / ceiling));
  say(flags.run, fmt::format("  chosen route {:.3f} s, {:.1f} times the tiles' speed: {}\n", chosen, tiled / chosen,
                             pass->route_text(q, kernel)));
  Json json = head_json("bench", "pairs");
  json["options"] = options_json(options);
  json["result"] = {{"dgemm_rate", ceiling},      {"tiled_seconds", tiled},   {"tiled_rate", rate},
                    {"of_dgemm", rate / ceiling}, {"chosen_seconds", chosen}, {"speedup", tiled / chosen}};
  json["used"] = {{"pairs", pass->route_text(q, kernel)}};
  print_json(flags.json, json);
  return ExitStatus::fine;
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
  const Verb race = add_bench_reduce(verb);
  return [flags, race, pairs = &app] { return pairs->parsed() ? work_bench(*flags) : race(); };
}

}  // namespace ritz::cli
