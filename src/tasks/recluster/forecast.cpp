// SPDX-License-Identifier: MIT
#include "tasks/projection/forecast.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "ritz/base/error.hpp"
#include "tasks/projection/prepare.hpp"
#include "tasks/recluster/task.hpp"

namespace ritz::recluster {

namespace {

// `classes`: of all given clusterings. Every view adds its clusters to what the next one must differ from.
double bytes_of(double data_bytes, PairSizes sizes, Index classes, const ReclusterOptions& options,
                const RunContext& context) {
  const kdac::Options& how = options.how;
  sizes.gamma_columns = classes + how.clusters * options.views;
  sizes.by_class = false;
  return projection::fit_bytes(projection::samples_held(sizes.sparse, options.scale) * data_bytes, sizes,
                               asked_kernel(options), context, how.accuracy) +
         projection::embedding_bytes(sizes.n, how.clusters);
}

Index dimension_of(const ReclusterOptions& options, Index columns) {
  return options.dim.value > 0 ? options.dim.value : std::min(options.how.clusters, columns);
}

}  // namespace

double forecast(const Dataset& data, const Given& given, const ReclusterOptions& options, const RunContext& context) {
  Index classes = 0;
  for (const Labels& labels : given.clusterings) classes += labels.classes();
  const PairSizes sizes{data.rows(), data.cols(), dimension_of(options, data.cols()), 0, false, data.sparse()};
  return bytes_of(data_bytes(data), sizes, classes, options, context);
}

ForecastReport ReclusterTask::forecast(const ReclusterSizes& asked, const ReclusterOptions& options,
                                       const Dataset* data, const RunContext& context) {
  const Index rows = data ? data->rows() : asked.rows, columns = data ? data->cols() : asked.columns;
  if (options.how.clusters == 0)
    throw Error(ErrorCode::bad_option, "say how many clusters to look for: recluster.clusters K");
  PairSizes sizes = projection::forecast_sizes(rows, columns, options.how.clusters + 1, options.dim, verb, data);
  sizes.gamma_columns = options.how.clusters + asked.classes;
  sizes.by_class = false;
  ForecastReport report = projection::forecast_report(sizes, asked_kernel(options), context);
  const double held = data ? data_bytes(*data) : 8.0 * double(rows) * double(columns);
  report.bytes = bytes_of(held, sizes, asked.classes, options, context);
  report.headline = fmt::format("recluster {} x {}, {} clusters in {}", rows, columns, options.how.clusters,
                                counted(sizes.q, "dimension"));
  report.data = {{"n", rows}, {"d", columns}, {"clusters", options.how.clusters}};
  return report;
}

}  // namespace ritz::recluster
