// SPDX-License-Identifier: MIT
#pragma once

#include "report/json.hpp"
#include "tasks/reduce/folds.hpp"

namespace ritz {

// {count, finished, neighbours, scaled, deviation: "population", test_sizes, notes, and for each measure
//  {mean, sd, values}}
Json folds_json(const FoldReport& report);

}  // namespace ritz
