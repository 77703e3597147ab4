// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>

#include "data/footprint.hpp"
#include "ritz/base/error.hpp"
#include "tasks/unfold/task.hpp"

namespace ritz::unfold {

double forecast(double data_bytes, Index samples, double edges, Index dim, bool capacity) {
  constexpr double kEdgeBytes = 900;  // table, edges, A with its copies, and a factor of the springs
  constexpr double kBlocks = 24, kMatrices = 4;
  const double n = double(samples), columns = double(std::max<Index>(10, dim + 5));
  return data_bytes + kEdgeBytes * edges + 8 * kBlocks * n * columns + (capacity ? 8 * kMatrices * n * n : 0.0);
}

ForecastReport UnfoldTask::forecast(const UnfoldSizes& asked, const UnfoldOptions& options, const Dataset* data,
                                    const RunContext&) {
  UnfoldSizes sizes = asked;
  if (data) {
    sizes.rows = data->rows();
    sizes.columns = data->cols();
  }
  if (sizes.rows < 2 || (sizes.columns < 1 && options.method != UnfoldMethod::spe))
    throw Error(ErrorCode::bad_option,
                "nothing to estimate: give data X, or estimate.rows (at least 2) and estimate.columns");
  if (sizes.edges == 0) sizes.edges = sizes.rows * std::min(options.neighbours, sizes.rows);
  const bool scaled = options.scale != UnfoldScaling::none, whole = has_capacity(options);
  const double held = data ? data_bytes(*data) : 8.0 * double(sizes.rows) * double(sizes.columns);
  ForecastReport report;
  report.bytes = unfold::forecast(held * (scaled ? 2 : 1), sizes.rows, double(sizes.edges), options.how.dim, whole);
  report.headline =
      fmt::format("{} of {} samples, {} edges, {}{}", TextForm<UnfoldMethod>::print(options.method), sizes.rows,
                  sizes.edges, counted(options.how.dim, "dimension"), whole ? ", the whole spectrum" : "");
  report.data = {{"n", sizes.rows}, {"d", sizes.columns}};
  report.result = {{"edges", sizes.edges}, {"dimension", options.how.dim}, {"whole_spectrum", whole}};
  return report;
}

}  // namespace ritz::unfold
