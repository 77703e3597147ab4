// SPDX-License-Identifier: MIT
#include "tasks/projection/report.hpp"

#include "linalg/products/dgemm_rate.hpp"

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

ForecastReport forecast_report(const PairSizes& sizes, const KernelSum& kernel, const RunContext& context) {
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
  const double iteration = (operations + eigen) / rate;
  ForecastReport report;
  report.lines
      .add("time", "about {:.2g} s an iteration, {:.2g} s for {} (dgemm here: {:.1f} GFLOP/s on {} threads)", iteration,
           kUsualIterations * iteration, kUsualIterations, rate / 1e9, resolved_threads(context))
      .add("route", routes);
  report.result = {{"dimension", sizes.q},
                   {"seconds_per_iteration", iteration},
                   {"seconds", kUsualIterations * iteration},
                   {"operations_per_iteration", operations},
                   {"dgemm_rate", rate}};
  report.used = {{"pairs", routes}};
  return report;
}

}  // namespace ritz::projection
