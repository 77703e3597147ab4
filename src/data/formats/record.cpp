// SPDX-License-Identifier: MIT
#include "data/formats/record.hpp"

#include <algorithm>
#include <iterator>

#include "data/field_values.hpp"
#include "data/formats/table.hpp"
#include "data/streams/growing_values.hpp"
#include "ritz/base/text.hpp"

namespace ritz::detail {

namespace {

constexpr std::size_t kSampleBytes = 64 * 1024;
constexpr std::size_t kSampleRecords = 50;

bool all_of(std::string_view text, std::string_view letters) { return text.find_first_not_of(letters) == text.npos; }

// "#N/A" and its like are values, which programs write for what could not be computed.
bool is_comment(std::string_view line) {
  line = without_blanks(line);
  if (!line.starts_with('#')) return false;
  const std::string_view word = line.substr(0, line.find_first_of(",;\t |"));
  return word.size() < 2 || !is_missing(word);
}

// What databases and people draw around a table: "-----+-----", "|---|:--|", "(60 rows)", "60 rows in set (0.00 sec)".
bool is_drawn(std::string_view line) {
  line = without_blanks(line);
  if (std::ranges::count(line, '-') >= 3 && line.find_first_of("+| ") != line.npos) return all_of(line, "-+|:= ");
  if (const std::size_t set = line.find(line.starts_with("1 ") ? " row in set" : " rows in set"); set != line.npos)
    return set > 0 && all_of(line.substr(0, set), "0123456789");
  if (!line.starts_with('(') || !(line.ends_with(" rows)") || line.ends_with(" row)"))) return false;
  return all_of(line.substr(1, line.find(' ') - 1), "0123456789");
}

bool is_no_record(std::string_view line) { return is_comment(line) || is_drawn(line); }

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
    if (!without_blanks(record).empty() && !is_no_record(record)) records.push_back(record);
    record.clear();
  };
  char before = '\n';
  while (!sample.empty() && records.size() < kSampleRecords) {
    const char c = sample.front();
    std::string_view rest = sample;
    if (c == '"' && std::string_view("\n,;\t |").find(before) != std::string_view::npos && take_quoted(rest, content)) {
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

struct Agreement {
  std::size_t count = 0;  // records that have the same number of fields; 0 when the delimiter does not occur
  std::size_t lead = 0;   // records before the table
};

// How many records have as many fields as the first, or as the second, where the first is a header without a name for
// the rows' names. Lines of fewer fields before a table whose lines all agree are a title, not a part of it.
Agreement agreement(const std::vector<std::string>& records, char delimiter) {
  constexpr std::size_t kMostLead = 15, kLeastRows = 3;
  Fields fields;
  std::vector<std::size_t> counts;
  for (const std::string& record : records) {
    const bool closed = split_fields(record, delimiter, fields);
    counts.push_back(fields.of.size() + (closed ? 0 : 1));
  }
  if (counts.empty()) return {};
  const bool one_short = counts.size() > 1 && counts[1] == counts[0] + 1;
  const std::size_t expected = one_short ? counts[1] : counts[0];
  const std::size_t agreeing =
      expected < 2 ? 0 : std::size_t(std::ranges::count(counts, expected)) + (one_short ? 1 : 0);
  if (agreeing == counts.size() || delimiter == kBlanks) return {agreeing, 0};
  for (std::size_t lead = 1; lead <= kMostLead && lead + kLeastRows <= counts.size(); ++lead) {
    const auto from = counts.begin() + std::ptrdiff_t(lead);
    if (*from < 2 || !std::all_of(counts.begin(), from, [&](std::size_t count) { return count < *from; })) continue;
    if (std::all_of(from, counts.end(), [&](std::size_t count) { return count == *from; }))
      return {counts.size() - lead, lead};
  }
  return {agreeing, 0};
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
    if (!open && (without_blanks(line).empty() || is_no_record(line))) continue;
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

using Records = std::vector<std::vector<std::string>>;

// Digits in groups of three, "1,234,567": at least one mark.
bool in_groups(std::string_view digits, char mark) {
  std::size_t end = digits.find(mark);
  if (end == 0 || end > 3) return false;
  for (digits.remove_prefix(end); !digits.empty(); digits.remove_prefix(4))
    if (digits.size() < 4 || digits[0] != mark ||
        !std::all_of(digits.begin() + 1, digits.begin() + 4, [](char c) { return c >= '0' && c <= '9'; }) ||
        (digits.size() > 4 && digits[4] != mark))
      return false;
  return true;
}

std::string_view without_sign(std::string_view field) {
  if (field.starts_with('-') || field.starts_with('+')) field.remove_prefix(1);
  return field;
}

// Commas that can be nothing but decimal marks speak for one; so do all commas between semicolons, where no point does.
char decimal_mark(const Records& records, char delimiter) {
  bool commas = false, grouped = false, points = false;
  for (const auto& record : records)
    for (const std::string& field : record) {
      const std::string_view digits = without_sign(field);
      if (digits.find_first_of("0123456789") == std::string::npos) continue;
      const bool plain = digits.find_first_not_of("0123456789.,eE+-") == std::string::npos;
      if (!plain && digits.find('.') == std::string::npos && dressed_number(field, ',') && !dressed_number(field, '.'))
        commas = true;  // 5,3 €
      if (!plain) continue;
      if (digits.find('.') != std::string::npos && digits.find(',') == std::string::npos && read_double(digits))
        points = true;
      if (digits.find(',') == std::string::npos) continue;
      if (in_groups(digits.substr(0, digits.find('.')), ','))
        grouped = true;
      else if (read_number(digits, ','))
        commas = true;
    }
  return !points && (commas || (grouped && delimiter == ';')) ? ',' : '.';
}

struct NumberField {
  char decimal;
  bool operator()(std::string_view field) const {
    return !is_missing(field) && read_number(field, decimal).has_value();
  }
};

// 0, 1, 2, … as pandas calls columns without names. Few of them may be numbers; with a name among them, or when the
// numbers below have fractions, they are not.
bool counts_columns(const Records& records) {
  constexpr std::size_t kMany = 8;
  std::size_t counted = 0, fractions = 0, fields = 0, names = 0;
  for (std::size_t j = 0; j < records.front().size(); ++j) {
    const std::string& name = records.front()[j];
    if (name == std::to_string(counted)) {
      ++counted;
      continue;
    }
    if (read_double(name) || (is_missing(name) && j > 0)) return false;
    ++names;
    for (std::size_t i = 1; i < records.size(); ++i)
      if (j < records[i].size() && records[i][j] == name) return false;
  }
  for (std::size_t i = 1; i < records.size(); ++i)
    for (const std::string& field : records[i]) {
      ++fields;
      fractions += field.find('.') != std::string::npos;
    }
  const bool goes_on = names == 0 && records[1].front() == std::to_string(counted);  // numbers that count themselves
  return counted >= 2 && !goes_on && (names > 0 || counted >= kMany || (counted >= 3 && 2 * fractions > fields));
}

// A line of different texts that do not come again, above columns of texts that do.
bool names_texts(const Records& records, const NumberField& is_number) {
  const auto& first = records.front();
  if (records.size() < 4 || first.size() < 2) return false;
  bool repeat = false;
  for (std::size_t j = 0; j < first.size(); ++j) {
    if (is_number(first[j]) || (is_missing(first[j]) && j > 0) || std::ranges::count(first, first[j]) > 1) return false;
    std::vector<std::string> below;
    for (std::size_t i = 1; i < records.size(); ++i)
      if (j < records[i].size() && !is_missing(records[i][j])) below.push_back(records[i][j]);
    if (std::ranges::find(below, first[j]) != below.end()) return false;
    std::ranges::sort(below);
    repeat |=
        2 * std::size_t(std::unique(below.begin(), below.end()) - below.begin()) <= below.size() && below.size() > 1;
  }
  return repeat;
}

bool has_header(const Records& records, char decimal, const std::vector<std::string>& wanted) {
  const NumberField is_number{decimal};
  if (records.empty()) return false;
  const auto& first = records.front();
  if (records.size() == 1)  // nothing to compare with: a line of names only
    return std::ranges::none_of(first, is_number) && !std::ranges::all_of(first, is_missing);
  for (std::size_t j = 0; j < first.size(); ++j) {
    if (is_missing(first[j]) || is_number(first[j])) continue;
    if (std::ranges::find(wanted, first[j]) != wanted.end()) return true;
    bool numbers = false, others = false;
    for (std::size_t i = 1; i < records.size(); ++i)
      if (j < records[i].size() && !is_missing(records[i][j])) (is_number(records[i][j]) ? numbers : others) = true;
    if (numbers && !others) return true;
  }
  return counts_columns(records) || names_texts(records, is_number);
}

// Names of columns in several lines, as pandas writes those of several levels, and lines of units: how many lines there
// are below the first. Such a line has words where all below are numbers, in two columns at least.
std::size_t further_header_lines(const Records& records, char decimal, const std::vector<std::string>& wanted) {
  constexpr std::size_t kMost = 3, kLeastRows = 3;
  const NumberField is_number{decimal};
  const auto present = [](const std::string& field) { return !is_missing(field); };
  for (std::size_t extra = 1; extra <= kMost && records.size() > extra + kLeastRows; ++extra) {
    Records rest = records;
    rest.erase(rest.begin() + 1, rest.begin() + 1 + std::ptrdiff_t(extra));
    if (!has_header(rest, decimal, wanted)) continue;
    const auto column_of_numbers = [&](std::size_t j) {
      std::size_t numbers = 0, others = 0;
      for (std::size_t i = 1; i < rest.size(); ++i)
        if (j < rest[i].size() && present(rest[i][j])) ++(is_number(rest[i][j]) ? numbers : others);
      return numbers > 0 && others == 0;
    };
    const auto is_header = [&](const std::vector<std::string>& line) {
      std::size_t words = 0;
      for (std::size_t j = 0; j < line.size(); ++j)
        words += present(line[j]) && !is_nothing(line[j]) && !is_number(line[j]) && column_of_numbers(j);
      return words >= 2;
    };
    bool all = true;
    for (std::size_t k = 1; k <= extra; ++k) all = all && is_header(records[k]);
    if (!all) continue;
    const auto& next = records[extra + 1];  // pandas names the index in a line of its own
    const bool index_alone = !is_number(next.front()) && std::none_of(next.begin() + 1, next.end(), present);
    return extra + (index_alone ? 1 : 0);
  }
  return 0;
}

// Texts between 'single' quotes, as some databases write them: all of the first line.
bool single_quoted(const Records& records) {
  return !records.empty() && std::ranges::all_of(records.front(), [](const std::string& field) {
    return without_single_quotes(field).size() + 2 == field.size();
  });
}

// Every row has one field more than the first, which holds no number but those that count columns.
bool is_one_short(const Records& records, char decimal) {
  if (records.size() < 2) return false;
  const auto& first = records.front();
  const NumberField is_number{decimal};
  const bool longer = std::all_of(records.begin() + 1, records.end(),
                                  [&](const auto& record) { return record.size() == first.size() + 1; });
  return longer && std::ranges::none_of(first, is_number);
}

bool ends_empty(const Records& records) {
  return std::all_of(records.begin() + 1, records.end(), [](const auto& record) { return record.back().empty(); });
}

}  // namespace

std::string_view without_single_quotes(std::string_view field) {
  if (field.size() < 2 || field.front() != '\'' || field.back() != '\'') return field;
  return field.substr(1, field.size() - 2);
}

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
    } else if (!is_drawn(line) && (!is_comment(line) || is_row(line))) {
      break;
    }
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

// Behind the first record a line with the right number of fields is one, also where its first text begins with #, as
// colours do; a number behind the # is a row that somebody has commented out.
bool RecordReader::is_row(std::string_view line) const {
  if (width_ < 2 || delimiter_ == kBlanks) return false;
  Fields fields;
  split_fields(line, delimiter_, fields);
  return fields.of.size() == width_ && !read_double(without_blanks(fields.of.front().substr(1)));
}

std::optional<double> read_number(std::string_view field, char decimal) {
  const std::string_view digits = without_sign(field);
  const std::size_t mark = digits.find(decimal);
  std::string_view whole = digits.substr(0, mark);
  const char group = decimal == '.' ? ',' : '.';
  const bool grouped = whole.find(group) != std::string_view::npos;
  if (grouped ? mark == std::string_view::npos && !in_groups(whole, group) : decimal == '.') return read_double(field);
  if (grouped && !in_groups(whole, group)) return std::nullopt;
  std::string text(field.substr(0, field.size() - digits.size()));
  std::ranges::copy_if(whole, std::back_inserter(text), [&](char c) { return c != group; });
  if (mark != std::string_view::npos) text.append(".").append(digits.substr(mark + 1));
  return read_double(text);
}

bool begins_with_zeros(std::string_view field) {
  return field.size() > 1 && field.front() == '0' && field.find_first_not_of("0123456789") == std::string_view::npos;
}

Layout guess_layout(ByteSource& source, const RunContext& context, const std::vector<std::string>& wanted) {
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

  Layout layout{kNoDelimiter, false};
  constexpr std::string_view kTold = "sep=";  // Excel's
  if (const std::size_t end = sample.find('\n');
      sample.starts_with(kTold) && end >= 5 && end <= 6 && end != sample.npos) {
    layout.told = true;
    layout.delimiter = sample[kTold.size()];
    sample.remove_prefix(end + 1);
  }
  const std::vector<std::string> records = masked_records(sample, whole_file);
  std::size_t best_agreement = 0;
  // Semicolon before comma: such files often hold decimal commas. Blanks last: they also stand inside texts.
  for (const char delimiter : {'\t', ';', ',', '|', kBlanks}) {
    if (layout.told) break;
    const Agreement found = agreement(records, delimiter);
    if (delimiter == kBlanks && 2 * found.count <= records.size()) continue;
    if (found.count > best_agreement) {
      layout.delimiter = delimiter;
      layout.lead = found.lead;
      best_agreement = found.count;
    }
  }
  Records parts = sample_records(sample, whole_file, layout.delimiter);
  parts.erase(parts.begin(), parts.begin() + std::ptrdiff_t(std::min(layout.lead, parts.size())));
  layout.single_quotes = single_quoted(parts);
  if (layout.single_quotes)
    for (auto& record : parts)
      for (std::string& field : record) field = std::string(without_single_quotes(field));
  layout.decimal = decimal_mark(parts, layout.delimiter);
  layout.row_names = is_one_short(parts, layout.decimal);
  if (layout.row_names && parts.front().size() == 1 && parts.size() > 3) {  // or a title above a table of two columns
    const Records rest(parts.begin() + 1, parts.end());
    if (has_header(rest, layout.decimal, wanted)) {
      layout.row_names = false;
      layout.lead += 1;
      parts = rest;
    }
  }
  if (layout.row_names && ends_empty(parts)) {
    layout.row_names = false;
    layout.last_empty = layout.header = true;
    return layout;
  }
  layout.header = layout.row_names || has_header(parts, layout.decimal, wanted);
  if (!layout.row_names && parts.size() > 1) layout.further_lines = further_header_lines(parts, layout.decimal, wanted);
  layout.header = layout.header || layout.further_lines > 0;
  return layout;
}

}  // namespace ritz::detail
