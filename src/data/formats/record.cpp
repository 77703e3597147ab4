// SPDX-License-Identifier: MIT
#include "data/formats/record.hpp"

#include <algorithm>

#include "data/formats/table.hpp"
#include "data/streams/growing_values.hpp"
#include "ritz/base/text.hpp"

namespace ritz::detail {

namespace {

constexpr std::size_t kSampleBytes = 64 * 1024;
constexpr std::size_t kSampleRecords = 50;

bool is_comment(std::string_view line) { return without_blanks(line).starts_with('#'); }

// Reads the quoted field at the front of `rest` and appends its content; false when it is not closed.
bool take_quoted(std::string_view& rest, std::string& content) {
  rest.remove_prefix(1);
  for (;;) {
    const std::size_t quote = rest.find('"');
    if (quote == std::string_view::npos) return false;
    content.append(rest.substr(0, quote));
    rest.remove_prefix(quote + 1);
    if (!rest.starts_with('"')) return true;
    content += '"';
    rest.remove_prefix(1);
  }
}

std::string_view take_until(std::string_view& rest, char delimiter) {
  const std::size_t end = delimiter == kBlanks ? rest.find_first_of(" \t") : rest.find(delimiter);
  const std::string_view field = rest.substr(0, end);
  rest.remove_prefix(field.size());
  return field;
}

void skip_blanks(std::string_view& rest, char delimiter) {
  while (!rest.empty() && is_blank(rest[0]) && rest[0] != (delimiter == kBlanks ? '\0' : delimiter))
    rest.remove_prefix(1);
}

// The first records with every quoted field replaced by one letter, so that delimiters can be counted before it is
// known which of them counts. A quote opens a field at the beginning or behind anything that could be a delimiter.
std::vector<std::string> masked_records(std::string_view sample, bool whole_file) {
  std::vector<std::string> records;
  std::string record, content;
  const auto finish = [&] {
    if (record.ends_with('\r')) record.pop_back();
    if (!without_blanks(record).empty() && !is_comment(record)) records.push_back(record);
    record.clear();
  };
  char before = '\n';
  while (!sample.empty() && records.size() < kSampleRecords) {
    const char c = sample.front();
    std::string_view rest = sample;
    if (c == '"' && std::string_view("\n,;\t ").find(before) != std::string_view::npos && take_quoted(rest, content)) {
      record += 'q';
      content.clear();
      sample = rest;
    } else {
      sample.remove_prefix(1);
      c == '\n' ? finish() : record.push_back(c);
    }
    before = c;
  }
  if (whole_file || records.empty()) finish();  // otherwise it may be half a line
  return records;
}

// How many records have as many fields as the first; 0 when the delimiter does not occur in it.
std::size_t agreement(const std::vector<std::string>& records, char delimiter) {
  Fields fields;
  std::size_t expected = 0, agreeing = 0;
  for (const std::string& record : records) {
    const bool closed = split_fields(record, delimiter, fields);
    const std::size_t count = fields.of.size() + (closed ? 0 : 1);
    if (expected == 0) expected = count;
    agreeing += count == expected;
  }
  return expected < 2 ? 0 : agreeing;
}

// Whether a line ends inside a quoted field. One that begins inside is judged with a quote put before it, so that long
// fields need not be split again from their beginning for every line.
bool ends_in_quotes(std::string_view line, char delimiter, bool begins_in_quotes) {
  if (!begins_in_quotes && line.find('"') == std::string_view::npos) return false;
  Fields fields;
  std::string reopened(begins_in_quotes ? "\"" : "");
  reopened += line;
  return !split_fields(reopened, delimiter, fields);
}

// Whole records of the sample.
std::vector<std::vector<std::string>> sample_records(std::string_view sample, bool whole_file, char delimiter) {
  std::vector<std::vector<std::string>> records;
  Fields fields;
  std::string record;
  bool open = false;
  while (!sample.empty() && records.size() < kSampleRecords) {
    const std::size_t end = sample.find('\n');
    if (end == std::string_view::npos && !whole_file && !records.empty()) break;  // may be half a line
    std::string_view line = sample.substr(0, end);
    sample.remove_prefix(std::min(line.size() + 1, sample.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (!open && (without_blanks(line).empty() || is_comment(line))) continue;
    record += line;
    open = ends_in_quotes(line, delimiter, open);
    if (open) {
      record += '\n';
      continue;
    }
    split_fields(record, delimiter, fields);
    records.emplace_back(fields.of.begin(), fields.of.end());
    record.clear();
  }
  return records;
}

bool is_number_field(std::string_view field) { return !is_missing(field) && read_double(field).has_value(); }

bool has_header(const std::vector<std::vector<std::string>>& records) {
  if (records.empty()) return false;
  if (records.size() == 1)  // nothing to compare with: a line of names only
    return std::ranges::none_of(records.front(), is_number_field) && !std::ranges::all_of(records.front(), is_missing);
  for (std::size_t j = 0; j < records.front().size(); ++j) {
    if (is_missing(records.front()[j]) || is_number_field(records.front()[j])) continue;
    bool numbers = false, others = false;
    for (std::size_t i = 1; i < records.size(); ++i)
      if (j < records[i].size() && !is_missing(records[i][j]))
        (is_number_field(records[i][j]) ? numbers : others) = true;
    if (numbers && !others) return true;
  }
  return false;
}

}  // namespace

std::string_view without_blanks(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

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

bool split_fields(std::string_view record, char delimiter, Fields& out) {
  out.of.clear();
  out.unquoted.clear();
  out.unquoted.reserve(record.size());  // never grows past it, so that views into it stay valid
  std::string_view rest = record;
  for (;;) {
    skip_blanks(rest, delimiter);
    if (rest.starts_with('"')) {
      const std::size_t start = out.unquoted.size();
      if (!take_quoted(rest, out.unquoted)) return false;
      out.unquoted += without_blanks(take_until(rest, delimiter));  // whatever stands behind the closing quote
      out.of.push_back(std::string_view(out.unquoted).substr(start));
    } else {
      out.of.push_back(without_blanks(take_until(rest, delimiter)));
    }
    if (delimiter == kBlanks) skip_blanks(rest, delimiter);
    if (rest.empty()) return true;
    if (delimiter != kBlanks) rest.remove_prefix(1);
  }
}

bool RecordReader::next(std::string_view& record) {
  blank_lines_.clear();
  std::string_view line;
  for (;;) {
    if (!lines_.next(line)) return false;
    if (without_blanks(line).empty() && (delimiter_ != '\t' || line.find('\t') == std::string_view::npos)) {
      require_reading_memory(context_, 2.0 * sizeof(long long) * double(blank_lines_.size()), lines_.name());
      blank_lines_.push_back(lines_.number());
    } else if (!is_comment(line))
      break;
  }
  first_line_ = lines_.number();
  record = line;
  if (!ends_in_quotes(line, delimiter_, false)) return true;
  joined_ = line;
  do {
    if (!lines_.next(line)) lines_.fail_at(first_line_, "a quoted field is never closed");
    require_reading_memory(context_, double(joined_.size() + line.size()), lines_.name());
    joined_ += '\n';
    joined_ += line;
  } while (ends_in_quotes(line, delimiter_, true));
  record = joined_;
  return true;
}

Layout guess_layout(ByteSource& source, const RunContext& context) {
  // Wide tables: take more until a second line is there to compare with.
  std::size_t size = kSampleBytes;
  std::string_view sample = source.peek(size);
  while (sample.size() >= size && std::ranges::count(sample, '\n') < 3) {
    size *= 2;
    require_reading_memory(context, double(size), source.name());
    sample = source.peek(size);
  }
  const bool whole_file = sample.size() < size;
  if (sample.starts_with(kByteOrderMark)) sample.remove_prefix(kByteOrderMark.size());

  const std::vector<std::string> records = masked_records(sample, whole_file);
  char best = kNoDelimiter;
  std::size_t best_agreement = 0;
  // Semicolon before comma: such files often hold decimal commas. Blanks last: they also stand inside texts.
  for (const char delimiter : {'\t', ';', ',', kBlanks}) {
    const std::size_t agreeing = agreement(records, delimiter);
    if (delimiter == kBlanks && 2 * agreeing <= records.size()) continue;
    if (agreeing > best_agreement) {
      best = delimiter;
      best_agreement = agreeing;
    }
  }
  return {best, has_header(sample_records(sample, whole_file, best))};
}

}  // namespace ritz::detail
