// SPDX-License-Identifier: MIT
#include "data/footprint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "ritz/base/text.hpp"

namespace ritz {

double data_bytes(const Dataset& data) {
  if (data.stored()) return 8.0 * std::min(double(data.rows()), kStoredRows) * double(data.cols());
  return data.sparse() ? 12.0 * double(std::get<SparseRows>(data.samples).nonZeros())
                       : 8.0 * double(data.rows()) * double(data.cols());
}

RowMatrix filled_in(const Dataset& data, const RunContext& context, std::string& left_out, EmptyColumns empty) {
  constexpr double kMostNumbers = 2e8;
  if (!data.sparse()) return {};
  const auto& X = std::get<SparseRows>(data.samples);
  std::vector<Index> place;  // of each column; -1: it goes
  Index columns = X.cols();
  if (empty == EmptyColumns::go) {
    place.assign(std::size_t(X.cols()), -1);
    columns = 0;
    for (Index i = 0; i < X.rows(); ++i)
      for (SparseRows::InnerIterator it(X, i); it; ++it)
        if (place[std::size_t(it.col())] < 0) place[std::size_t(it.col())] = columns++;
  }
  const double numbers = double(data.rows()) * double(columns);
  if (numbers <= kMostNumbers && 8 * numbers <= 0.5 * double(context.max_memory)) {
    if (place.empty()) return RowMatrix(X);
    RowMatrix filled = RowMatrix::Zero(X.rows(), std::max<Index>(columns, 1));
    for (Index i = 0; i < X.rows(); ++i)
      for (SparseRows::InnerIterator it(X, i); it; ++it) filled(i, place[std::size_t(it.col())]) = it.value();
    return filled;
  }
  left_out = fmt::format("filled in, the samples would take {}", bytes_text(8 * numbers));
  return {};
}

RowsView dense_or(const Dataset& data, const RowMatrix& filled) {
  return data.sparse() ? view_of(filled) : data.dense();
}

}  // namespace ritz
