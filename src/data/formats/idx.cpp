// SPDX-License-Identifier: MIT
// IDX, the format of MNIST: 0, 0, type, number of dimensions, the sizes as 32-bit big-endian numbers, the elements.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>

#include "data/formats/array_readers.hpp"
#include "data/formats/raw_array.hpp"

namespace ritz::detail {

namespace {

struct IdxType {
  char code;
  ElementType element;
};
constexpr IdxType kIdxTypes[] = {{0x08, {ElementKind::unsigned_integer, 1, ByteOrder::big}},
                                 {0x09, {ElementKind::signed_integer, 1, ByteOrder::big}},
                                 {0x0B, {ElementKind::signed_integer, 2, ByteOrder::big}},
                                 {0x0C, {ElementKind::signed_integer, 4, ByteOrder::big}},
                                 {0x0D, {ElementKind::floating, 4, ByteOrder::big}},
                                 {0x0E, {ElementKind::floating, 8, ByteOrder::big}}};

const IdxType* idx_type(char code) {
  const auto found = std::ranges::find(kIdxTypes, code, &IdxType::code);
  return found == std::end(kIdxTypes) ? nullptr : found;
}

bool is_idx(std::string_view head) {
  return head.size() >= 4 && head[0] == 0 && head[1] == 0 && idx_type(head[2]) && head[3] >= 1 && head[3] <= 16;
}

RawArray idx_header(ByteSource& source) {
  std::array<unsigned char, 4> head;
  source.read_exactly(reinterpret_cast<char*>(head.data()), head.size(), "the IDX header");
  const IdxType* type = idx_type(char(head[2]));
  if (!type) source.fail(fmt::format("IDX knows no element type 0x{:02X}", head[2]));
  RawArray array{type->element, {}, StorageOrder::rows_first};
  for (int k = 0; k < head[3]; ++k) {
    std::array<unsigned char, 4> size;
    source.read_exactly(reinterpret_cast<char*>(size.data()), size.size(), "a size in the IDX header");
    array.shape.push_back(std::uint64_t(size[0]) << 24 | std::uint64_t(size[1]) << 16 | std::uint64_t(size[2]) << 8 |
                          size[3]);
  }
  return array;
}

RowMatrix read_idx(ByteSource& source, const RunContext& context) {
  const RawArray array = idx_header(source);
  return read_raw_array(source, array, context);
}

}  // namespace

extern const FormatRow idx_format = {
    .name = "IDX",
    .endings = ".idx -ubyte",
    .help = "the format of MNIST, any of its element types; images become rows",
    .no_mark = "it does not begin with 0, 0, a type and a number of dimensions",
    .recognised = is_idx,
    .read = array_readers<read_idx>,
    .array = idx_header,
};

}  // namespace ritz::detail
