// SPDX-License-Identifier: MIT
// Readers for formats that are arrays: what reads the array is all that such a format has to say.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "data/formats/format.hpp"

namespace ritz::detail {

struct SparseTable {
  SparseRows values;
  std::vector<std::string> labels{};  // one a row, or none
};
using Content = std::variant<RowMatrix, SparseTable>;

Dataset dataset_of(Content content, const std::string& source, const ReadOptions& options);
// The labels that the file carries, else its one row or column as texts.
std::vector<std::string> label_texts(Content content, const ByteSource& source);
// The one table that the file is, dense and without a name.
std::vector<NamedMatrix> one_matrix(Dataset data, const RunContext& context);
RowMatrix dense_of(Dataset data, const RunContext& context);

// Which array of several is meant: the first of the wanted names that is there, else the only one.
std::size_t chosen_array(const std::vector<std::string>& known, std::span<const std::string_view> wanted,
                         const ByteSource& source);
inline constexpr std::array<std::string_view, 2> kSampleArrays = {"X", "x"};
inline constexpr std::array<std::string_view, 2> kLabelArrays = {"y", "labels"};

// One array a file: read(source, context) gives what Content can be made of.
template <auto read>
struct ArrayReaders {
  static Dataset dataset(ByteSource& source, const ReadOptions& options, const RunContext& context) {
    return dataset_of(Content(read(source, context)), source.name(), options);
  }
  static std::vector<std::string> labels(ByteSource& source, const std::string&, const RunContext& context) {
    return label_texts(Content(read(source, context)), source);
  }
  static std::vector<NamedMatrix> matrices(ByteSource& source, const RunContext& context) {
    return one_matrix(dataset(source, {}, context), context);
  }
};
template <auto read>
inline constexpr Readers array_readers = {ArrayReaders<read>::dataset, ArrayReaders<read>::labels,
                                          ArrayReaders<read>::matrices};

// Several arrays a file: read_one(source, names, context) gives the one that is meant, read_all(source, context) all.
template <auto read_one>
struct ArchiveReaders {
  static Dataset dataset(ByteSource& source, const ReadOptions& options, const RunContext& context) {
    return dataset_of(Content(read_one(source, kSampleArrays, context)), source.name(), options);
  }
  static std::vector<std::string> labels(ByteSource& source, const std::string&, const RunContext& context) {
    return label_texts(Content(read_one(source, kLabelArrays, context)), source);
  }
};
template <auto read_one, auto read_all>
inline constexpr Readers archive_readers = {ArchiveReaders<read_one>::dataset, ArchiveReaders<read_one>::labels,
                                            *read_all};

}  // namespace ritz::detail
