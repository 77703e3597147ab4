// SPDX-License-Identifier: MIT
// What NPY, IDX and MAT have in common: bare elements, behind a header that claims a shape.
#pragma once

#include <cstdint>
#include <vector>

#include "data/streams/byte_source.hpp"
#include "ritz/base/context.hpp"
#include "ritz/base/types.hpp"

namespace ritz::detail {

enum class ElementKind { boolean, signed_integer, unsigned_integer, floating };
enum class ByteOrder { little, big };
enum class StorageOrder { rows_first, columns_first };  // C, Fortran

struct ElementType {
  ElementKind kind;
  int bytes;  // 1, 2, 4, 8
  ByteOrder order;
};

struct RawArray {
  ElementType element;
  std::vector<std::uint64_t> shape;  // the first is the number of rows, the product of the others that of columns
  StorageOrder order = StorageOrder::rows_first;
};

struct Extent {
  Index rows = 1, cols = 1;
  std::uint64_t count = 1, bytes = 0;
};
// The size that the header claims; throws bad_file, or bad_data for an empty array, where it cannot be that.
Extent checked_extent(const ByteSource& source, const RawArray& array);

// Reads the elements that follow a header. The claimed shape is compared with the bytes that are there before memory
// is taken; where that number is not known (gzip, standard input), memory grows with what has been read.
RowMatrix read_raw_array(ByteSource& source, const RawArray& array, const RunContext& context);
void decode(const ElementType& type, const char* bytes, std::size_t count, double* out);

RawArray npy_header(ByteSource& source);
// An NPY file, also what an NPZ archive holds.
RowMatrix read_npy(ByteSource& source, const RunContext& context);

}  // namespace ritz::detail
