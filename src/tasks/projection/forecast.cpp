// SPDX-License-Identifier: MIT
#include "tasks/projection/report.hpp"

#include "tasks/forecast_time.hpp"

namespace ritz::projection {

PairSizes forecast_sizes(const SampleSizes& samples, Index told, const Dimension& dim, std::string_view verb,
                         const Dataset* data) {
  const auto [rows, columns] = samples;
  if (rows < 1 || columns < 1)
    fail(ErrorCode::bad_option, "nothing to estimate: give data X, or estimate.rows and estimate.columns");
  const Index q = dim.value > 0 ? dim.value : std::clamp<Index>(told - 1, 1, columns);
  if (q > columns)
    fail(ErrorCode::bad_option, "{}.dim is {}; it must lie in [1, {}] because the data has {} columns", verb, q,
         columns, columns);
  return {rows, columns, q, told, true, data && data->sparse()};
}

ForecastReport forecast_report(const PairSizes& sizes, const KernelSum& kernel, double fits,
                               const RunContext& context) {
  constexpr int kUsualIterations = 15;  // of ISM on the real sets we know; slow ones need ten times as many
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
  // A step of few samples is led by what is neither a product nor shared by threads.
  constexpr double kLeast = 2e-4;
  const double iteration = kLeast + (operations + eigen) / rate;
  ForecastReport report;
  report.lines
      .add("a step", "about {:.2g} s, {} of them a fit (dgemm here: {:.1f} GFLOP/s on {})", iteration, kUsualIterations,
           rate / 1e9, counted(resolved_threads(context), "thread"))
      .add("route", routes);
  report.result = {{"dimension", sizes.q},
                   {"seconds_per_iteration", iteration},
                   {"operations_per_iteration", operations},
                   {"dgemm_rate", rate}};
  report.used = {{"pairs", routes}};
  add_seconds(report, fits * kUsualIterations * iteration);
  return report;
}

}  // namespace ritz::projection
