// SPDX-License-Identifier: MIT
// Readers and writers. Formats are told by the file's name and its first bytes; each may be gzipped; "-" is standard
// input. A reader trusts nothing: sizes are checked against the file before memory is taken, and an error names the
// file, the row and the column.
//
//   .csv .tsv .txt   delimited text; header and delimiter (comma, tab, semicolon, blanks) detected; quoted fields
//   .npy .npz        NumPy, any real dtype, C or Fortran order; from .npz the array named X (labels: y), else the only
//                    one; 1-D is a column, more than two dimensions become rows
//   .libsvm .svm     sparse rows "label index:value …", indices from 1; also told by its lines
//
//   .mtx             MatrixMarket, coordinate or array
//
//   idx, ubyte       IDX (MNIST), any of its element types; images become rows
//
//   .mat             MATLAB, version 5 (-v6, -v7): real numeric matrices, also in cells; the one named X, else the only
#pragma once

#include <array>
#include <functional>
#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

#include "ritz/base/context.hpp"
#include "ritz/base/text.hpp"
#include "ritz/data/dataset.hpp"

namespace ritz {

enum class MissingValues { reject, drop, mean };
template <>
struct EnumNames<MissingValues> {
  static constexpr std::array<std::string_view, 3> names = {"reject", "drop", "mean"};
};

struct ReadOptions {
  std::string label_column;               // name or 1-based number of the column that holds the labels; empty: none
  std::vector<std::string> drop_columns;  // names or 1-based numbers
  MissingValues missing = MissingValues::reject;  // empty fields, NA, NaN, ?, null
  std::string id_column{};  // name or 1-based number of the column that holds the samples' names; empty: none
};

// Reads samples. Infinite values are always an error; a row without its label is dropped unless missing values are
// rejected. Polls the context (Ctrl-C) and respects context.max_memory.
Dataset read_dataset(const std::string& path, const ReadOptions& options, const RunContext& context);
// One label a line or a one-column/one-array file of any of the formats; texts are allowed in delimited text. A first
// line is a header when it is no number and all the others are.
Labels read_labels(const std::string& path, const RunContext& context);
// A plain matrix (a projection, a basis, targets), dense.
RowMatrix read_matrix(const std::string& path, const RunContext& context);
// All matrices of a file: the arrays of .npz and .mat, in its order, else the one table that it is, without a name.
std::vector<NamedMatrix> read_matrices(const std::string& path, const RunContext& context);

// Writes beside `path` under a temporary name, flushes, and renames: never a half-written file. `fill` writes the
// content. Throws ErrorCode::unwritable naming the path and the reason. "-" is standard output; a device or a pipe is
// written to as it is, and a link keeps pointing to the file that is replaced.
void write_atomically(const std::string& path, const std::function<void(std::ostream&)>& fill);
// Throws ErrorCode::unwritable now rather than after hours of work: the folder exists and takes new files.
void require_writable(const std::string& path);
// Throws bad_option when the name's ending does not say one of write_matrix's formats.
void require_matrix_format(const std::string& path);

// The extension picks the format: .csv .tsv .txt (full precision, no header unless names are given), .npy, .mtx,
// .libsvm; a further .gz compresses. "-" is CSV.
void write_matrix(const std::string& path, DataView values, const std::vector<std::string>& column_names = {});
// Names of the classes, one a line; .npy and .mtx take numbers only. Any other extension is text.
void write_labels(const std::string& path, const Labels& labels);
// The samples, with the feature names as header in delimited text. Only .libsvm carries the labels too.
void write_dataset(const std::string& path, const Dataset& data);

}  // namespace ritz
