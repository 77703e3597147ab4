// SPDX-License-Identifier: MIT
// NPY, versions 1 to 3: magic, version, length of the header, the header as a Python dictionary, the elements.
#include <fmt/format.h>

#include <array>
#include <bit>
#include <charconv>
#include <cstdint>
#include <optional>
#include <ostream>
#include <string>

#include "data/formats/array_readers.hpp"
#include "data/formats/raw_array.hpp"
#include "data/streams/line_reader.hpp"

namespace ritz::detail {

namespace {

constexpr std::size_t kLongestHeader = 1024 * 1024;

// Just enough of Python's literals: texts, True, False, tuples of whole numbers.
class HeaderParser {
 public:
  HeaderParser(const ByteSource& source, std::string_view text) : source_(source), rest_(text) {}

  RawArray parse() {
    expect('{');
    while (!accept('}')) {
      const std::string key = text();
      expect(':');
      if (key == "descr") {
        element_ = element(text_or_refuse());
      } else if (key == "fortran_order") {
        order_ = truth() ? StorageOrder::columns_first : StorageOrder::rows_first;
      } else if (key == "shape") {
        shape_ = sizes();
      } else {
        damaged();
      }
      if (!accept(',')) {
        expect('}');
        break;
      }
    }
    if (!element_ || !order_ || !shape_) damaged();
    return {*element_, *shape_, *order_};
  }

 private:
  [[noreturn]] void damaged() const { source_.fail("the NPY header is damaged"); }

  void skip_blanks() { rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t\r\n"), rest_.size())); }
  bool accept(char c) {
    skip_blanks();
    if (!rest_.starts_with(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }
  void expect(char c) {
    if (!accept(c)) damaged();
  }
  std::string text() {
    skip_blanks();
    if (rest_.empty() || (rest_[0] != '\'' && rest_[0] != '"')) damaged();
    const std::size_t end = rest_.find(rest_[0], 1);
    if (end == std::string_view::npos) damaged();
    std::string inside(rest_.substr(1, end - 1));
    rest_.remove_prefix(end + 1);
    return inside;
  }
  std::string text_or_refuse() {
    skip_blanks();
    if (rest_.starts_with('['))
      throw Error(ErrorCode::unsupported, source_.name() +
                                              ": a structured NumPy array cannot be read; save its fields as "
                                              "the columns of one array");
    return text();
  }
  bool truth() {
    skip_blanks();
    for (const std::string_view word : {"True", "False"})
      if (rest_.starts_with(word)) {
        rest_.remove_prefix(word.size());
        return word == "True";
      }
    damaged();
  }
  std::vector<std::uint64_t> sizes() {
    std::vector<std::uint64_t> out;
    expect('(');
    while (!accept(')')) {
      skip_blanks();
      std::uint64_t size = 0;
      const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), size);
      if (error != std::errc() || out.size() >= 64) damaged();
      rest_.remove_prefix(std::size_t(end - rest_.data()));
      accept('L');  // Python 2 wrote long numbers so
      out.push_back(size);
      if (!accept(',')) {
        expect(')');
        break;
      }
    }
    return out;
  }
  ElementType element(std::string_view type) const {
    const auto refuse = [this, whole = type] {
      throw Error(ErrorCode::unsupported, fmt::format("{}: elements of type {} are not real numbers of at most 64 bits",
                                                      source_.name(), excerpt(whole)));
    };
    ByteOrder order = ByteOrder::little;
    if (!type.empty() && std::string_view("<>|=").find(type[0]) != std::string_view::npos) {
      if (type[0] == '>') order = ByteOrder::big;
      type.remove_prefix(1);
    }
    if (type == "?") type = "b1";
    if (type.size() != 2 || std::string_view("1248").find(type[1]) == std::string_view::npos) refuse();
    const int bytes = type[1] - '0';
    if (type[0] == 'b' && bytes == 1) return {ElementKind::boolean, 1, order};
    if (type[0] == 'i') return {ElementKind::signed_integer, bytes, order};
    if (type[0] == 'u') return {ElementKind::unsigned_integer, bytes, order};
    if (type[0] != 'f' || bytes == 1) refuse();
    return {ElementKind::floating, bytes, order};
  }

  const ByteSource& source_;
  std::string_view rest_;
  std::optional<ElementType> element_;
  std::optional<StorageOrder> order_;
  std::optional<std::vector<std::uint64_t>> shape_;
};

bool is_npy(std::string_view head) { return head.starts_with("\x93NUMPY"); }

// The header, then row(i, out) for each row.
template <class Row>
void write_npy(std::ostream& out, const std::string& shape, Index rows, Index cols, const Row& copy_row) {
  constexpr std::size_t kAlignment = 64;  // NumPy's own, so that the elements can be mapped into memory
  constexpr std::size_t kFront = 10;
  std::string header = fmt::format("{{'descr': '<f8', 'fortran_order': False, 'shape': {}, }}", shape);
  header.append(kAlignment - (kFront + header.size() + 1) % kAlignment, ' ');
  header += '\n';
  out.write("\x93NUMPY\x01\x00", 8);
  out.put(char(header.size() & 0xFF)).put(char(header.size() >> 8));
  out.write(header.data(), std::streamsize(header.size()));
  static_assert(std::endian::native == std::endian::little, "the elements are written as they lie in memory");
  Vector row(cols);
  for (Index i = 0; i < rows && out; ++i) {
    copy_row(i, row.data());
    out.write(reinterpret_cast<const char*>(row.data()), std::streamsize(std::size_t(row.size()) * sizeof(double)));
  }
}

void write_npy_table(std::ostream& out, const OutputTable& table) {
  write_npy(out, fmt::format("({}, {})", table.rows(), table.cols()), table.rows(), table.cols(),
            [&](Index i, double* row) { table.copy_row(i, row); });
}

void write_npy_labels(std::ostream& out, const Labels& labels, const std::string& path) {
  const Vector values = label_numbers(labels, path);
  write_npy(out, fmt::format("({},)", values.size()), values.size(), 1,
            [&](Index i, double* value) { *value = values[i]; });
}

}  // namespace

RawArray npy_header(ByteSource& source) {
  std::array<unsigned char, 8> magic;
  source.read_exactly(reinterpret_cast<char*>(magic.data()), magic.size(), "the NPY magic");
  if (std::string_view(reinterpret_cast<const char*>(magic.data()), 6) != "\x93NUMPY")
    source.fail("this is no NumPy array; it does not begin with \\x93NUMPY");
  const int version = magic[6];
  if (version < 1 || version > 3) source.fail(fmt::format("NPY version {} is not known; 1 to 3 are", version));

  std::array<unsigned char, 4> length{};
  source.read_exactly(reinterpret_cast<char*>(length.data()), version == 1 ? 2 : 4, "the length of the NPY header");
  const std::size_t size = std::size_t(length[0]) | std::size_t(length[1]) << 8 | std::size_t(length[2]) << 16 |
                           std::size_t(length[3]) << 24;
  if (size > kLongestHeader) source.fail(fmt::format("the NPY header claims {} bytes; it is damaged", size));
  std::string header(size, '\0');
  source.read_exactly(header.data(), size, "the NPY header");
  return HeaderParser(source, header).parse();
}

RowMatrix read_npy(ByteSource& source, const RunContext& context) {
  const RawArray array = npy_header(source);
  return read_raw_array(source, array, context);
}

extern const FormatRow npy_format = {
    .name = "NPY",
    .endings = ".npy",
    .help = "NumPy array, any real type; one dimension is a column, of more than two the first are the rows",
    .no_mark = "it does not begin with \\x93NUMPY",
    .recognised = is_npy,
    .read = array_readers<read_npy>,
    .array = npy_header,
    .write = write_npy_table,
    .write_labels = write_npy_labels,
};

}  // namespace ritz::detail
