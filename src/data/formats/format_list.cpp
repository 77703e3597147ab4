// SPDX-License-Identifier: MIT
// The formats, which of them a file is in, and what they share.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <utility>

#include "base/at.hpp"
#include "data/formats/format.hpp"
#include "data/formats/triplets.hpp"
#include "ritz/base/error.hpp"
#include "ritz/base/text.hpp"

namespace ritz::detail {

extern const FormatRow delimited_format, npy_format, npz_format, libsvm_format, market_format, idx_format, mat_format;

namespace {

std::vector<const FormatRow*>& rows() {
  static std::vector<const FormatRow*> list = {&delimited_format, &npy_format, &npz_format, &libsvm_format,
                                               &market_format,    &idx_format, &mat_format};
  return list;
}

// Told by their first bytes, to be refused with a reason and what helps: a program that reads it and writes CSV.
struct Foreign {
  std::string_view mark, what, cure;
  bool zeros = false;  // a text may begin so, but holds no byte of zeros
};
constexpr std::string_view kSas{"\0\0\0\0\0\0\0\0\0\0\0\0\xC2\xEA\x81\x60", 16};
constexpr Foreign kForeign[] = {{"\x89HDF\r\n", "an HDF5 file", "hdf"},
                                {kSas, "a SAS data set (.sas7bdat)", "sas"},
                                {"┌", "a table drawn with lines", "batch"},
                                {"╭", "a table drawn with lines", "batch"},
                                {"╔", "a table drawn with lines", "batch"},
                                {"shape: (", "what polars prints", "polars"},
                                {"\\begin{", "a LaTeX table", "latex"},
                                {"MATLAB 7.3", "a MATLAB file of version 7.3 (save it with -v7)", ""},
                                {"PAR1", "a Parquet file", "parquet", true},
                                {"ARROW1", "a Feather (Arrow) file", "feather", true},
                                {"FEA1", "a Feather file", "feather", true},
                                {"\xD0\xCF\x11\xE0", "an Excel workbook (.xls)", "excel"},
                                {"SQLite format 3", "an SQLite database", "sql_query", true},
                                {"<stata_dta>", "a Stata file", "stata", true},
                                {"$FL2", "an SPSS file", "spss", true},
                                {"RDX", "an R workspace (.RData)", "R", true},
                                {"X\n", "an R object (.rds)", "R", true},
                                {"\x80\x04\x95", "a Python pickle", "pickle", true},
                                {"@relation", "an ARFF file", "arff"},
                                {"@RELATION", "an ARFF file", "arff"},
                                {"<!DOCTYPE", "a web page", "html"},
                                {"<html", "a web page", "html"},
                                {"-- MySQL dump", "an SQL dump", "sql"},
                                {"-- MariaDB dump", "an SQL dump", "sql"},
                                {"--\n-- PostgreSQL", "an SQL dump", "sql"},
                                {"PRAGMA ", "an SQL dump", "sql"},
                                {"BEGIN TRANSACTION;", "an SQL dump", "sql"},
                                {"CREATE TABLE ", "an SQL script", "sql"},
                                {"INSERT INTO ", "an SQL script", "sql"},
                                {"<?xml", "an XML file", "xml"},
                                {"<table", "a table of a web page", "html"},
                                {"<TABLE", "a table of a web page", "html"},
                                {"<TR>", "a table of a web page", "html"},
                                {"***************************", "what mysql prints with \\G", "batch"},
                                {"-[ RECORD ", "what psql prints with \\x", "batch"},
                                {"BZh", "a bzip2 archive", "unpack", true},
                                {"\xFD"
                                 "7zXZ",
                                 "an xz archive", "unpack"},
                                {"\x28\xB5\x2F\xFD", "a Zstandard archive", "unpack"},
                                {"7z\xBC\xAF", "a 7-Zip archive", "unpack"},
                                {"Rar!", "a RAR archive", "unpack"},
                                {"%PDF-", "a PDF document", "pdf"},
                                {"Obj\x01", "an Avro file", "avro", true},
                                {"ORC", "an ORC file", "orc", true},
                                {"HEADER RECORD*******LIBRARY", "a SAS transport file (.xpt)", "sas"},
                                {"[\n", "a JSON file", "json"},
                                {"[{", "a JSON file", "json"},
                                {"{\"", "a JSON file", "jsonl"}};

[[noreturn]] void refuse(const ByteSource& source, std::string_view what, std::string_view cure = "") {
  const std::string help =
      cure.empty()       ? fmt::format("known are {}", format_names("and"))
      : cure == "R"      ? "write it as CSV; in R: write.csv(x, \"x.csv\", row.names = FALSE)"
      : cure == "sql"    ? "write one of its tables as CSV; in Python: pandas.read_sql('select * from t', "
                           "connection).to_csv('x.csv', index=False)"
      : cure == "unpack" ? "unpack it first; gzip is read as it is"
      : cure == "pdf"    ? "copy its table into a spreadsheet and save that as CSV"
      : cure == "avro"   ? "write it as CSV with the program that made it"
      : cure == "batch"  ? "write it as CSV: psql has an option csv, mysql an option batch, sqlite3 and duckdb the "
                           "options csv and header"
      : cure == "polars" ? "write it as CSV: frame.write_csv('x.csv')"
      : cure == "latex"  ? "write it as CSV: fields with commas between them, names in the first line"
      : cure == "jsonl"
          ? "write it as CSV; in Python: pandas.read_json(…).to_csv('x.csv', index=False), with lines=True where "
            "every line is a row"
      : cure == "arff"
          ? "save its @data part as CSV"
          : fmt::format("write it as CSV; in Python: pandas.read_{}(…).to_csv('x.csv', index=False)", cure);
  throw Error(ErrorCode::bad_file, fmt::format("{}: {} cannot be read; {}", source.name(), what, help));
}

}  // namespace

std::vector<std::string> endings_of(const FormatRow& row) {
  std::vector<std::string> endings;
  for (std::string_view rest = row.endings; !rest.empty();) endings.emplace_back(next_token(rest));
  return endings;
}

std::string listed(const std::vector<std::string>& words, std::string_view last) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i)
    text += fmt::format("{}{}", i == 0 ? "" : i + 1 < words.size() ? ", " : fmt::format(" {} ", last), words[i]);
  return text;
}

std::string lower(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(), [](unsigned char c) { return char(std::tolower(c)); });
  return out;
}

void append_number(std::string& text, double value) {
  std::array<char, 32> buffer;
  const auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  text.append(buffer.data(), end);
}

Vector label_numbers(const Labels& labels, const std::string& path) {
  Vector values(labels.size());
  for (Index i = 0; i < labels.size(); ++i) {
    const std::string& name = at(labels.names, at(labels.of, i));
    const auto value = read_double(name);
    if (!value)
      throw Error(ErrorCode::bad_option, fmt::format("{}: the label '{}' is no number; write to .csv", path, name));
    values[i] = *value;
  }
  return values;
}

void OutputTable::copy_row(Index row, double* out) const {
  Eigen::Map<Eigen::RowVectorXd> copy(out, cols());
  if (dense) {
    copy = dense->row(row);
    return;
  }
  copy.setZero();
  for (SparseRows::InnerIterator it(*sparse, row); it; ++it) copy[it.col()] = it.value();
}

std::span<const FormatRow* const> format_rows() { return rows(); }

FurtherFormat::FurtherFormat(const FormatRow& row) { rows().push_back(&row); }
FurtherFormat::~FurtherFormat() { rows().pop_back(); }

NamedFormat format_named(const std::string& path) {
  std::string name = lower(path);
  if (name.ends_with(".gz")) name.resize(name.size() - 3);
  for (const FormatRow* row : rows())
    for (const std::string& ending : endings_of(*row))
      if (name.ends_with(ending)) return {row, ending};
  return {};
}

const FormatRow& format_of(const std::string& path, ByteSource& source) {
  const std::string_view head = source.peek(kHeadBytes);
  if (head.starts_with("PK") && head.find("[Content_Types].xml") != std::string_view::npos)  // a zip archive, as NPZ
    refuse(source, "an Excel workbook (.xlsx)", "excel");
  if (head.starts_with("PK") && head.find("mimetypeapplication/vnd.oasis.opendocument") != std::string_view::npos)
    refuse(source, "an OpenDocument spreadsheet (.ods)", "excel");
  constexpr std::size_t kTarMark = 257;
  if (head.size() > kTarMark && head.substr(kTarMark).starts_with("ustar")) refuse(source, "a tar archive", "unpack");
  // The last first: what is added later is asked before, and delimited text takes what nobody else knows.
  for (std::size_t r = rows().size(); r-- > 0;)
    if (const FormatRow& row = *rows()[r]; !row.no_mark.empty() && row.recognised(head)) return row;
  const bool zeros = head.find('\0') != std::string_view::npos;
  for (const Foreign& each : kForeign)
    if (head.starts_with(each.mark) && (zeros || !each.zeros)) refuse(source, each.what, each.cure);

  const NamedFormat named = format_named(path);
  if (named.row && !named.row->no_mark.empty())
    source.fail(fmt::format("this is no {} file; {}", named.row->name, named.row->no_mark));
  if (zeros) refuse(source, "a binary file of an unknown format");
  if (named.row && named.ending != ".txt") return *named.row;
  for (std::size_t r = rows().size(); r-- > 0;)
    if (const FormatRow& row = *rows()[r]; row.no_mark.empty() && row.recognised(head)) return row;
  source.fail("the format is not known");
}

}  // namespace ritz::detail

namespace ritz {

std::vector<FormatFacts> formats() {
  std::vector<FormatFacts> facts;
  for (const detail::FormatRow* row : detail::format_rows())
    facts.push_back({std::string(row->name), detail::endings_of(*row), std::string(row->help), row->write != nullptr,
                     row->write_labels != nullptr});
  return facts;
}

std::string format_names(std::string_view last) {
  std::vector<std::string> names;
  for (const detail::FormatRow* row : detail::format_rows()) names.emplace_back(row->name);
  return detail::listed(names, last);
}

}  // namespace ritz
