// SPDX-License-Identifier: MIT
// What samples take in memory, and whether they fit filled in.
#pragma once

#include <string>

#include "ritz/base/context.hpp"
#include "ritz/data/dataset.hpp"

namespace ritz {

double data_bytes(const Dataset& data);

// Columns without an entry say nothing about distances: where only these are asked for, they take no room.
enum class EmptyColumns { stay, go };
// Sparse samples as dense rows; nothing for dense data, nor, with the reason, where they would take too much.
RowMatrix filled_in(const Dataset& data, const RunContext& context, std::string& left_out,
                    EmptyColumns empty = EmptyColumns::stay);

}  // namespace ritz
