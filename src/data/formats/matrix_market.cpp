// SPDX-License-Identifier: MIT
// MatrixMarket: coordinate (sparse) or array (dense, column by column), real, integer or pattern.
#include <fmt/format.h>

#include <array>
#include <ostream>
#include <span>

#include "data/formats/array_readers.hpp"
#include "data/formats/table.hpp"
#include "data/formats/triplets.hpp"
#include "data/streams/growing_values.hpp"
#include "data/streams/line_reader.hpp"
#include "ritz/base/text.hpp"

namespace ritz::detail {

namespace {

constexpr long long kLargestSize = 1'000'000'000;

enum class Symmetry { general, symmetric, skew_symmetric };

struct Header {
  bool coordinate, pattern;
  Symmetry symmetry;
};

class MarketReader {
 public:
  MarketReader(ByteSource& source, const RunContext& context)
      : source_(source), context_(context), lines_(source, context) {}

  Content read() {
    const Header header = read_header();
    std::array<long long, 3> sizes{};
    read_sizes(std::span(sizes).first(header.coordinate ? 3 : 2));
    if (header.symmetry != Symmetry::general && sizes[0] != sizes[1])
      lines_.fail(fmt::format("a symmetric matrix cannot be {} x {}", sizes[0], sizes[1]));
    if (header.coordinate) return SparseTable{read_coordinates(header, sizes[0], sizes[1], sizes[2])};
    return read_array(header, sizes[0], sizes[1]);
  }

 private:
  Header read_header() {
    std::string_view line;
    lines_.next(line);
    std::array<std::string, 5> words;
    for (std::string& word : words) word = lower(next_token(line));
    const auto refuse = [&](const std::string& word) {
      throw Error(ErrorCode::unsupported,
                  fmt::format("{}, line 1: MatrixMarket {} cannot be read here", lines_.name(), excerpt(word)));
    };
    if (words[1] != "matrix") refuse(words[1]);
    if (words[2] != "coordinate" && words[2] != "array") refuse(words[2]);
    if (words[3] != "real" && words[3] != "double" && words[3] != "integer" && words[3] != "pattern") refuse(words[3]);
    if (words[4] != "general" && words[4] != "symmetric" && words[4] != "skew-symmetric") refuse(words[4]);
    if (words[3] == "pattern" && words[2] == "array") refuse("array pattern");
    return {words[2] == "coordinate", words[3] == "pattern",
            words[4] == "general"     ? Symmetry::general
            : words[4] == "symmetric" ? Symmetry::symmetric
                                      : Symmetry::skew_symmetric};
  }

  // The next line that is neither blank nor a comment.
  bool next_line(std::string_view& line) {
    while (lines_.next(line)) {
      const std::size_t first = line.find_first_not_of(" \t");
      if (first != std::string_view::npos && line[first] != '%') return true;
    }
    return false;
  }

  void read_sizes(std::span<long long> sizes) {
    std::string_view line;
    if (!next_line(line)) source_.fail("the line with the sizes is missing");
    for (long long& size : sizes) {
      const std::string_view token = next_token(line);
      const auto value = read_integer(token);
      if (!value || *value < 0) lines_.fail(fmt::format("expected {} sizes, found {}", sizes.size(), excerpt(token)));
      size = *value;
    }
    if (!next_token(line).empty()) lines_.fail(fmt::format("expected {} sizes, found more", sizes.size()));
    if (sizes[0] == 0 || sizes[1] == 0)
      throw Error(ErrorCode::bad_data,
                  fmt::format("{}: the matrix is empty ({} x {})", lines_.name(), sizes[0], sizes[1]));
    if (sizes[0] > kLargestSize || sizes[1] > kLargestSize)
      lines_.fail(fmt::format("{} x {} is larger than can be read", sizes[0], sizes[1]));
  }

  Index index_token(std::string_view& line, long long size, std::string_view what) {
    const std::string_view token = next_token(line);
    const auto index = read_integer(token);
    if (!index) lines_.fail(fmt::format("the {} {} is not a whole number", what, excerpt(token)));
    if (*index < 1 || *index > size) lines_.fail(fmt::format("the {} {} is outside [1, {}]", what, *index, size));
    return Index(*index - 1);
  }

  double value_token(std::string_view& line) {
    const std::string_view token = next_token(line);
    const auto value = read_double(token);
    if (!value) lines_.fail(fmt::format("{} is not a number", excerpt(token)));
    return *value;
  }

  void require_line_end(std::string_view& line) {
    if (const std::string_view token = next_token(line); !token.empty())
      lines_.fail(fmt::format("{} is more than the line should hold", excerpt(token)));
  }

  void require_count(long long found, long long expected) {
    std::string_view line;
    if (found < expected)
      source_.fail(fmt::format("the header claims {}, only {} follow", counted(expected, "entry", "entries"), found));
    if (next_line(line))
      lines_.fail(fmt::format("the header claims {}, more follow", counted(expected, "entry", "entries")));
  }

  SparseRows read_coordinates(const Header& header, long long rows, long long cols, long long count) {
    Triplets entries(context_, lines_.name());
    std::string_view line;
    long long found = 0;
    for (; found < count && next_line(line); ++found) {
      const Index i = index_token(line, rows, "row");
      const Index j = index_token(line, cols, "column");
      const double value = header.pattern ? 1.0 : value_token(line);
      require_line_end(line);
      entries.add(i, j, value);
      if (header.symmetry != Symmetry::general && i != j)
        entries.add(j, i, header.symmetry == Symmetry::symmetric ? value : -value);
    }
    require_count(found, count);
    return entries.take(rows, cols);
  }

  RowMatrix read_array(const Header& header, long long rows, long long cols) {
    const bool general = header.symmetry == Symmetry::general;
    const long long skipped = header.symmetry == Symmetry::skew_symmetric ? 1 : 0;  // its diagonal is not stored
    const long long count = general ? rows * cols : rows * (rows + 1) / 2 - skipped * rows;
    require_reading_memory(context_, 2.0 * double(rows) * double(cols) * sizeof(double), lines_.name());
    GrowingValues values(context_, lines_.name(), std::uint64_t(count));
    std::string_view line;
    long long found = 0;
    for (; found < count && next_line(line); ++found) {
      *values.extend(1) = value_token(line);
      require_line_end(line);
    }
    require_count(found, count);
    if (count == 0) return RowMatrix::Zero(rows, cols);
    const RowMatrix listed = values.take(count, 1);
    if (general) return Eigen::Map<const Matrix>(listed.data(), rows, cols);
    RowMatrix X = RowMatrix::Zero(rows, cols);
    const double sign = header.symmetry == Symmetry::symmetric ? 1.0 : -1.0;
    const double* value = listed.data();
    for (Index j = 0; j < cols; ++j)
      for (Index i = j + skipped; i < rows; ++i, ++value) {
        X(j, i) = sign * *value;
        X(i, j) = *value;
      }
    return X;
  }

  ByteSource& source_;
  const RunContext& context_;
  LineReader lines_;
};

bool is_market(std::string_view head) { return lower(head.substr(0, 14)) == "%%matrixmarket"; }

Content read_market(ByteSource& source, const RunContext& context) { return MarketReader(source, context).read(); }

void write_market_array(std::ostream& out, DataView values) {
  out << fmt::format("%%MatrixMarket matrix array real general\n{} {}\n", values.rows(), values.cols());
  std::string text;
  for (Index j = 0; j < values.cols() && out; ++j) {
    text.clear();
    for (Index i = 0; i < values.rows(); ++i) {
      append_number(text, values(i, j));
      text += '\n';
    }
    out.write(text.data(), std::streamsize(text.size()));
  }
}

void write_market_coordinates(std::ostream& out, const SparseRows& values) {
  out << fmt::format("%%MatrixMarket matrix coordinate real general\n{} {} {}\n", values.rows(), values.cols(),
                     values.nonZeros());
  std::string line;
  for (Index i = 0; i < values.rows() && out; ++i)
    for (SparseRows::InnerIterator it(values, i); it; ++it) {
      line = fmt::format("{} {} ", i + 1, it.col() + 1);
      append_number(line, it.value());
      out << line << '\n';
    }
}

void write_market(std::ostream& out, const OutputTable& table) {
  if (table.dense)
    write_market_array(out, *table.dense);
  else
    write_market_coordinates(out, *table.sparse);
}

void write_market_labels(std::ostream& out, const Labels& labels, const std::string& path) {
  write_market_array(out, RowMatrix(label_numbers(labels, path)));
}

}  // namespace

extern const FormatRow market_format = {
    .name = "MatrixMarket",
    .endings = ".mtx",
    .help = "coordinate (sparse) or array, real, integer or pattern, also symmetric",
    .no_mark = "it does not begin with %%MatrixMarket",
    .recognised = is_market,
    .read = array_readers<read_market>,
    .write = write_market,
    .write_labels = write_market_labels,
};

}  // namespace ritz::detail
