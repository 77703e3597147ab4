// SPDX-License-Identifier: MIT
#include "data/formats/raw_array.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "base/at.hpp"
#include "data/streams/growing_values.hpp"

namespace ritz::detail {

namespace {

constexpr std::size_t kChunkElements = 32 * 1024;

template <class Bits>
Bits swapped(Bits bits) {
  if constexpr (sizeof(Bits) == 2) return __builtin_bswap16(bits);
  if constexpr (sizeof(Bits) == 4) return __builtin_bswap32(bits);
  if constexpr (sizeof(Bits) == 8) return __builtin_bswap64(bits);
  return bits;
}

double half_value(std::uint16_t bits) {
  const int exponent = (bits >> 10) & 0x1F;
  const int fraction = bits & 0x3FF;
  const double sign = (bits & 0x8000) ? -1.0 : 1.0;
  if (exponent == 0x1F)
    return fraction ? std::numeric_limits<double>::quiet_NaN() : sign * std::numeric_limits<double>::infinity();
  if (exponent == 0) return sign * std::ldexp(fraction, -24);
  return sign * std::ldexp(fraction + 1024, exponent - 25);
}

template <class Bits, class Convert>
void convert_each(const char* bytes, std::size_t count, bool swap, double* out, Convert convert) {
  for (std::size_t i = 0; i < count; ++i) {
    Bits bits;
    std::memcpy(&bits, bytes + i * sizeof(Bits), sizeof(Bits));
    out[i] = convert(swap ? swapped(bits) : bits);
  }
}

template <class Bits, class Signed>
void convert_integers(const ElementType& type, const char* bytes, std::size_t count, bool swap, double* out) {
  if (type.kind == ElementKind::signed_integer)
    convert_each<Bits>(bytes, count, swap, out, [](Bits bits) { return double(std::bit_cast<Signed>(bits)); });
  else
    convert_each<Bits>(bytes, count, swap, out, [](Bits bits) { return double(bits); });
}

// Fortran order runs through the indices behind the first one the other way round than our columns do.
std::vector<Index> column_of_place(const std::vector<std::uint64_t>& shape, Index cols) {
  std::vector<Index> columns(std::size_t(cols), 0);
  Index stride_here = 1, stride_there = cols;
  for (std::size_t k = 1; k < shape.size(); ++k) {
    const Index size = Index(shape[k]);
    stride_there /= size;
    for (Index place = 0; place < cols; ++place) at(columns, place) += place / stride_here % size * stride_there;
    stride_here *= size;
  }
  return columns;
}

// Puts values of a columns-first array, beginning with the one at place `first`, where they belong.
void scatter(const double* values, Index first, Index count, const std::vector<Index>& columns, RowMatrix& X) {
  const Index n = X.rows();
  for (Index i = 0; i < count; ++i) X((first + i) % n, at(columns, (first + i) / n)) = values[i];
}

}  // namespace

Extent checked_extent(const ByteSource& source, const RawArray& array) {
  const auto too_large = [&] {
    source.fail(fmt::format("the header claims an array of {} elements, more than any file holds",
                            fmt::join(array.shape, " x ")));
  };
  constexpr std::uint64_t kMost = std::uint64_t(1) << 48;
  Extent extent;
  for (std::size_t k = 0; k < array.shape.size(); ++k) {
    const std::uint64_t size = array.shape[k];
    if (size == 0)
      throw Error(ErrorCode::bad_data,
                  fmt::format("{}: the array is empty ({})", source.name(), fmt::join(array.shape, " x ")));
    if (size > kMost / extent.count) too_large();
    extent.count *= size;
    (k == 0 ? extent.rows : extent.cols) *= Index(size);
  }
  extent.bytes = extent.count * std::uint64_t(array.element.bytes);
  if (const auto there = source.remaining(); there && *there < extent.bytes)
    source.fail(fmt::format("the header claims {} elements ({} bytes), but only {} bytes follow it",
                            fmt::join(array.shape, " x "), extent.bytes, *there));
  return extent;
}

namespace {

template <class Take>
void for_each_chunk(ByteSource& source, const RawArray& array, const Extent& extent, const RunContext& context,
                    Take take) {
  std::vector<char> bytes(kChunkElements * std::size_t(array.element.bytes));
  for (std::uint64_t done = 0; done < extent.count;) {
    context.poll();
    const std::size_t count = std::size_t(std::min<std::uint64_t>(kChunkElements, extent.count - done));
    const std::size_t wanted = count * std::size_t(array.element.bytes);
    const std::size_t got = source.read(bytes.data(), wanted);
    if (got < wanted)
      source.fail(fmt::format("the header claims {} elements ({} bytes), but only {} bytes follow it",
                              fmt::join(array.shape, " x "), extent.bytes,
                              done * std::uint64_t(array.element.bytes) + got));
    take(bytes.data(), Index(done), Index(count));
    done += count;
  }
}

}  // namespace

void decode(const ElementType& type, const char* bytes, std::size_t count, double* out) {
  const bool swap = (type.order == ByteOrder::big) == (std::endian::native == std::endian::little);
  if (type.kind == ElementKind::boolean)
    return convert_each<std::uint8_t>(bytes, count, false, out, [](std::uint8_t b) { return b ? 1.0 : 0.0; });
  if (type.kind == ElementKind::floating) {
    if (type.bytes == 2) return convert_each<std::uint16_t>(bytes, count, swap, out, half_value);
    if (type.bytes == 4)
      return convert_each<std::uint32_t>(bytes, count, swap, out,
                                         [](std::uint32_t bits) { return double(std::bit_cast<float>(bits)); });
    return convert_each<std::uint64_t>(bytes, count, swap, out,
                                       [](std::uint64_t bits) { return std::bit_cast<double>(bits); });
  }
  if (type.bytes == 1) return convert_integers<std::uint8_t, std::int8_t>(type, bytes, count, swap, out);
  if (type.bytes == 2) return convert_integers<std::uint16_t, std::int16_t>(type, bytes, count, swap, out);
  if (type.bytes == 4) return convert_integers<std::uint32_t, std::int32_t>(type, bytes, count, swap, out);
  convert_integers<std::uint64_t, std::int64_t>(type, bytes, count, swap, out);
}

RowMatrix read_raw_array(ByteSource& source, const RawArray& array, const RunContext& context) {
  const Extent extent = checked_extent(source, array);
  const bool by_columns = array.order == StorageOrder::columns_first && extent.rows > 1 && array.shape.size() > 1;
  const bool permuted = array.order == StorageOrder::columns_first && array.shape.size() > 2;
  require_reading_memory(context, double(extent.count) * sizeof(double), source.name());

  const bool in_place = !by_columns && !permuted, proven = source.remaining().has_value();
  if (!in_place && proven) {  // the bytes are there: one matrix, filled as they come
    RowMatrix X(extent.rows, extent.cols);
    const std::vector<Index> columns = column_of_place(array.shape, extent.cols);
    std::vector<double> chunk(kChunkElements);
    for_each_chunk(source, array, extent, context, [&](const char* bytes, Index done, Index count) {
      decode(array.element, bytes, std::size_t(count), chunk.data());
      scatter(chunk.data(), done, count, columns, X);
    });
    return X;
  }
  GrowingValues values(context, source.name(), extent.count);
  if (proven) values.reserve(Index(extent.count));
  for_each_chunk(source, array, extent, context, [&](const char* bytes, Index, Index count) {
    decode(array.element, bytes, std::size_t(count), values.extend(count));
  });
  if (in_place) return values.take(extent.rows, extent.cols);
  require_reading_memory(context, 2.0 * double(extent.count) * sizeof(double), source.name());
  const RowMatrix in_file_order = values.take(Index(extent.count), 1);
  RowMatrix X(extent.rows, extent.cols);
  scatter(in_file_order.data(), 0, Index(extent.count), column_of_place(array.shape, extent.cols), X);
  return X;
}

}  // namespace ritz::detail
