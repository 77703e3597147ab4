// SPDX-License-Identifier: MIT
// Rows of a sparse matrix times a row-major panel, for the instruction set of the machine it runs on.
#pragma once

#include <cstddef>

namespace ritz::detail {

struct CompressedRows {
  const int* starts;
  const int* columns;
  const double* values;
};

// out[first … last) = S[first … last)·in; the panels have `width` contiguous columns.
using PanelKernel = void (*)(CompressedRows S, std::ptrdiff_t first, std::ptrdiff_t last, const double* in, double* out,
                             std::ptrdiff_t width);
PanelKernel panel_kernel();

}  // namespace ritz::detail
