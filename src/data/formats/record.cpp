// SPDX-License-Identifier: MIT
#include "data/formats/record.hpp"

#include <algorithm>
#include <array>
#include <iterator>

#include "data/field_values.hpp"
#include "data/formats/table.hpp"
#include "data/streams/growing_values.hpp"
#include "ritz/base/text.hpp"

namespace ritz::detail {

namespace {

bool all_of(std::string_view text, std::string_view letters) { return text.find_first_not_of(letters) == text.npos; }

// What databases and people draw around a table: "-----+-----", "|---|:--|", "(60 rows)", "60 rows in set (0.00 sec)",
// "60 rows selected."
bool is_drawn(std::string_view line) {
  line = without_blanks(line);
  if (std::ranges::count(line, '-') >= 3 && line.find_first_of("+|, ;\t") != line.npos)
    return all_of(line, "-+|:= ,;\t");
  const bool brackets = line.starts_with('(');
  if (brackets) line.remove_prefix(1);
  const std::size_t digits = std::min(line.find_first_not_of("0123456789"), line.size());
  const std::string_view rest = line.substr(digits);
  if (digits == 0 || !(rest.starts_with(" row ") || rest.starts_with(" rows ") || rest == " row)" || rest == " rows)"))
    return false;
  if (brackets) return rest == " row)" || rest == " rows)" || rest.ends_with("affected)");
  return rest.find(" in set") != rest.npos || rest.ends_with("selected.") || rest.ends_with("fetched.");
}

}  // namespace

// "#N/A" and its like are values, which programs write for what could not be computed.
bool is_comment(std::string_view line) {
  line = without_blanks(line);
  if (!line.starts_with('#')) return false;
  const std::string_view word = line.substr(0, line.find_first_of(",;\t |"));
  return word.size() < 2 || !is_missing(word);
}

bool is_no_record(std::string_view line) { return is_comment(line) || is_drawn(line); }

namespace {

// Whether a quote behind a backslash is a letter of the field, as Spark and MySQL write it, and does not end it: there
// stands neither the end nor a delimiter behind it, or the quote that ends the field.
bool goes_on(std::string_view behind) {
  constexpr std::string_view kEnds = ",;\t|\n\r\x01^~";
  const auto ends = [&](std::string_view text) { return text.empty() || kEnds.find(text.front()) != kEnds.npos; };
  return behind.starts_with('"') ? ends(behind.substr(1)) : !ends(behind);
}

}  // namespace

// Reads the quoted field at the front of `rest` and appends its content; false when it is not closed.
bool take_quoted(std::string_view& rest, std::string& content) {
  rest.remove_prefix(1);
  for (;;) {
    const std::size_t quote = rest.find('"');
    if (quote == std::string_view::npos) return false;
    const bool escaped = quote > 0 && rest[quote - 1] == '\\' && goes_on(rest.substr(quote + 1));
    content.append(rest.substr(0, escaped ? quote - 1 : quote));
    rest.remove_prefix(quote + 1);
    if (!escaped && !rest.starts_with('"')) return true;
    content += '"';
    if (!escaped) rest.remove_prefix(1);
  }
}

namespace {

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

}  // namespace

// Whether a line ends inside a quoted field. One that begins inside is judged with a quote put before it, so that long
// fields need not be split again from their beginning for every line.
bool ends_in_quotes(std::string_view line, char delimiter, bool begins_in_quotes) {
  if (!begins_in_quotes && line.find('"') == std::string_view::npos) return false;
  Fields fields;
  std::string reopened(begins_in_quotes ? "\"" : "");
  reopened += line;
  return !split_fields(reopened, delimiter, fields);
}

namespace {

// Digits as India groups them, "12,34,567": the last three, before them twos.
bool in_lakhs(std::string_view digits) {
  if (digits.size() < 7 || digits[digits.size() - 4] != ',') return false;
  std::string_view rest = digits.substr(0, digits.size() - 4);
  if (!all_of(digits.substr(digits.size() - 3), "0123456789")) return false;
  for (; rest.size() > 2; rest.remove_suffix(3))
    if (rest[rest.size() - 3] != ',' || !all_of(rest.substr(rest.size() - 2), "0123456789")) return false;
  return !rest.empty() && all_of(rest, "0123456789");
}

}  // namespace

// Digits in groups of three, "1,234,567": at least one mark.
bool in_groups(std::string_view digits, char mark) {
  if (mark == ',' && in_lakhs(digits)) return true;
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

std::string_view without_marks(std::string_view comment) {
  comment = without_blanks(comment);
  while (comment.starts_with('#')) comment.remove_prefix(1);
  return without_blanks(comment);
}

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

namespace {

// Spreadsheets are told by ="00420" that a field is a text.
std::string_view without_formula(std::string_view field) {
  const bool formula = field.size() > 3 && field.starts_with("=\"") && field.ends_with('"');
  return formula ? field.substr(2, field.size() - 3) : field;
}

}  // namespace

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
      out.of.push_back(without_formula(std::string_view(out.unquoted).substr(start)));
    } else {
      out.of.push_back(without_formula(without_blanks(take_until(rest, delimiter))));
    }
    if (delimiter == kBlanks) skip_blanks(rest, delimiter);
    if (rest.empty()) return true;
    if (delimiter != kBlanks) rest.remove_prefix(1);
  }
}

void require_fields(std::string_view text, std::size_t each, const RunContext& context, const std::string& name) {
  std::array<std::size_t, 256> counts{};
  for (const char c : text) ++counts[static_cast<unsigned char>(c)];
  std::size_t fields = counts[' '] + counts['\t'];
  for (const char c : {';', ',', '|', '\x01', '^', '~'})
    fields = std::max(fields, counts[static_cast<unsigned char>(c)]);
  const double views = 2 * sizeof(std::string_view);  // a vector of them may have grown to twice its size
  require_reading_memory(context, 2.0 * double(text.size()) + double(fields) * (views + double(each)), name);
}

bool RecordReader::next(std::string_view& record) {
  constexpr std::size_t kLong = 1 << 16;
  blank_lines_.clear();
  std::string_view line;
  for (;;) {
    if (!lines_.next(line)) return false;
    if (line.size() > kLong) require_fields(line, 0, context_, lines_.name());
    if (without_blanks(line).empty() && (delimiter_ != '\t' || line.find('\t') == std::string_view::npos)) {
      if (!blank_lines_.empty() && blank_lines_.back().first + blank_lines_.back().count == lines_.number()) {
        ++blank_lines_.back().count;
      } else {
        require_reading_memory(context_, 2.0 * sizeof(BlankLines) * double(blank_lines_.size()), lines_.name());
        blank_lines_.push_back({lines_.number(), 1});
      }
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
  if (fields.of.size() != width_) return false;
  const std::string_view first = fields.of.front();  // empty where a delimiter stands before the #
  return first.empty() || !read_double(without_blanks(first.substr(1)));
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

}  // namespace ritz::detail
