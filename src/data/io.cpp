// SPDX-License-Identifier: MIT
// Which reader a file goes to, and what its content becomes.
#include "ritz/data/io.hpp"

#include <fmt/format.h>

#include <new>
#include <utility>

#include "data/formats/format.hpp"
#include "data/formats/readers.hpp"
#include "data/formats/table.hpp"
#include "data/streams/growing_values.hpp"
#include "ritz/base/error.hpp"

namespace ritz {

using namespace detail;

namespace {

constexpr std::array<std::string_view, 2> kSampleArrays = {"X", "x"};
constexpr std::array<std::string_view, 2> kLabelArrays = {"y", "labels"};

RowMatrix chosen_matrix(std::vector<NamedMatrix> all, std::span<const std::string_view> names,
                        const ByteSource& source) {
  for (const std::string_view wanted : names)
    for (NamedMatrix& each : all)
      if (each.name == wanted) return std::move(each.values);
  if (all.size() == 1) return std::move(all.front().values);
  if (all.empty()) source.fail("the file holds no real numeric matrix");
  std::string known;
  for (const NamedMatrix& each : all) known += (known.empty() ? "" : ", ") + each.name;
  source.fail(fmt::format("the file holds several matrices and none is called {}; it has: {}", names.front(), known));
}

Dataset dataset_from(const std::string& path, ByteSource& source, const ReadOptions& options,
                     const RunContext& context) {
  const std::string& name = source.name();
  switch (detect_format(path, source)) {
    case Format::delimited:
      return read_delimited(source, options, context);
    case Format::npy:
      return dataset_of(read_npy(source, context), name, options);
    case Format::npz:
      return dataset_of(read_npz(source, kSampleArrays, context), name, options);
    case Format::mat:
      return dataset_of(chosen_matrix(read_mat(source, context), kSampleArrays, source), name, options);
    case Format::idx:
      return dataset_of(read_idx(source, context), name, options);
    case Format::libsvm: {
      SparseTable table = read_libsvm(source, context);
      return dataset_of(std::move(table.values), std::move(table.labels), name, options);
    }
    case Format::matrix_market: {
      auto values = read_matrix_market(source, context);
      if (auto* sparse = std::get_if<SparseRows>(&values)) return dataset_of(std::move(*sparse), {}, name, options);
      return dataset_of(std::move(std::get<RowMatrix>(values)), name, options);
    }
  }
  source.fail("the format is not known");
}

std::vector<std::string> texts_of(const RowMatrix& values, const ByteSource& source) {
  if (values.rows() != 1 && values.cols() != 1)
    throw Error(ErrorCode::bad_shape, fmt::format("{}: labels are one column; this array is {} x {}", source.name(),
                                                  values.rows(), values.cols()));
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

std::vector<std::string> label_texts(const std::string& path, ByteSource& source, const RunContext& context) {
  switch (detect_format(path, source)) {
    case Format::delimited:
      return read_label_lines(source, context);
    case Format::npy:
      return texts_of(read_npy(source, context), source);
    case Format::npz:
      return texts_of(read_npz(source, kLabelArrays, context), source);
    case Format::mat:
      return texts_of(chosen_matrix(read_mat(source, context), kLabelArrays, source), source);
    case Format::idx:
      return texts_of(read_idx(source, context), source);
    case Format::libsvm:
      return read_libsvm(source, context).labels;
    case Format::matrix_market: {
      const auto values = read_matrix_market(source, context);
      if (const auto* sparse = std::get_if<SparseRows>(&values)) return texts_of(RowMatrix(*sparse), source);
      return texts_of(std::get<RowMatrix>(values), source);
    }
  }
  source.fail("the format is not known");
}

RowMatrix dense_of(Dataset data, const RunContext& context) {
  if (!data.sparse()) return std::move(data.dense());
  require_memory(context, double(data.rows()) * double(data.cols()) * sizeof(double), data.source);
  return RowMatrix(std::get<SparseRows>(data.samples));
}

// The budget may be wider than the machine.
template <class Read>
auto within_memory(const std::string& path, Read read) {
  try {
    return read();
  } catch (const std::bad_alloc&) {
    throw Error(ErrorCode::memory, source_name(path) + ": the machine has not enough memory to read it");
  }
}

}  // namespace

Dataset read_dataset(const std::string& path, const ReadOptions& options, const RunContext& context) {
  return within_memory(path, [&] {
    ByteSource source = open_source(path);
    return dataset_from(path, source, options, context);
  });
}

Labels read_labels(const std::string& path, const RunContext& context) {
  return within_memory(path, [&] {
    ByteSource source = open_source(path);
    Labels labels = make_labels(label_texts(path, source, context));
    if (labels.size() == 0) throw Error(ErrorCode::bad_data, source.name() + " holds no labels");
    return labels;
  });
}

std::vector<NamedMatrix> read_matrices(const std::string& path, const RunContext& context) {
  return within_memory(path, [&] {
    ByteSource source = open_source(path);
    const Format format = detect_format(path, source);
    if (format == Format::npz) return read_npz_all(source, context);
    if (format == Format::mat) return read_mat(source, context);
    std::vector<NamedMatrix> one(1);
    one[0].values = dense_of(dataset_from(path, source, {}, context), context);
    return one;
  });
}

RowMatrix read_matrix(const std::string& path, const RunContext& context) try {
  return within_memory(path, [&] { return dense_of(read_dataset(path, {}, context), context); });
} catch (const Error& error) {
  // --na settles the samples' missing values; a row of a table beside them cannot go alone.
  const std::string text = error.what(), advice = fmt::format("; {}", kMissingAdvice);
  if (!text.ends_with(advice)) throw;
  throw Error(error.code(), text.substr(0, text.size() - advice.size()) + "; every row needs its numbers");
}

}  // namespace ritz
