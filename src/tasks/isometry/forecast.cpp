// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "linalg/products/dgemm_rate.hpp"
#include "ritz/base/error.hpp"
#include "tasks/isometry/task.hpp"

namespace ritz::isometry {

namespace {

// Of the search and the comparison together, on the sets we know; a small rank or distortion takes more.
constexpr int kUsualSweeps = 15;
constexpr double kSingleRate = 1.8;  // products in single precision against double

}  // namespace

double forecast(double rows, double columns) {
  // The samples, the search's copy, the working set's, single precision twice, embedded points, tiles.
  return rows * columns * (8 * 3 + 4 * 2) + rows * std::min(columns, 200.0) * 24 + 2e8;
}

ForecastReport IsometryTask::forecast(const IsometrySizes& asked, const IsometryOptions& options, const Dataset* data,
                                      const RunContext& context) {
  const IsometrySizes sizes = data ? IsometrySizes{data->rows(), data->cols()} : asked;
  if (sizes.rows < 2 || sizes.columns < 1)
    throw Error(ErrorCode::bad_option,
                "nothing to estimate: give data X, or estimate.rows (at least 2) and estimate.columns");
  const double n = double(sizes.rows), d = double(sizes.columns);
  const double rank = options.how.rank > 0 ? double(options.how.rank) : std::ceil(d / 4);
  const double operations = n * (n - 1) * (d + rank), seconds = operations / (kSingleRate * dgemm_rate(context));
  ForecastReport report;
  report.bytes = isometry::forecast(n, d);
  report.headline = fmt::format("isometry of {} x {}, {} pairs, about {} measurements", sizes.rows, sizes.columns,
                                sizes.rows * (sizes.rows - 1) / 2, rank);
  report.lines.add("time", fmt::format("about {:.2g} s a sweep over all pairs, {:.2g} s for {} sweeps", seconds,
                                       kUsualSweeps * seconds, kUsualSweeps));
  report.data = {{"n", sizes.rows}, {"d", sizes.columns}};
  report.result = {
      {"operations_per_sweep", operations}, {"seconds_per_sweep", seconds}, {"seconds", kUsualSweeps * seconds}};
  return report;
}

}  // namespace ritz::isometry
