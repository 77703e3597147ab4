// SPDX-License-Identifier: MIT
// What samples take in memory, and whether they fit filled in.
#pragma once

#include <string>

#include "ritz/base/context.hpp"
#include "ritz/data/dataset.hpp"

namespace ritz {

inline constexpr double kStoredRows = 8192;  // of stored samples, that are in memory at a time on a few threads
double data_bytes(const Dataset& data);      // of stored ones: what is in memory of them at a time

// Columns without an entry say nothing about distances: where only these are asked for, they take no room.
enum class EmptyColumns { stay, go };
// Sparse samples as dense rows; nothing for dense data, nor, with the reason, where they would take too much.
RowMatrix filled_in(const Dataset& data, const RunContext& context, std::string& left_out,
                    EmptyColumns empty = EmptyColumns::stay);
// The samples where they are dense, else what filled_in() made of them.
RowsView dense_or(const Dataset& data, const RowMatrix& filled);

}  // namespace ritz
