// SPDX-License-Identifier: MIT
#pragma once

#include <functional>

#include "ritz/data/dataset.hpp"

namespace ritz {

// n rows that are computed, a block after the other, and kept in a scratch file: make(rows) gives the given ones.
StoredRows keep_rows(Index rows, Index cols, Index rows_per_block, const std::function<RowMatrix(Range rows)>& make);

}  // namespace ritz
