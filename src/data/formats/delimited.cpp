// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <ostream>
#include <utility>

#include "base/at.hpp"
#include "data/formats/array_readers.hpp"
#include "data/formats/record.hpp"
#include "data/formats/table.hpp"
#include "data/streams/growing_values.hpp"
#include "ritz/base/text.hpp"

namespace ritz::detail {

namespace {

enum class Role : char { feature, label, id, dropped };

class DelimitedReader {
 public:
  DelimitedReader(ByteSource& source, const ReadOptions& options, const RunContext& context)
      : layout_(guess_layout(source, context)),
        options_(options),
        records_(source, context, layout_.delimiter),
        values_(context, source.name()) {}

  Dataset read() {
    std::string_view record;
    bool more = records_.next(record);
    if (!more) throw Error(ErrorCode::bad_data, name() + " holds no samples, only comments or blank lines");
    read_columns(record);
    if (layout_.header) more = records_.next(record);
    for (; more; more = records_.next(record)) {
      // In a file of one column a blank line is a missing value; dropping it would shift all rows behind it.
      if (roles_.size() == 1 && rows_ > 0)
        for (const long long line : records_.blank_lines()) {
          missing(line, 0, values_.extend(1), "");
          ++rows_;
        }
      if (!read_plain(record)) read_quoted(record);
      ++rows_;
    }
    if (rows_ == 0) throw Error(ErrorCode::bad_data, name() + " holds a header but no samples");
    table_.values = values_.take(rows_, Index(table_.names.size()));
    return settled(std::move(table_), name(), options_);
  }

 private:
  const std::string& name() const { return records_.lines().name(); }

  void read_columns(std::string_view record) {
    split_fields(record, layout_.delimiter, fields_);
    names_ = numbered_names(Index(fields_.of.size()));
    if (layout_.header)
      for (std::size_t j = 0; j < names_.size(); ++j)
        if (!fields_.of[j].empty()) names_[j] = fields_.of[j];
    const ColumnRoles roles = column_roles(name(), names_, options_);
    roles_.assign(names_.size(), Role::dropped);
    for (const Index j : roles.features) {
      at(roles_, j) = Role::feature;
      table_.names.push_back(at(names_, j));
    }
    if (roles.label != ColumnRoles::kNone) at(roles_, roles.label) = Role::label;
    if (roles.id != ColumnRoles::kNone) at(roles_, roles.id) = Role::id;
  }

  // The way of nearly every row: no quotes. False, with nothing taken, when there are some.
  bool read_plain(std::string_view record) {
    if (record.find('"') != std::string_view::npos) return false;
    const char delimiter = layout_.delimiter;
    const char* at = record.data();
    const char* const end = at + record.size();
    const auto skip = [&] {
      while (at != end && is_blank(*at) && (*at != delimiter || delimiter == kBlanks)) ++at;
    };
    double* out = values_.extend(Index(table_.names.size()));
    for (std::size_t j = 0; j < roles_.size(); ++j) {
      skip();
      const char* const start = at;
      bool done = false;
      if (roles_[j] == Role::feature) {
        const auto [stop, error] = std::from_chars(at, end, *out);
        at = stop;
        const bool at_blank = at != end && is_blank(*at);
        skip();
        done = error == std::errc() && std::isfinite(*out) &&
               (at == end || (delimiter == kBlanks ? at_blank : *at == delimiter));
      }
      if (!done) {
        at = start;
        while (at != end && (delimiter == kBlanks ? !is_blank(*at) : *at != delimiter)) ++at;
        take_field(without_blanks({start, std::size_t(at - start)}), j, out);
        if (delimiter == kBlanks) skip();
      }
      if (roles_[j] == Role::feature) ++out;
      const bool last = j + 1 == roles_.size();
      if (at == end ? !last : last) wrong_count(record);
      if (at != end && delimiter != kBlanks) ++at;
    }
    return true;
  }

  void read_quoted(std::string_view record) {
    split_fields(record, layout_.delimiter, fields_);
    if (fields_.of.size() != roles_.size()) wrong_count(record);
    double* out = values_.extend(Index(table_.names.size()));
    for (std::size_t j = 0; j < roles_.size(); ++j) {
      take_field(fields_.of[j], j, out);
      if (roles_[j] == Role::feature) ++out;
    }
  }

  void take_field(std::string_view field, std::size_t column, double* out) {
    if (roles_[column] == Role::dropped) return;
    if (roles_[column] == Role::id) {
      values_.hold(text_bytes(field));
      table_.ids.emplace_back(field);
      return;
    }
    const bool named = roles_[column] == Role::label && !field.empty() && field == options_.unlabelled;
    if (is_missing(field) && !named) return missing(records_.line(), column, out, field);
    if (roles_[column] == Role::label) {
      values_.hold(text_bytes(field));
      table_.labels.emplace_back(field);
      return;
    }
    const auto value = read_double(field);
    if (value && std::isnan(*value)) return missing(records_.line(), column, out, field);
    if (!value) fail(records_.line(), column, ErrorCode::bad_file, excerpt(field) + " is not a number");
    if (std::isinf(*value)) fail(records_.line(), column, ErrorCode::not_finite, excerpt(field) + " is infinite");
    *out = *value;
  }

  void missing(long long line, std::size_t column, double* out, std::string_view field) {
    if (options_.missing == MissingValues::reject)
      fail(line, column, ErrorCode::not_finite,
           fmt::format("the {} is missing{}; {}", roles_[column] == Role::label ? "label" : "value",
                       field.empty() ? "" : fmt::format(" ({})", field), kMissingAdvice));
    if (roles_[column] == Role::label) {
      values_.hold(text_bytes({}) + 2 * sizeof(Index));
      table_.unlabelled.push_back(rows_);
      table_.labels.emplace_back();
    } else {
      *out = kUnknown;
    }
  }

  [[noreturn]] void fail(long long line, std::size_t column, ErrorCode code, const std::string& sentence) const {
    const std::string column_name = layout_.header ? fmt::format(" ('{}')", names_[column]) : "";
    throw Error(code, fmt::format("{}, line {}, column {}{}: {}", name(), line, column + 1, column_name, sentence));
  }
  [[noreturn]] void wrong_count(std::string_view record) {
    split_fields(record, layout_.delimiter, fields_);
    records_.lines().fail_at(records_.line(), fmt::format("found {} {}, expected {}", fields_.of.size(),
                                                          fields_.of.size() == 1 ? "field" : "fields", roles_.size()));
  }

  Layout layout_;
  const ReadOptions& options_;
  RecordReader records_;
  GrowingValues values_;
  Fields fields_;
  std::vector<std::string> names_;  // of all columns
  std::vector<Role> roles_;
  Table table_;
  Index rows_ = 0;
};

bool any_text(std::string_view) { return true; }

Dataset read_delimited(ByteSource& source, const ReadOptions& options, const RunContext& context) {
  return DelimitedReader(source, options, context).read();
}

std::vector<NamedMatrix> read_matrices(ByteSource& source, const RunContext& context) {
  return one_matrix(read_delimited(source, {}, context), context);
}

void write_delimited(std::ostream& out, const OutputTable& table) {
  const char delimiter = table.ending == ".tsv" ? '\t' : table.ending == ".txt" ? ' ' : ',';
  std::string line;
  for (const std::string& name : table.names) {
    line += field_text(name, delimiter);
    line += delimiter;
  }
  if (!line.empty()) {
    line.back() = '\n';
    out << line;
  }
  Vector row(table.cols());
  for (Index i = 0; i < table.rows() && out; ++i) {
    table.copy_row(i, row.data());
    line.clear();
    if (table.row_names) line += field_text(at(*table.row_names, i), delimiter);
    for (Index j = 0; j < row.size(); ++j) {
      if (j > 0 || table.row_names) line += delimiter;
      append_number(line, row[j]);
    }
    line += '\n';
    out.write(line.data(), std::streamsize(line.size()));
  }
}

// A label may hold blanks ("Iris setosa"), but a line of several numbers, or of fields between delimiters, is a table.
std::size_t field_count(std::string_view record, Fields& fields) {
  for (const char delimiter : {',', '\t', ';'}) {
    split_fields(record, delimiter, fields);
    if (fields.of.size() > 1) return fields.of.size();
  }
  split_fields(record, kBlanks, fields);
  const bool numbers =
      std::ranges::all_of(fields.of, [](std::string_view field) { return read_double(field).has_value(); });
  return numbers ? fields.of.size() : 1;
}

bool is_number(const std::string& text) { return read_double(text).has_value(); }

// Quotes taken off. A first line is a header when it is no number and all the others are, or where it is the one that
// this program writes: "label", or "id,label" before rows with the sample's name.
std::vector<std::string> read_label_lines(ByteSource& source, const std::string& unlabelled,
                                          const RunContext& context) {
  RecordReader records(source, context, kNoDelimiter);
  std::vector<std::string> labels;
  double held = 0;
  std::string_view record;
  Fields fields;
  bool named = false, own_header = false;
  const auto no_label = [&](long long line) { records.lines().fail_at(line, "the label is missing"); };
  while (records.next(record)) {
    if (!labels.empty() && !records.blank_lines().empty()) no_label(records.blank_lines().front());
    if (labels.empty() && !own_header && (record == "label" || record == "id,label")) {
      named = record != "label";
      own_header = true;
      continue;
    }
    if (const std::size_t count = field_count(record, fields); count != (named ? 2 : 1))
      records.lines().fail_at(records.line(), fmt::format("found {} fields, expected {}", count, named ? 2 : 1));
    split_fields(record, named ? ',' : kNoDelimiter, fields);
    if (named) fields.of.erase(fields.of.begin());
    if (is_missing(fields.of.front()) && fields.of.front() != unlabelled) no_label(records.line());
    held += text_bytes(fields.of.front());
    require_reading_memory(context, held, source.name());
    labels.emplace_back(fields.of.front());
  }
  const bool header = !own_header && labels.size() > 1 && labels.front() != unlabelled && !is_number(labels.front()) &&
                      std::all_of(labels.begin() + 1, labels.end(), is_number);
  if (header) labels.erase(labels.begin());
  return labels;
}

// The names of the classes, quoted where they would not read back as themselves.
void write_label_lines(std::ostream& out, const Labels& labels, const std::string&) {
  std::vector<std::string> texts;
  for (const std::string& name : labels.names) {
    const bool like_a_row = is_number(name.substr(0, name.find(' ')));  // "1 2" would be two fields
    texts.push_back(field_text(name, like_a_row ? ' ' : ','));
  }
  for (const int c : labels.of) out << at(texts, c) << '\n';
}

}  // namespace

extern const FormatRow delimited_format = {
    .name = "CSV",
    .endings = ".csv .tsv .txt",
    .help = "text: commas, tabs, semicolons or blanks between the fields; a header is detected",
    .no_mark = "",
    .recognised = any_text,
    .read = {read_delimited, read_label_lines, read_matrices},
    .write = write_delimited,
    .write_labels = write_label_lines,
};

}  // namespace ritz::detail
