// SPDX-License-Identifier: MIT
// One reader a format. Each reads from where the source stands and throws bad_file naming it.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "data/streams/byte_source.hpp"
#include "ritz/base/context.hpp"
#include "ritz/data/io.hpp"

namespace ritz::detail {

Dataset read_delimited(ByteSource& source, const ReadOptions& options, const RunContext& context);
// One label a line, quotes taken off. A first line is a header when it is no number and all the others are.
std::vector<std::string> read_label_lines(ByteSource& source, const RunContext& context);

RowMatrix read_npy(ByteSource& source, const RunContext& context);
// The array with the first of these names that is there, else the only one.
RowMatrix read_npz(ByteSource& source, std::span<const std::string_view> names, const RunContext& context);
// Every array, in the order of the archive.
std::vector<NamedMatrix> read_npz_all(ByteSource& source, const RunContext& context);
std::vector<NamedMatrix> read_mat(ByteSource& source, const RunContext& context);
RowMatrix read_idx(ByteSource& source, const RunContext& context);

struct SparseTable {
  SparseRows values;
  std::vector<std::string> labels;  // one a row
};
SparseTable read_libsvm(ByteSource& source, const RunContext& context);
std::variant<RowMatrix, SparseRows> read_matrix_market(ByteSource& source, const RunContext& context);

}  // namespace ritz::detail
