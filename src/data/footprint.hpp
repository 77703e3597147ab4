// SPDX-License-Identifier: MIT
// What samples take in memory, and whether they fit filled in.
#pragma once

#include <string>

#include "ritz/base/context.hpp"
#include "ritz/data/dataset.hpp"

namespace ritz {

double data_bytes(const Dataset& data);

// Sparse samples as dense rows; nothing for dense data, nor, with the reason, where they would take too much.
RowMatrix filled_in(const Dataset& data, const RunContext& context, std::string& left_out);

}  // namespace ritz
