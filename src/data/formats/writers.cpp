// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <ostream>
#include <string>

#include "data/formats/format.hpp"
#include "data/streams/gzip_stream.hpp"
#include "ritz/base/error.hpp"
#include "ritz/data/io.hpp"

namespace ritz {

namespace {

enum class OutputFormat { comma, tab, blank, npy, matrix_market, libsvm };

OutputFormat output_format(const std::string& path) {
  const std::string ending = detail::extension(path);
  if (path == "-" || ending == ".csv") return OutputFormat::comma;
  if (ending == ".tsv") return OutputFormat::tab;
  if (ending == ".txt") return OutputFormat::blank;
  if (ending == ".npy") return OutputFormat::npy;
  if (ending == ".mtx") return OutputFormat::matrix_market;
  if (ending == ".libsvm" || ending == ".svm") return OutputFormat::libsvm;
  throw Error(
      ErrorCode::bad_option,
      fmt::format("{}: the ending must say the format: .csv, .tsv, .txt, .npy or .mtx, each also with .gz", path));
}

void write_file(const std::string& path, const std::function<void(std::ostream&)>& fill) {
  if (!path.ends_with(".gz")) return write_atomically(path, fill);
  write_atomically(path, [&](std::ostream& below) {
    detail::GzipBuffer buffer(below);
    std::ostream out(&buffer);
    fill(out);
    buffer.finish();
  });
}

// The text of number_text, without a string for each.
void append_number(std::string& text, double value) {
  std::array<char, 32> buffer;
  const auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  text.append(buffer.data(), end);
}

// Quotes a field that would not read back as itself without.
std::string field_text(const std::string& field, char delimiter) {
  const bool plain = !field.empty() && field.find_first_of("\"\n\r,;\t") == std::string::npos &&
                     field.find(delimiter) == std::string::npos && !field.starts_with('#') && field.front() != ' ' &&
                     field.back() != ' ';
  if (plain) return field;
  std::string text = "\"";
  for (const char c : field) {
    text += c;
    if (c == '"') text += c;
  }
  return text + '"';
}

char delimiter_of(OutputFormat format) {
  return format == OutputFormat::tab ? '\t' : format == OutputFormat::blank ? ' ' : ',';
}

// Rows one at a time, so that sparse samples need no dense copy.
struct RowSource {
  Index rows, cols;
  std::function<void(Index row, double* out)> copy_row;
};

RowSource rows_of(DataView values) {
  return {values.rows(), values.cols(), [view = Eigen::Ref<const RowMatrix>(values)](Index i, double* out) {
            Eigen::Map<Eigen::RowVectorXd>(out, view.cols()) = view.row(i);
          }};
}

RowSource rows_of(const SparseRows& values) {
  return {values.rows(), values.cols(), [&values](Index i, double* out) {
            Eigen::Map<Eigen::RowVectorXd>(out, values.cols()).setZero();
            for (SparseRows::InnerIterator it(values, i); it; ++it) out[it.col()] = it.value();
          }};
}

void write_delimited(std::ostream& out, const RowSource& source, char delimiter,
                     const std::vector<std::string>& names) {
  std::string line;
  for (std::size_t j = 0; j < names.size(); ++j) {
    if (j > 0) line += delimiter;
    line += field_text(names[j], delimiter);
  }
  if (!names.empty()) out << line << '\n';
  Vector row(source.cols);
  for (Index i = 0; i < source.rows && out; ++i) {
    source.copy_row(i, row.data());
    line.clear();
    for (Index j = 0; j < source.cols; ++j) {
      if (j > 0) line += delimiter;
      append_number(line, row[j]);
    }
    line += '\n';
    out.write(line.data(), std::streamsize(line.size()));
  }
}

void write_npy(std::ostream& out, const RowSource& source, const std::string& shape) {
  constexpr std::size_t kAlignment = 64;  // NumPy's own, so that the elements can be mapped into memory
  constexpr std::size_t kFront = 10;
  std::string header = fmt::format("{{'descr': '<f8', 'fortran_order': False, 'shape': {}, }}", shape);
  header.append(kAlignment - (kFront + header.size() + 1) % kAlignment, ' ');
  header += '\n';
  out.write("\x93NUMPY\x01\x00", 8);
  out.put(char(header.size() & 0xFF)).put(char(header.size() >> 8));
  out.write(header.data(), std::streamsize(header.size()));
  static_assert(std::endian::native == std::endian::little, "the elements are written as they lie in memory");
  Vector row(source.cols);
  for (Index i = 0; i < source.rows && out; ++i) {
    source.copy_row(i, row.data());
    out.write(reinterpret_cast<const char*>(row.data()), std::streamsize(std::size_t(row.size()) * sizeof(double)));
  }
}

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

void append_pair(std::string& line, Index column, double value) {
  if (value == 0) return;
  line += fmt::format(" {}:", column + 1);
  append_number(line, value);
}

void append_pairs(std::string& line, DataView values, Index row) {
  for (Index j = 0; j < values.cols(); ++j) append_pair(line, j, values(row, j));
}

void append_pairs(std::string& line, const SparseRows& values, Index row) {
  for (SparseRows::InnerIterator it(values, row); it; ++it) append_pair(line, it.col(), it.value());
}

template <class Values>
void write_libsvm(std::ostream& out, const Values& values, const Labels& labels) {
  std::string line;
  for (Index i = 0; i < values.rows() && out; ++i) {
    line = labels.size() > 0 ? labels.names[std::size_t(labels.of[std::size_t(i)])] : "0";
    append_pairs(line, values, i);
    line += '\n';
    out.write(line.data(), std::streamsize(line.size()));
  }
}

void write_rows(std::ostream& out, OutputFormat format, const RowSource& source,
                const std::vector<std::string>& names) {
  if (format == OutputFormat::npy)
    write_npy(out, source, fmt::format("({}, {})", source.rows, source.cols));
  else
    write_delimited(out, source, delimiter_of(format), names);
}

void check_names(const std::string& path, Index cols, const std::vector<std::string>& names) {
  if (!names.empty() && Index(names.size()) != cols)
    throw Error(ErrorCode::bad_shape, fmt::format("{}: {} column names for {} columns", path, names.size(), cols));
}

void check_libsvm_labels(const std::string& path, const Labels& labels) {
  for (const std::string& name : labels.names)
    if (name.empty() || name.find_first_of(" \t\r\n:#") != std::string::npos)
      throw Error(ErrorCode::bad_option, fmt::format("{}: the label '{}' cannot stand in a LIBSVM file", path, name));
}

}  // namespace

void require_matrix_format(const std::string& path) { output_format(path); }

void write_matrix(const std::string& path, DataView values, const std::vector<std::string>& column_names) {
  const OutputFormat format = output_format(path);
  check_names(path, values.cols(), column_names);
  write_file(path, [&](std::ostream& out) {
    if (format == OutputFormat::matrix_market) return write_market_array(out, values);
    if (format == OutputFormat::libsvm) return write_libsvm(out, values, {});
    write_rows(out, format, rows_of(values), column_names);
  });
}

void write_labels(const std::string& path, const Labels& labels) {
  const std::string ending = detail::extension(path);
  if (ending == ".npy" || ending == ".mtx") {
    RowMatrix values(labels.size(), 1);
    for (Index i = 0; i < labels.size(); ++i) {
      const std::string& name = labels.names[std::size_t(labels.of[std::size_t(i)])];
      const auto value = read_double(name);
      if (!value)
        throw Error(ErrorCode::bad_option, fmt::format("{}: the label '{}' is no number; write to .csv", path, name));
      values(i, 0) = *value;
    }
    return write_file(path, [&](std::ostream& out) {
      if (ending == ".mtx") return write_market_array(out, values);
      write_npy(out, rows_of(values), fmt::format("({},)", labels.size()));
    });
  }
  std::vector<std::string> texts;
  for (const std::string& name : labels.names) {
    const bool like_a_row = read_double(name.substr(0, name.find(' '))).has_value();  // "1 2" would be two fields
    texts.push_back(field_text(name, like_a_row ? ' ' : ','));
  }
  write_file(path, [&](std::ostream& out) {
    for (const int c : labels.of) out << texts[std::size_t(c)] << '\n';
  });
}

void write_dataset(const std::string& path, const Dataset& data) {
  const OutputFormat format = output_format(path);
  check_names(path, data.cols(), data.feature_names);
  if (format == OutputFormat::libsvm) check_libsvm_labels(path, data.labels);
  write_file(path, [&](std::ostream& out) {
    std::visit(
        [&](const auto& X) {
          if (format == OutputFormat::libsvm) return write_libsvm(out, X, data.labels);
          if (format != OutputFormat::matrix_market) return write_rows(out, format, rows_of(X), data.feature_names);
          if constexpr (std::is_same_v<std::decay_t<decltype(X)>, RowMatrix>)
            write_market_array(out, X);
          else
            write_market_coordinates(out, X);
        },
        data.samples);
  });
}

}  // namespace ritz
