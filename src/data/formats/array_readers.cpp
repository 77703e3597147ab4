// SPDX-License-Identifier: MIT
#include "data/formats/array_readers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "data/formats/table.hpp"
#include "data/streams/growing_values.hpp"
#include "ritz/base/error.hpp"
#include "ritz/base/text.hpp"

namespace ritz::detail {

Dataset dataset_of(Content content, const std::string& source, const ReadOptions& options) {
  if (auto* sparse = std::get_if<SparseTable>(&content))
    return dataset_of(std::move(sparse->values), std::move(sparse->labels), source, options);
  return dataset_of(std::move(std::get<RowMatrix>(content)), source, options);
}

std::vector<std::string> label_texts(Content content, const ByteSource& source) {
  auto* sparse = std::get_if<SparseTable>(&content);
  if (sparse && !sparse->labels.empty()) return std::move(sparse->labels);
  const Index rows = sparse ? sparse->values.rows() : std::get<RowMatrix>(content).rows();
  const Index cols = sparse ? sparse->values.cols() : std::get<RowMatrix>(content).cols();
  if (rows != 1 && cols != 1)
    throw Error(ErrorCode::bad_shape,
                fmt::format("{}: labels are one column; this array is {} x {}", source.name(), rows, cols));
  const RowMatrix values = sparse ? RowMatrix(sparse->values) : std::move(std::get<RowMatrix>(content));
  std::vector<std::string> texts;
  texts.reserve(std::size_t(values.size()));
  for (Index i = 0; i < values.size(); ++i) {
    if (!std::isfinite(values.data()[i]))
      throw Error(ErrorCode::not_finite,
                  fmt::format("{}, row {}: the label is missing or infinite", source.name(), i + 1));
    texts.push_back(number_text(values.data()[i]));
  }
  return texts;
}

RowMatrix dense_of(Dataset data, const RunContext& context) {
  if (!data.sparse()) return std::move(data.dense());
  require_reading_memory(context, double(data.rows()) * double(data.cols()) * sizeof(double), data.source);
  return RowMatrix(std::get<SparseRows>(data.samples));
}

std::vector<NamedMatrix> one_matrix(Dataset data, const RunContext& context) {
  std::vector<NamedMatrix> one(1);
  one[0].values = dense_of(std::move(data), context);
  return one;
}

std::size_t chosen_array(const std::vector<std::string>& known, std::span<const std::string_view> wanted,
                         const ByteSource& source) {
  for (const std::string_view name : wanted)
    if (const auto found = std::ranges::find(known, name); found != known.end())
      return std::size_t(found - known.begin());
  if (known.size() == 1) return 0;
  if (known.empty()) source.fail("the file holds no arrays of real numbers");
  std::string all;
  for (const std::string& name : known) all += (all.empty() ? "" : ", ") + name;
  source.fail(fmt::format("the file holds several arrays and none is called {}; it has: {}", wanted.front(), all));
}

}  // namespace ritz::detail
