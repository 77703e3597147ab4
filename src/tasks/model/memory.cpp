// SPDX-License-Identifier: MIT
#include "tasks/model/memory.hpp"

#include <fmt/format.h>

#include "ritz/base/error.hpp"
#include "ritz/base/text.hpp"

namespace ritz {

double data_bytes(const Dataset& data) {
  return data.sparse() ? 12.0 * double(std::get<SparseRows>(data.samples).nonZeros())
                       : 8.0 * double(data.rows()) * double(data.cols());
}

void require_memory(double bytes, const RunContext& context, std::string_view what) {
  if (bytes <= double(context.max_memory)) return;
  throw Error(ErrorCode::memory, fmt::format("{} needs about {}, but run.max_memory allows {}", what, bytes_text(bytes),
                                             bytes_text(double(context.max_memory))));
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
