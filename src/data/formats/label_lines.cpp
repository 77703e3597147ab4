// SPDX-License-Identifier: MIT
#include "data/formats/label_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>
#include <string>
#include <vector>

#include "base/at.hpp"
#include "data/formats/record.hpp"
#include "data/formats/table.hpp"
#include "ritz/base/text.hpp"

namespace ritz::detail {

namespace {

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

}  // namespace

std::vector<std::string> read_label_lines(ByteSource& source, const RunContext& context) {
  RecordReader records(source, context, kNoDelimiter);
  std::vector<std::string> labels;
  std::string_view record;
  Fields fields;
  const auto no_label = [&](long long line) { records.lines().fail_at(line, "the label is missing"); };
  while (records.next(record)) {
    if (!labels.empty() && !records.blank_lines().empty()) no_label(records.blank_lines().front());
    if (const std::size_t count = field_count(record, fields); count != 1)
      records.lines().fail_at(records.line(), fmt::format("found {} fields, expected 1", count));
    split_fields(record, kNoDelimiter, fields);
    if (is_missing(fields.of.front())) no_label(records.line());
    labels.emplace_back(fields.of.front());
  }
  const bool header =
      labels.size() > 1 && !is_number(labels.front()) && std::all_of(labels.begin() + 1, labels.end(), is_number);
  if (header) labels.erase(labels.begin());
  return labels;
}

void write_label_lines(std::ostream& out, const Labels& labels, const std::string&) {
  std::vector<std::string> texts;
  for (const std::string& name : labels.names) {
    const bool like_a_row = is_number(name.substr(0, name.find(' ')));  // "1 2" would be two fields
    texts.push_back(field_text(name, like_a_row ? ' ' : ','));
  }
  for (const int c : labels.of) out << at(texts, c) << '\n';
}

}  // namespace ritz::detail
