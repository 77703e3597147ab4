// SPDX-License-Identifier: MIT
#include "data/footprint.hpp"

#include <fmt/format.h>

#include "ritz/base/text.hpp"

namespace ritz {

double data_bytes(const Dataset& data) {
  return data.sparse() ? 12.0 * double(std::get<SparseRows>(data.samples).nonZeros())
                       : 8.0 * double(data.rows()) * double(data.cols());
}

RowMatrix filled_in(const Dataset& data, const RunContext& context, std::string& left_out) {
  constexpr double kMostNumbers = 2e8;
  const double numbers = double(data.rows()) * double(data.cols());
  if (!data.sparse()) return {};
  if (numbers <= kMostNumbers && 8 * numbers <= 0.5 * double(context.max_memory))
    return RowMatrix(std::get<SparseRows>(data.samples));
  left_out = fmt::format("filled in, the samples would take {}", bytes_text(8 * numbers));
  return {};
}

}  // namespace ritz
