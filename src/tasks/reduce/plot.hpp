// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "report/plot/scatter_plot.hpp"
#include "ritz/tasks/reduce.hpp"

namespace ritz {

// The samples in the first two new dimensions, coloured by `colours`; each axis says its two strongest features.
ScatterPlot embedding_plot(const Reduction& reduction, const Labels& colours, const std::string& title,
                           const std::string& subtitle);

}  // namespace ritz
