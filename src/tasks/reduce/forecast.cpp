// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>

#include "ritz/base/error.hpp"
#include "tasks/projection/forecast.hpp"
#include "tasks/reduce/choose.hpp"
#include "tasks/reduce/prepare.hpp"
#include "tasks/reduce/task.hpp"

namespace ritz::reduce {

ForecastReport ReduceTask::forecast(const ReduceSizes& asked, const ReduceOptions& options, const Dataset* data,
                                    const RunContext& context) {
  ReduceSizes sizes = asked;
  if (data) {
    sizes.rows = data->rows();
    sizes.columns = data->cols();
    if (data->labels.size() > 0) sizes.classes = data->labels.classes();
  }
  const bool clusters = finds_clusters(options.mode);
  const Index told = clusters && options.clusters > 0 ? options.clusters : sizes.classes;
  const PairSizes pairs = projection::forecast_sizes(sizes.rows, sizes.columns, told, options.dim, verb, data);
  const KernelSum kernel = widest_kernel(options);
  const double held = data ? data_bytes(*data) : 8.0 * double(pairs.n) * double(pairs.d);
  ForecastReport report = projection::forecast_report(pairs, kernel, context);
  report.bytes = fit_bytes(held, pairs, kernel, options, context);
  report.headline = fmt::format("reduce {} x {}, {} {} -> {} dimensions", pairs.n, pairs.d, told,
                                clusters ? "clusters" : "classes", pairs.q);
  report.data = {{"n", pairs.n}, {"d", pairs.d}, {"classes", told}};
  return report;
}

}  // namespace ritz::reduce
