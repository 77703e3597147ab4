// SPDX-License-Identifier: MIT
#pragma once

#include "report/json.hpp"
#include "tasks/reduce/interpret.hpp"

namespace ritz {

// {relevance: [{feature, relevance, low, high}], bootstrap: {…, loadings: [{feature, axis, fitted, mean, low, high}]},
//  sparse: {…, path, loadings}}; features in order of relevance, the first 20 of them.
Json interpretation_json(const Interpretation& reading);

}  // namespace ritz
