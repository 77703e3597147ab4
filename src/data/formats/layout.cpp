// SPDX-License-Identifier: MIT
// The guess at delimiter, header and decimal mark, from the first lines.
#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "data/field_letters.hpp"
#include "data/field_values.hpp"
#include "data/formats/format.hpp"
#include "data/formats/record.hpp"
#include "data/formats/table.hpp"
#include "data/streams/growing_values.hpp"
#include "ritz/base/text.hpp"

namespace ritz::detail {

namespace {

constexpr std::size_t kSampleBytes = 64 * 1024;
constexpr std::size_t kSampleRecords = 200, kMostLead = 150;

// The first records with every quoted field replaced by one letter, so that delimiters can be counted before it is
// known which of them counts. A quote opens a field at the beginning or behind anything that could be a delimiter.
std::vector<std::string> masked_records(std::string_view sample, bool whole_file) {
  std::vector<std::string> records;
  std::string record, content;
  const auto finish = [&] {
    while (record.ends_with('\r')) record.pop_back();
    if (!without_blanks(record).empty() && !is_no_record(record)) records.push_back(record);
    record.clear();
  };
  char before = '\n';
  while (!sample.empty() && records.size() < kSampleRecords) {
    const char c = sample.front();
    std::string_view rest = sample;
    if (c == '"' && std::string_view("\n,;\t |\x01^~").find(before) != std::string_view::npos &&
        take_quoted(rest, content)) {
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
  constexpr std::size_t kLeastRows = 3;
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
  const bool one_name = one_short && counts[0] == 1;  // less likely than that every line has the delimiter
  if (agreeing == counts.size() || delimiter == kBlanks) return {agreeing - (one_name ? 1 : 0), 0};
  while (counts.size() > kLeastRows && counts.back() == 1) counts.pop_back();  // remarks behind the table
  for (std::size_t lead = 1; lead <= kMostLead && lead + kLeastRows <= counts.size(); ++lead) {
    const auto from = counts.begin() + std::ptrdiff_t(lead);
    if (*from < 2 || !std::all_of(counts.begin(), from, [&](std::size_t count) { return count < *from; })) continue;
    if (std::all_of(from, counts.end(), [&](std::size_t count) { return count == *from; }))
      return {counts.size() - lead, lead};
  }
  return {agreeing, 0};
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
    while (line.ends_with('\r')) line.remove_suffix(1);
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

// What the caller knows as names of columns. Tables may have a million of them: no list is searched once a column.
using Names = std::unordered_set<std::string_view>;

bool all_differ(std::vector<std::string_view> names) {
  std::ranges::sort(names);
  return std::ranges::adjacent_find(names) == names.end();
}

// Commas that can be nothing but decimal marks speak for one; so do all commas between semicolons, where no point does.
char decimal_mark(const Records& records, char delimiter) {
  bool commas = false, grouped = false, points = false;  // points that are no groups
  for (const auto& record : records)
    for (const std::string& field : record) {
      const std::string_view digits = without_sign(field);
      if (digits.find_first_of("0123456789") == std::string::npos) continue;
      const bool plain = digits.find_first_not_of("0123456789.,eE+-") == std::string::npos;
      if (!plain && digits.find('.') == std::string::npos && dressed_number(field, ',') && !dressed_number(field, '.'))
        commas = true;  // 5,3 €
      if (!plain) continue;
      if (std::ranges::count(digits, '.') > 1 && in_groups(digits.substr(0, digits.find(',')), '.')) commas = true;
      if (digits.find('.') != std::string::npos && digits.find(',') == std::string::npos && read_double(digits) &&
          !(delimiter == ';' && in_groups(digits, '.')))
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

// The numbers of a record, where each is as much more than the one before; else none.
std::vector<double> progression(const std::vector<std::string>& record) {
  constexpr double kExact = 1e-9;
  std::vector<double> numbers;
  for (const std::string& field : record)
    if (const auto value = read_double(field)) numbers.push_back(*value);
  for (std::size_t k = 1; k < numbers.size(); ++k) {
    const double step = numbers[1] - numbers[0];
    if (step == 0 || std::abs(numbers[k] - numbers[k - 1] - step) > kExact * std::abs(numbers[k])) return {};
  }
  return numbers;
}

bool is_year(double value) { return value >= 1500 && value < 2200 && value == std::floor(value); }

// Years above what was in them, and wavelengths above spectra: numbers at equal distances, as those below are not.
bool names_years(const Records& records) {
  constexpr std::size_t kYears = 2, kOthers = 4;
  const auto& first = records.front();
  const std::vector<double> numbers = progression(first);
  const bool years = numbers.size() < first.size() && std::ranges::all_of(numbers, is_year);
  if (numbers.size() < (years ? kYears : kOthers)) return false;
  if (numbers.size() > 2 && !progression(records[1]).empty()) return false;
  std::size_t below = 0, alike = 0;  // years, or values in the range of the first line, are samples
  for (std::size_t i = 1; i < records.size(); ++i)
    for (std::size_t j = 0; j < std::min(first.size(), records[i].size()); ++j) {
      const auto above = read_double(first[j]), value = read_double(records[i][j]);
      if (!above && !is_missing(first[j]) && first[j] == records[i][j]) return false;  // a level, no name
      if (!above || !value) continue;
      ++below;
      alike += years ? is_year(*value) : *value >= numbers.front() && *value <= numbers.back();
    }
  return 2 * alike <= below;
}

// A line of different texts that do not come again, above columns of texts that do.
bool names_texts(const Records& records, const NumberField& is_number) {
  const auto& first = records.front();
  if (records.size() < 4 || first.size() < 2 || !all_differ({first.begin(), first.end()})) return false;
  bool repeat = false;
  for (std::size_t j = 0; j < first.size(); ++j) {
    if (is_number(first[j]) || (is_missing(first[j]) && j > 0)) return false;
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

// Numbers are names, too, where a column of texts is called as people call what they want to explain, or what they have
// samples of, and no text in it is.
bool names_classes(const Records& records, const NumberField& is_number) {
  constexpr std::string_view kWords =
      "class classes label labels target species category diagnosis outcome group well sample name subject patient "
      "gene "
      "probe compound wavelength date time timestamp";
  const auto& first = records.front();
  if (!all_differ({first.begin(), first.end()})) return false;
  for (std::size_t j = 0; j < first.size(); ++j) {
    if (!among(kWords, lower(first[j]))) continue;
    const auto other = [&](const std::vector<std::string>& record) {
      return j < record.size() && record[j] != first[j] && !is_number(record[j]);
    };
    if (std::all_of(records.begin() + 1, records.end(), other)) return true;
  }
  return false;
}

bool has_header(const Records& records, char decimal, const Names& wanted) {
  const NumberField is_number{decimal};
  if (records.empty()) return false;
  const auto& first = records.front();
  if (records.size() == 1)  // nothing to compare with: a line of names only
    return std::ranges::none_of(first, is_number) && !std::ranges::all_of(first, is_missing);
  for (std::size_t j = 0; j < first.size(); ++j) {
    if (is_missing(first[j]) || is_number(first[j])) continue;
    if (wanted.contains(first[j])) return true;
    bool numbers = false, others = false;
    for (std::size_t i = 1; i < records.size(); ++i)
      if (j < records[i].size() && !is_missing(records[i][j])) (is_number(records[i][j]) ? numbers : others) = true;
    if (numbers && !others) return true;
  }
  return counts_columns(records) || names_years(records) || names_texts(records, is_number) ||
         names_classes(records, is_number);
}

// "[mm]", "(kg)": a unit below its name.
bool is_bracketed(std::string_view field) {
  return field.size() > 2 &&
         ((field.front() == '[' && field.back() == ']') || (field.front() == '(' && field.back() == ')'));
}

// The first line of a data logger's file tells of the logger alone, in any number of fields (Campbell's TOA5).
bool tells_of_logger(std::string_view first) {
  constexpr std::string_view kKinds[] = {"TOA5", "TOACI1", "TOB1"};
  if (first.starts_with('"')) first.remove_prefix(1);
  return std::ranges::any_of(kKinds, [&](std::string_view kind) {
    return first.starts_with(kind) && first.size() > kind.size() &&
           (first[kind.size()] == ',' || first[kind.size()] == '"');
  });
}

// Names of columns in several lines, as pandas writes those of several levels, and lines of units: how many lines there
// are below the first. Such a line has words where all below are numbers, in two columns at least.
std::size_t further_header_lines(const Records& records, char decimal, const Names& wanted) {
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
      std::size_t words = 0, units = 0, others = 0;
      for (std::size_t j = 0; j < line.size(); ++j) {
        const bool word = present(line[j]) && !is_nothing(line[j]) && !is_number(line[j]) && column_of_numbers(j);
        words += word;
        units += word && is_bracketed(line[j]);
        others += present(line[j]) && !is_bracketed(line[j]);
      }
      return words >= 2 || (units > 0 && others == 0);
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

// The names of the columns in the last comment before the first record, as NumPy's savetxt and gnuplot have them.
std::optional<std::string> commented_names(std::string_view sample, char delimiter, std::size_t width) {
  std::string_view last;
  for (std::size_t end = 0; !sample.empty(); sample.remove_prefix(std::min(end + 1, sample.size()))) {
    end = std::min(sample.find('\n'), sample.size());
    std::string_view line = sample.substr(0, end);
    while (line.ends_with('\r')) line.remove_suffix(1);
    if (is_comment(line))
      last = line;
    else if (!without_blanks(line).empty())
      break;
  }
  Fields fields;
  if (last.empty() || width < 2 || !split_fields(without_marks(last), delimiter, fields) || fields.of.size() != width)
    return std::nullopt;
  for (const std::string_view name : fields.of)
    if (is_missing(name) || read_double(name)) return std::nullopt;
  if (!all_differ(fields.of)) return std::nullopt;
  return std::string(last);
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

// Excel's first line, "sep=;", also between quotes.
std::optional<char> told_delimiter(std::string_view line) {
  constexpr std::string_view kTold = "sep=";
  while (line.ends_with('\r')) line.remove_suffix(1);
  if (line.size() == kTold.size() + 3 && line.starts_with('"') && line.ends_with('"'))
    line = line.substr(1, line.size() - 2);
  if (line.size() != kTold.size() + 1 || lower(line.substr(0, kTold.size())) != kTold) return std::nullopt;
  return line.back();
}

// Lines about the table in front of it, filled up with delimiters as spreadsheets save them: how many there are. Each
// lacks its last field; a header with all its names stands behind them, which none of them could be.
std::size_t padded_lead(const Records& records, char decimal, const Names& wanted) {
  constexpr std::size_t kLeastRows = 3;
  const std::size_t width = records.empty() ? 0 : records.front().size();
  if (width < 2) return 0;
  const NumberField is_number{decimal};
  const auto empty = [](const std::string& field) { return field.empty(); };
  for (std::size_t lead = 0; lead <= kMostLead && lead + kLeastRows < records.size(); ++lead) {
    const auto& record = records[lead];
    if (record.size() != width) return 0;
    if (record.back().empty() && 2 * std::size_t(std::ranges::count_if(record, empty)) + 2 >= width) continue;
    if (lead == 0 || std::ranges::any_of(record, empty)) return 0;
    const Records rest(records.begin() + std::ptrdiff_t(lead), records.end());
    const bool names = std::ranges::none_of(record, is_number) || names_classes(rest, is_number);
    return names && has_header(rest, decimal, wanted) ? lead : 0;
  }
  return 0;
}

}  // namespace

Layout guess_layout(ByteSource& source, const RunContext& context, const std::vector<std::string>& known) {
  const Names wanted(known.begin(), known.end());
  // Wide tables: take more until a second line is there to compare with.
  std::size_t size = kSampleBytes;
  std::string_view sample = source.peek(size);
  while (sample.size() >= size && std::ranges::count(sample, '\n') < 3) {
    size *= 2;
    require_reading_memory(context, double(size), source.name());
    sample = source.peek(size);
  }
  const bool whole_file = sample.size() < size;
  if (size > kSampleBytes)  // the fields of all lines are held as texts, in up to three copies
    require_fields(sample, 3 * sizeof(std::string), context, source.name());
  while (sample.starts_with(kByteOrderMark)) sample.remove_prefix(kByteOrderMark.size());
  std::string lines;
  if (ends_with_returns(sample)) {
    lines = sample;
    std::ranges::replace(lines, '\r', '\n');
    sample = lines;
  }

  Layout layout{kNoDelimiter, false};
  if (const std::size_t end = sample.find('\n'); end != sample.npos)
    if (const auto delimiter = told_delimiter(sample.substr(0, end))) {
      layout.told = true;
      layout.delimiter = *delimiter;
      sample.remove_prefix(end + 1);
    }
  std::vector<std::string> records = masked_records(sample, whole_file);
  const bool logger = tells_of_logger(sample);
  if (logger && !records.empty()) records.erase(records.begin());
  std::size_t best_agreement = 0;
  // Semicolon before comma: such files often hold decimal commas. Blanks last: they also stand inside texts.
  for (const char delimiter : {'\t', ';', ',', '|', '\x01', '^', '~', kBlanks}) {
    if (layout.told) break;
    const Agreement found = agreement(records, delimiter);
    if (delimiter == kBlanks && 2 * found.count <= records.size()) continue;
    const bool explained = layout.lead > 0 && found.count < records.size();  // all lines are, by another
    if (delimiter == kBlanks && explained) continue;
    if (found.count > best_agreement) {
      layout.delimiter = delimiter;
      layout.lead = found.lead;
      best_agreement = found.count;
    }
  }
  if (logger) layout.lead += 1;
  Records parts = sample_records(sample, whole_file, layout.delimiter);
  parts.erase(parts.begin(), parts.begin() + std::ptrdiff_t(std::min(layout.lead, parts.size())));
  while (parts.size() > 3 && parts.back().size() == 1 && parts[1].size() > 2) parts.pop_back();  // remarks behind it
  layout.single_quotes = single_quoted(parts);
  if (layout.single_quotes)
    for (auto& record : parts)
      for (std::string& field : record) field = std::string(without_single_quotes(field));
  layout.decimal = decimal_mark(parts, layout.delimiter);
  if (const std::size_t padded = padded_lead(parts, layout.decimal, wanted); padded > 0) {
    parts.erase(parts.begin(), parts.begin() + std::ptrdiff_t(padded));
    layout.lead += padded;
  }
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
  if (!layout.header && layout.lead == 0 && !parts.empty()) {
    layout.name_line = commented_names(sample, layout.delimiter, parts.front().size());
    layout.header = layout.name_line.has_value();
  }
  return layout;
}

}  // namespace ritz::detail
