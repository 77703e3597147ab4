// SPDX-License-Identifier: MIT
#pragma once

#include "ritz/base/options.hpp"
#include "ritz/data/dataset.hpp"
#include "ritz/pairs/backend.hpp"
#include "tasks/row.hpp"

namespace ritz::projection {

// Sizes of a fit of which only numbers are known. `told`: classes or clusters, `data`: where there are some. Throws
// bad_option where too little is known or too many dimensions are asked for.
PairSizes forecast_sizes(Index rows, Index columns, Index told, const Dimension& dim, std::string_view verb,
                         const Dataset* data);
// Time and route of an iteration; memory, headline and data are the task's.
ForecastReport forecast_report(const PairSizes& sizes, const KernelSum& kernel, const RunContext& context);

}  // namespace ritz::projection
