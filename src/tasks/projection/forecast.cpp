// SPDX-License-Identifier: MIT
#include "tasks/projection/report.hpp"

#include "tasks/forecast_card.hpp"
#include "tasks/forecast_time.hpp"

namespace ritz::projection {

double frame_bytes(const SampleSizes& samples) {
  const double n = double(samples.rows), d = double(samples.columns);
  return n < d ? 8 * (2 * n * d + n * n) : 0.0;  // a basis and its inverse, and the samples in it
}

PairSizes forecast_sizes(const SampleSizes& samples, Index told, const Dimension& dim, std::string_view verb,
                         const Dataset* data) {
  const auto [rows, columns] = samples;
  if (rows < 1 || columns < 1)
    fail(ErrorCode::bad_option, "nothing to estimate: give data X, or estimate.rows and estimate.columns");
  const Index q = dim.value > 0 ? dim.value : std::clamp<Index>(told - 1, 1, columns);
  if (q > columns)
    fail(ErrorCode::bad_option, "{}.dim is {}; it must lie in [1, {}] because the data has {} columns", verb, q,
         columns, columns);
  const bool held = !data || (!data->sparse() && !data->stored());
  return {rows, held ? std::min(rows, columns) : columns, q, told, true, !held};
}

namespace {

// The sums of a sweep on their way through a tree of ranks (docs/guide/cluster.md, "What it costs"), on a usual
// network.
double exchange_seconds(const PairSizes& sizes, Index ranks) {
  constexpr double kBandwidth = 1e10, kLatency = 2e-5, kRowsAWave = 8192, kMostWaves = 16;
  if (ranks == 1) return 0;
  const double levels = std::log2(double(ranks)), d = double(sizes.d);
  const double waves = std::min(kMostWaves, std::ceil(double(sizes.n) / kRowsAWave));
  return waves * levels * (2 * 8 * d * d / kBandwidth + 4 * kLatency);
}

// Ranks that find work in a sweep: pairs of panels of a wave.
double busy_ranks(const PairSizes& sizes, Index ranks) {
  constexpr double kRowsAPair = 512, kPairsAWave = 16, kMostWaves = 16;
  const double pairs = std::ceil(double(sizes.n) / kRowsAPair);
  return std::clamp(double(ranks), 1.0, std::min(pairs, std::max(kPairsAWave, pairs / kMostWaves)));
}

}  // namespace

ForecastReport forecast_report(const PairSizes& sizes, const KernelSum& kernel, double fits,
                               const std::function<void(Index rows, RunContext& context)>& fit,
                               const RunContext& context, Index ranks) {
  constexpr int kUsualIterations = 15;            // of ISM on the real sets we know; slow ones need ten times as many
  double operations = 0, alone = 0, columns = 0;  // alone: on one rank
  bool tiled = false;
  std::string routes;
  for (const KernelTerm& term : kernel) {
    const PairRoute route = plan_pairs(term, sizes);
    operations += route.tiled ? route.tiled_operations / busy_ranks(sizes, ranks) : route.direct_operations;
    alone += route.tiled ? route.tiled_operations : route.direct_operations;
    tiled = tiled || route.tiled;
    columns += direct_columns(term, sizes);
    routes += (routes.empty() ? "" : "; ") + route.reason;
  }
  const double rate = dgemm_rate(context);
  const double d = double(sizes.d);
  // Pairs, then eigenvectors: of a thin factor, or of a dense Φ, directly or by a block iteration.
  const double eigen = !tiled && 2 * columns <= d ? 4 * d * columns * columns : 4 * d * d * std::min(d, 1500.0);
  // A step of few samples is led by what is neither a product nor shared by threads.
  constexpr double kLeast = 2e-4;
  const double iteration = kLeast + (operations + eigen) / rate + (tiled ? exchange_seconds(sizes, ranks) : 0);
  ForecastReport report;
  report.lines
      .add("a step", "about {:.2g} s, {} of them a fit (dgemm here: {:.1f} GFLOP/s on {})", iteration, kUsualIterations,
           rate / 1e9, counted(resolved_threads(context), "thread"))
      .add("route", routes);
  report.result = {{"dimension", sizes.q},
                   {"seconds_per_iteration", iteration},
                   {"operations_per_iteration", operations},
                   {"dgemm_rate", rate}};
  if (ranks > 1) {
    report.lines.add("ranks", "{}, with a network of 10 GB/s and 20 us{}; memory is that of each", ranks,
                     tiled && busy_ranks(sizes, ranks) < double(ranks)
                         ? fmt::format(", of which {:.0f} find work", busy_ranks(sizes, ranks))
                         : "");
    report.result["ranks"] = ranks;
  }
  report.used = {{"pairs", routes}};
  if (tiled) add_card(report, device::bytes_of_sums(sizes.n, sizes.d, sizes.q, sizes.gamma_columns, sizes.by_class));
  const double one = kLeast + (alone + eigen) / rate;
  SecondsForecast seconds = timed(sizes.n, fit, fits * kUsualIterations * one, context);
  for (double* each : {&seconds.seconds, &seconds.low, &seconds.high}) *each *= iteration / one;
  add_seconds(report, seconds);
  return report;
}

}  // namespace ritz::projection
