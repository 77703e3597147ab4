// SPDX-License-Identifier: MIT
// MAT files of version 5 (MATLAB's -v6 and -v7, Octave's, SciPy's): a header of 128 bytes, then elements, each a type,
// a size and data padded to 8 bytes; a compressed element holds another one. Real numeric matrices are read, also those
// inside cell arrays; texts, structures, sparse and complex arrays are passed over.
#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>

#include "data/formats/array_readers.hpp"
#include "data/formats/raw_array.hpp"
#include "data/streams/growing_values.hpp"

namespace ritz::detail {

namespace {

enum Type : std::uint32_t { kInt32 = 5, kMatrix = 14, kCompressed = 15 };
enum Class : std::uint32_t { kCell = 1, kFirstNumeric = 6, kLastNumeric = 15 };
constexpr std::uint32_t kComplex = 0x0800;
constexpr int kDeepest = 8;  // cells inside cells

struct NumberType {
  std::uint32_t type;
  ElementKind kind;
  int bytes;
};
constexpr NumberType kNumberTypes[] = {{1, ElementKind::signed_integer, 1},  {2, ElementKind::unsigned_integer, 1},
                                       {3, ElementKind::signed_integer, 2},  {4, ElementKind::unsigned_integer, 2},
                                       {5, ElementKind::signed_integer, 4},  {6, ElementKind::unsigned_integer, 4},
                                       {7, ElementKind::floating, 4},        {9, ElementKind::floating, 8},
                                       {12, ElementKind::signed_integer, 8}, {13, ElementKind::unsigned_integer, 8}};

struct Element {
  std::uint32_t type = 0;
  std::string_view data;
};

class Parser {
 public:
  Parser(const ByteSource& source, ByteOrder order, const RunContext& context)
      : source_(source), order_(order), context_(context) {}

  // `packed`: inside a compressed element, where no other compressed one may be.
  void elements(std::string_view bytes, std::vector<NamedMatrix>& found, bool packed = false) const {
    while (!bytes.empty()) {
      const Element element = next(bytes);
      if (element.type == kCompressed && packed) damaged();
      if (element.type == kCompressed)
        elements(unpacked(element.data), found, true);
      else if (element.type == kMatrix)
        matrix(element.data, "", 0, found);
    }
  }

 private:
  [[noreturn]] void damaged() const { source_.fail("the MAT file is damaged or cut short"); }

  std::uint32_t word_at(const char* place) const {
    std::uint32_t word;
    std::memcpy(&word, place, sizeof word);
    return order_ == ByteOrder::big ? __builtin_bswap32(word) : word;
  }

  // Takes one element off the front.
  Element next(std::string_view& bytes) const {
    if (bytes.size() < 8) damaged();
    const auto word = word_at(bytes.data());
    if (word >> 16 != 0) {  // up to four bytes, in the place of the size
      const std::size_t size = word >> 16;
      if (size > 4) damaged();
      const Element small{word & 0xFFFF, bytes.substr(4, size)};
      bytes.remove_prefix(8);
      return small;
    }
    const auto size = std::size_t(word_at(bytes.data() + 4));
    bytes.remove_prefix(8);
    if (size > bytes.size()) damaged();
    const Element element{word, bytes.substr(0, size)};
    const std::size_t padded = word == kCompressed ? size : (size + 7) / 8 * 8;
    bytes.remove_prefix(std::min(padded, bytes.size()));
    return element;
  }

  std::string unpacked(std::string_view packed) const {
    z_stream stream{};
    if (inflateInit(&stream) != Z_OK) throw std::bad_alloc();
    const std::unique_ptr<z_stream, int (*)(z_stream*)> closer(&stream, inflateEnd);
    std::string out;
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
    stream.avail_in = uInt(packed.size());
    int status = Z_OK;
    constexpr std::size_t kChunk = 1 << 20;
    while (status == Z_OK) {
      const std::size_t before = out.size();
      require_reading_memory(context_, 2.0 * double(before + kChunk), source_.name());
      context_.poll();
      out.resize(before + kChunk);
      stream.next_out = reinterpret_cast<Bytef*>(out.data() + before);
      stream.avail_out = uInt(kChunk);
      status = inflate(&stream, Z_NO_FLUSH);
      out.resize(before + kChunk - stream.avail_out);
      if (status == Z_OK && stream.avail_out > 0) break;  // the input ended before the stream did
    }
    if (status != Z_STREAM_END) damaged();
    return out;
  }

  void matrix(std::string_view bytes, std::string name, int depth, std::vector<NamedMatrix>& found) const {
    if (bytes.empty()) return;  // an empty cell
    const Element flags = next(bytes), sizes = next(bytes), own_name = next(bytes);
    if (flags.data.size() < 8 || sizes.type != kInt32 || sizes.data.size() % 4 != 0) damaged();
    const auto word = word_at(flags.data.data());
    const std::uint32_t kind = word & 0xFF;
    if (name.empty()) name = own_name.data;
    double count = 1;
    std::vector<Index> shape;
    for (std::size_t at = 0; at < sizes.data.size(); at += 4) {
      shape.push_back(std::int32_t(word_at(sizes.data.data() + at)));
      if (shape.back() < 0) damaged();
      count *= double(shape.back());
    }
    if (shape.size() < 2) damaged();
    if (kind == kCell) {
      if (depth >= kDeepest || count * 8 > double(bytes.size())) damaged();
      for (Index i = 0; i < Index(count); ++i) {
        const Element cell = next(bytes);
        if (cell.type != kMatrix) damaged();
        matrix(cell.data, fmt::format("{}{{{}}}", name, i + 1), depth + 1, found);
      }
      return;
    }
    if (kind < kFirstNumeric || kind > kLastNumeric || (word & kComplex) != 0 || shape.size() != 2) return;
    const Element values = next(bytes);
    const auto* type = std::ranges::find(kNumberTypes, values.type, &NumberType::type);
    if (type == std::end(kNumberTypes) || double(values.data.size()) != count * double(type->bytes)) damaged();
    require_reading_memory(context_, count * sizeof(double), source_.name());
    RowMatrix out(shape[0], shape[1]);
    Vector column(out.size() > 0 ? out.rows() : 0);  // without columns a file of no size may claim any rows
    for (Index j = 0; j < out.cols(); ++j) {
      decode({type->kind, type->bytes, order_}, values.data.data() + j * out.rows() * type->bytes,
             std::size_t(out.rows()), column.data());
      out.col(j) = column;
    }
    found.push_back({std::move(name), std::move(out)});
  }

  const ByteSource& source_;
  ByteOrder order_;
  const RunContext& context_;
};

bool is_mat(std::string_view head) { return head.starts_with("MATLAB 5.0"); }

std::vector<NamedMatrix> read_mat(ByteSource& source, const RunContext& context) {
  constexpr std::size_t kHeader = 128;
  std::string header(kHeader, '\0');
  source.read_exactly(header.data(), kHeader, "the MAT header");
  const std::string_view order = std::string_view(header).substr(126);
  if (order != "IM" && order != "MI") source.fail("the MAT header is damaged");
  std::string bytes;
  constexpr std::size_t kChunk = 1 << 20;
  for (std::size_t got = kChunk; got == kChunk;) {
    const std::size_t before = bytes.size();
    require_reading_memory(context, 2.0 * double(before + kChunk), source.name());
    context.poll();
    bytes.resize(before + kChunk);
    got = source.read(bytes.data() + before, kChunk);
    bytes.resize(before + got);
  }
  std::vector<NamedMatrix> found;
  Parser(source, order == "MI" ? ByteOrder::big : ByteOrder::little, context).elements(bytes, found);
  return found;
}

RowMatrix read_mat_array(ByteSource& source, std::span<const std::string_view> wanted, const RunContext& context) {
  std::vector<NamedMatrix> all = read_mat(source, context);
  std::vector<std::string> names;
  for (const NamedMatrix& each : all) names.push_back(each.name);
  return std::move(all[chosen_array(names, wanted, source)].values);
}

}  // namespace

extern const FormatRow mat_format = {
    .name = "MAT",
    .endings = ".mat",
    .help = "MATLAB -v6 or -v7: real matrices, also in cells; the one named X (labels: y), else the only one",
    .no_mark = "it is not of version 5; save it with -v7",
    .recognised = is_mat,
    .read = archive_readers<read_mat_array, read_mat>,
};

}  // namespace ritz::detail
