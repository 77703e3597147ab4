// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>

#include "data/footprint.hpp"
#include "ritz/base/error.hpp"
#include "tasks/kernel/task.hpp"

namespace ritz::kernel {

double forecast(double data_bytes, Index samples, double edges, double pairs, double rank) {
  constexpr double kPairBytes = 300;  // as read, settled, in the dual, in the matrix
  constexpr double kEdgeBytes = 120;  // the table of neighbours, the edges, L, and A with its copies
  constexpr double kBlocks = 10;      // the block, its image, the filter's three, best and primal's best, F
  return data_bytes + kEdgeBytes * edges + kPairBytes * pairs + 8 * kBlocks * double(samples) * rank;
}

ForecastReport KernelTask::forecast(const KernelSizes& asked, const KernelOptions& options, const Dataset* data,
                                    const RunContext&) {
  KernelSizes sizes = asked;
  if (data) {
    sizes.rows = data->rows();
    sizes.columns = data->cols();
  }
  if (sizes.rows < 2 || sizes.columns < 1)
    throw Error(ErrorCode::bad_option,
                "nothing to estimate: give data X, or estimate.rows (at least 2) and estimate.columns");
  const bool scaled = resolved_scaling(options, data && data->sparse()) != Scaling::none;
  const double held = data ? data_bytes(*data) : 8.0 * double(sizes.rows) * double(sizes.columns);
  const Index k = resolved_neighbours(options, sizes.rows);
  const Index pairs = sizes.pair_count > 0 ? sizes.pair_count : sizes.rows;
  ForecastReport report;
  report.bytes = kernel::forecast(held * (scaled ? 2 : 1), sizes.rows, double(sizes.rows) * double(k), double(pairs),
                                  double(std::min(sizes.rows, sizes.rank)));
  report.headline =
      fmt::format("kernel of {} samples, {} neighbours, {} pairs, rank {}", sizes.rows, k, pairs, sizes.rank);
  report.data = {{"n", sizes.rows}, {"d", sizes.columns}};
  report.result = {{"neighbours", k}, {"pairs", pairs}, {"rank", sizes.rank}};
  return report;
}

}  // namespace ritz::kernel
