// SPDX-License-Identifier: MIT
#include "data/stored/keep_rows.hpp"

#include "data/stored/scratch_file.hpp"

namespace ritz {

StoredRows keep_rows(Index rows, Index cols, Index rows_per_block, const std::function<RowMatrix(Range rows)>& make) {
  auto scratch = std::make_shared<detail::ScratchFile>();
  for (Index t = 0; t < tile_count(rows, rows_per_block); ++t) {
    const RowMatrix block = make(tile_range(rows, rows_per_block, t));
    scratch->append(block.data(), std::size_t(block.size()) * sizeof(double));
  }
  return detail::rows_in(std::move(scratch), 0, detail::kOwnElement, rows, cols);
}

}  // namespace ritz
