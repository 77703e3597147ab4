// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <utility>

#include "data/formats/readers.hpp"
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
    return settled(std::move(table_), name(), options_.missing);
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
      roles_[std::size_t(j)] = Role::feature;
      table_.names.push_back(names_[std::size_t(j)]);
    }
    if (roles.label != ColumnRoles::kNone) roles_[std::size_t(roles.label)] = Role::label;
    if (roles.id != ColumnRoles::kNone) roles_[std::size_t(roles.id)] = Role::id;
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
      table_.ids.emplace_back(field);
      return;
    }
    if (is_missing(field)) return missing(records_.line(), column, out, field);
    if (roles_[column] == Role::label) {
      table_.labels.emplace_back(field);
      return;
    }
    const auto value = read_double(field);
    if (value && std::isnan(*value)) return missing(records_.line(), column, out, field);
    if (!value) fail(records_.line(), column, ErrorCode::bad_file, quoted(field) + " is not a number");
    if (std::isinf(*value)) fail(records_.line(), column, ErrorCode::not_finite, quoted(field) + " is infinite");
    *out = *value;
  }

  void missing(long long line, std::size_t column, double* out, std::string_view field) {
    if (options_.missing == MissingValues::reject)
      fail(line, column, ErrorCode::not_finite,
           fmt::format("the {} is missing{}; {}", roles_[column] == Role::label ? "label" : "value",
                       field.empty() ? "" : fmt::format(" ({})", field), kMissingAdvice));
    if (roles_[column] == Role::label) {
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

}  // namespace

Dataset read_delimited(ByteSource& source, const ReadOptions& options, const RunContext& context) {
  return DelimitedReader(source, options, context).read();
}

}  // namespace ritz::detail
