// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>

#include "ritz/base/error.hpp"
#include "tasks/center/task.hpp"

namespace ritz::center {

double forecast(Index subspaces, double mean_dimension, Index n) {
  // The bases as read and as kept, and some thousand of them gathered.
  const double all = 8.0 * double(subspaces) * mean_dimension * double(n);
  const double working = std::min(double(subspaces), 1000.0) * mean_dimension * double(n) * 8 * 3;
  const double dense = 8.0 * 4 * std::min(double(n) * double(n), 4e6);
  return 2 * all + working + dense;
}

ForecastReport CenterTask::forecast(const CenterSizes& asked, const CenterOptions&, const Subspaces* subspaces,
                                    const RunContext&) {
  CenterSizes sizes = asked;
  if (subspaces) {
    sizes.subspaces = subspaces->all.size();
    sizes.space = subspaces->all.ambient();
    sizes.dimension = double(subspaces->all.vectors.rows()) / double(sizes.subspaces);
  }
  if (sizes.subspaces < 1 || sizes.space < 1)
    throw Error(ErrorCode::bad_option, "nothing to estimate: give estimate.subspaces and estimate.space");
  ForecastReport report;
  report.bytes = center::forecast(sizes.subspaces, sizes.dimension, sizes.space);
  report.headline = fmt::format("centre of {} of about {:.3g} dimensions in R^{}", counted(sizes.subspaces, "subspace"),
                                sizes.dimension, sizes.space);
  report.data = {{"n", sizes.space}, {"subspaces", sizes.subspaces}};
  return report;
}

}  // namespace ritz::center
