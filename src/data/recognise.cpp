// SPDX-License-Identifier: MIT
// What the columns of a table are, told from their values.
#include "data/columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "base/at.hpp"
#include "data/field_letters.hpp"
#include "data/field_values.hpp"
#include "data/formats/format.hpp"
#include "data/source_names.hpp"

namespace ritz::detail {

namespace {

// Columns that people give to the names of their samples, and to numbers that measure nothing.
bool names_samples(const std::string& name) {
  static constexpr std::array<std::string_view, 32> kNames = {
      "phone",     "telephone", "tel",        "mobile",  "fax",   "isbn", "ean",         "barcode",
      "iban",      "ssn",       "imei",       "id",      "index", "row",  "rowid",       "rownames",
      "row.names", "row names", "name",       "names",   "nr",    "no",   "no.",         "key",
      "uuid",      "guid",      "unnamed: 0", "rowname", "case",  "obs",  "observation", "code"};
  const std::string word = lower(name);
  if (std::ranges::find(kNames, word) != kNames.end()) return true;
  for (const std::string_view end : {"_id", " id", ".id", "-id", "_name", " name", "_key"})
    if (word.ends_with(end)) return true;
  return name.size() > 2 && name.ends_with("Id") && std::islower(static_cast<unsigned char>(name[name.size() - 3]));
}

bool whole(const Eigen::Ref<const Vector, 0, Eigen::InnerStride<>>& values) {
  return std::ranges::all_of(values, [](double x) { return x == std::floor(x); });
}

// 0, 1, 2, … or 1, 2, 3, …
bool counts_rows(const RowMatrix& values, Index column) {
  const double first = values(0, column);
  if (first != 0 && first != 1) return false;
  for (Index i = 1; i < values.rows(); ++i)
    if (values(i, column) != first + double(i)) return false;
  return true;
}

bool all_differ(Vector values) {
  if (!values.allFinite()) return false;
  std::sort(values.begin(), values.end());
  return std::adjacent_find(values.begin(), values.end()) == values.end();
}

Index present(const RowMatrix& values, Index column) {
  return values.rows() - Index(values.col(column).array().isNaN().count());
}

// A few rows may count themselves, or differ in all their texts, by chance.
constexpr Index kFewRows = 10, kFewTexts = 5;
constexpr std::size_t kFewLevels = 20, kMostLevels = 1000;

// Dates as programs write them without marks, 20240229: so many different numbers are all days by chance in no table.
bool compact_dates(const RowMatrix& X, Index j) {
  std::set<double> different;
  for (Index i = 0; i < X.rows(); ++i) {
    const double value = X(i, j);
    if (std::isnan(value)) continue;
    const bool digits =
        (value >= 1e7 && value < 1e8) || (value >= 1e13 && value < 1e14);  // 20240229, and 183005 behind
    if (!digits || value != std::floor(value) || !date_value(number_text(value))) return false;
    if (different.size() < kFewTexts) different.insert(value);
  }
  return different.size() >= kFewTexts;
}

// What a column of numbers is when nobody said it.
ColumnKind kind_of_numbers(const Table& table, Index j, const RawColumn& raw) {
  const RowMatrix& X = table.values;
  if (!table.named || X.cols() < 2) return ColumnKind::number;
  const bool likely = raw.unnamed || names_samples(at(table.names, j));
  if (j == 0 && table.first_is_first && (likely || X.rows() >= kFewRows) && counts_rows(X, j)) return ColumnKind::id;
  return likely && X.rows() > 1 && whole(X.col(j)) && all_differ(X.col(j)) ? ColumnKind::id : ColumnKind::number;
}

// Digits alone, as places, articles and people have them.
bool has_digits_only(const std::string& text) { return text.find_first_not_of("0123456789") == std::string::npos; }

// Most columns of the file have them: it writes its numbers so.
bool zeros_everywhere(const Table& table) {
  const auto codes = std::ranges::count_if(table.raw, [](const auto& each) { return each.second.codes; });
  return codes > 2 && 2 * codes > table.values.cols();
}

// One mark, as people tick lists with it, and blank fields.
bool is_mark(const RawColumn& raw) {
  if (raw.texts.size() != 1 || raw.missing_line == 0 || !raw.missing_text.empty()) return false;
  const std::string word = lower(raw.texts.front());
  return word == "x" || word == "*" || flag_value(word) == 1.0;
}

// "y", "n", "yes" and "no" in one column: words for yes and no of more than a letter, which leave no doubt, and others.
bool whole_and_short_flags(const std::set<std::string>& words) {
  bool yes = false, no = false;
  for (const std::string& word : words)
    if (word.size() > 1) (flag_value(word) == 1.0 ? yes : no) = true;
  return yes && no;
}

// Numbers with a sign of money or none beside them, or with units that come again, and something else among them: what
// is wrong, told of the first of these; empty where the column is none of numbers.
std::string not_all_numbers(const Table& table, RawColumn& raw, bool levels, bool names) {
  constexpr std::size_t kMostUnits = 4;
  constexpr double kMost = 0.5, kNearlyAll = 0.8;
  const std::vector<std::string>& texts = raw.texts;
  const auto priced = [&](const std::string& text) { return is_priced(text, table.decimal); };
  // A letter right behind a number is a plot's or a house's.
  const auto measured = [&](const std::string& text) {
    const auto number = dressed_number(text, table.decimal);
    return number && (number->unit.size() != 1 || text.find(' ') != text.npos || is_priced(text, table.decimal));
  };
  const auto share = [&](const auto& fits) {
    return double(std::ranges::count_if(texts, fits)) / double(texts.size());
  };
  const bool money = share(priced) >= kMost;
  if (!money && (levels || names || share(measured) < kNearlyAll || unit_count(texts, table.decimal) > kMostUnits))
    return "";
  const auto is_number = [&](const std::string& text) { return money ? priced(text) : measured(text); };
  const auto other =
      std::ranges::find_if_not(texts, [&](const std::string& text) { return is_number(text) || is_nothing(text); });
  if (other != texts.end()) {
    raw.take_first(*other);
    return fmt::format("{} is not a number", excerpt(raw.first));
  }
  const std::string unit = likely_unit(texts, table.decimal);
  const auto stranger = std::ranges::find_if(texts, [&](const std::string& text) {
    const auto number = dressed_number(text, table.decimal);
    return number && (number->unit.empty() || !in_unit(*number, unit));
  });
  return fmt::format("numbers in several units, among them {}",
                     excerpt(stranger == texts.end() ? raw.first : *stranger));
}

// What a column of texts is; nothing, with a reason, when it would be of no use.
std::optional<ColumnKind> kind_of_texts(const Table& table, Index j, RawColumn& raw, Column& column, std::string& why) {
  const std::vector<std::string>& texts = raw.texts;
  std::set<std::string> words;
  for (const std::string& text : texts) words.insert(lower(text));
  if (is_mark(raw)) {
    column.form = kMarked;
    return ColumnKind::flag;
  }
  constexpr double kNone = -1;
  std::set<double> flags;  // of two words one has to mean yes, the other no
  for (const std::string& word : words) flags.insert(flag_value(word).value_or(kNone));
  const bool two = words.size() <= 2 && flags.size() == words.size();
  if (!flags.contains(kNone) && (two || whole_and_short_flags(words))) return ColumnKind::flag;
  const auto common = raw.codes ? std::nullopt : common_unit(texts, table.decimal);
  const bool spans = common && !common->empty() && !common->starts_with("day");  // "45 min" in all: minutes
  if (const auto form = spans ? std::nullopt : date_form(texts)) {
    column.form = form->order == DateOrder::year ? "" : to_string(form->order);
    return ColumnKind::date;
  }
  if (common) {
    column.form = *common;
    return ColumnKind::number;
  }
  const std::size_t rows = std::size_t(present(table.values, j));
  const bool few = texts.size() <= kFewLevels || (texts.size() <= kMostLevels && 4 * texts.size() <= rows);
  if (raw.codes && std::ranges::all_of(texts, has_digits_only)) {
    if (zeros_everywhere(table)) return ColumnKind::number;
    return few && texts.size() < rows ? ColumnKind::category : ColumnKind::id;
  }
  why = not_all_numbers(table, raw, few && 2 * texts.size() <= rows, names_samples(at(table.names, j)));
  if (!why.empty()) return std::nullopt;
  if (const auto other = not_a_date(texts)) {
    raw.take_first(*other);
    why = fmt::format("{} is not a date", excerpt(raw.first));
    return std::nullopt;
  }
  const bool likely = raw.unnamed || names_samples(at(table.names, j));
  if (texts.size() == rows && table.values.cols() > 1 && (likely || Index(rows) >= kFewTexts)) return ColumnKind::id;
  if (!few) {
    why = fmt::format("{} different texts in {} rows", texts.size(), rows);
    return std::nullopt;
  }
  column.levels = on_scale(texts);
  return column.levels.empty() ? ColumnKind::category : ColumnKind::ordered;
}

}  // namespace

namespace {

// "price (without '$')", "age (missing: 'none', '-')"
std::string told_number(const Column& column, const RawColumn& raw) {
  std::vector<std::string> nothing;
  for (const std::string& text : raw.texts)
    if (is_nothing(text)) nothing.push_back(text);
  if (!column.form.empty()) return fmt::format("{} (in '{}')", column.name, column.form);
  return nothing.empty() ? column.name : fmt::format("{} (missing: {})", column.name, some_of(nothing, 3));
}

// "'<0.5', '>100'": the limits among the numbers.
std::string limits_among(const RawColumn& raw, char decimal) {
  std::vector<std::string> limits;
  for (const std::string& text : raw.texts)
    if (const auto number = dressed_number(text, decimal); number && number->limit) limits.push_back(text);
  return limits.empty() ? "" : some_of(limits, 3);
}

// What stands in the last row of a column of texts.
std::string last_text(const Table& table, Index j, const RawColumn& raw) {
  const double place = table.values(table.values.rows() - 1, j);
  return std::isnan(place) ? "" : at(raw.texts, Index(place));
}

// Sums that spreadsheets have below a table.
bool ends_in_total(const Table& table, Index j, const RawColumn& raw) {
  if (!raw.is_text || table.values.rows() < 3) return false;
  const std::string last = last_text(table, j, raw);
  const auto first = raw.texts.size() > 1 ? table.values(table.values.rows() - 2, j) : kUnknown;
  const bool again = !std::isnan(first) && at(raw.texts, Index(first)) == last;
  return !again && is_total_word(last);
}

constexpr double kEndless = std::numeric_limits<double>::infinity();

// What programs write where a number is missing: nothing but nines or eights, values that no measurement reaches.
bool looks_like_code(double value) {
  constexpr double kHuge = 1e20;
  if (std::abs(value) >= kHuge || value == -999.25) return true;
  for (const double limit : {32767.0, -32768.0, 2147483647.0, -2147483648.0})
    if (value == limit) return true;
  std::string digits = number_text(std::abs(value));
  std::erase(digits, '.');
  const bool nines = digits.find_first_not_of('9') == digits.npos,
             eights = digits.find_first_not_of('8') == digits.npos;
  return (nines || eights) && (digits.size() > 1 || value < 0);
}

// Among the numbers of a column: further from all others than these lie apart.
std::vector<double> suspicious_codes(const RowMatrix& X, Index j) {
  std::set<double> codes, others;
  double low = kEndless, high = -kEndless;
  constexpr std::size_t kEnough = 3;
  for (Index i = 0; i < X.rows(); ++i) {
    const double value = X(i, j);
    if (std::isnan(value)) continue;
    if (looks_like_code(value)) {
      codes.insert(value);
      continue;
    }
    low = std::min(low, value);
    high = std::max(high, value);
    if (others.size() < kEnough) others.insert(value);
  }
  std::vector<double> found;
  for (const double code : codes)
    if (others.size() >= kEnough && (low - code > high - low || code - high > high - low)) found.push_back(code);
  return found;
}

// Asks about numbers that may stand for a missing value.
void ask_about_codes(const Table& table, const std::vector<Column>& columns, std::vector<std::string>& notes) {
  const RowMatrix& X = table.values;
  const Index d = X.cols();
  std::vector<double> low(std::size_t(d), kEndless), high(std::size_t(d), -kEndless);
  for (Index i = 0; i < X.rows(); ++i)
    for (Index j = 0; j < d; ++j) {
      low[std::size_t(j)] = std::min(low[std::size_t(j)], X(i, j));
      high[std::size_t(j)] = std::max(high[std::size_t(j)], X(i, j));
    }
  std::map<double, std::vector<std::string>> where;
  for (Index j = 0; j < d; ++j) {
    const auto raw = table.raw.find(j);
    const bool plain = at(columns, j).kind == ColumnKind::number && (raw == table.raw.end() || !raw->second.is_text);
    if (!plain || !at(columns, j).levels.empty() || !(looks_like_code(at(low, j)) || looks_like_code(at(high, j))))
      continue;
    for (const double code : suspicious_codes(X, j)) where[code].push_back(at(columns, j).name);
  }
  for (const auto& [code, names] : where)
    notes.push_back(fmt::format("does {0} in {1} stand for a missing value? Then give input.kind '*=number({0})'",
                                number_text(code), some_of(names, 3)));
}

// Texts that are gaps where the column is one of numbers or dates.
void mark_gaps(const Column& column, char decimal, RawColumn& raw) {
  for (const std::string& text : raw.texts)
    if (raw.missing_line == 0 && std::isnan(text_value(text, column, decimal).value_or(kUnknown))) {
      raw.missing_line = raw.line;
      raw.missing_text = text;
    }
}

}  // namespace

bool NA_may_be_a_code(const RawColumn& raw) {
  return !raw.asked && raw.missing_text == "NA" && raw.texts.size() > 1 &&
         std::ranges::all_of(raw.texts, [](const std::string& text) {
           return text.size() == 2 && std::ranges::all_of(text, [](unsigned char c) { return std::isupper(c) != 0; });
         });
}

namespace {

// "'Red', 'red'": two spellings of one level.
std::string same_but_for_case(const std::vector<std::string>& levels) {
  std::map<std::string, std::string> first;
  for (const std::string& level : levels)
    if (const auto [found, fresh] = first.try_emplace(lower(level), level); !fresh)
      return fmt::format("'{}', '{}'", found->second, level);
  return "";
}

// The names of columns, by how they were read.
struct Told {
  std::vector<std::string> out, categories, flags, dates, durations, scales, dressed;
};

void take_as_asked(Table& table, Index j, RawColumn& raw, Column& column, std::string& why) {
  column.kind = raw.asked->kind;
  column.levels = raw.asked->levels;
  column.form = raw.asked->form;
  if (column.kind == ColumnKind::ordered && column.levels.empty()) column.levels = on_scale(raw.texts);
  if (column.kind == ColumnKind::date && column.form.empty()) {
    const auto form = date_form(raw.texts);
    const DateOrder order = form ? form->order : likely_order(raw.texts);
    if (order != DateOrder::year) column.form = to_string(order);
  }
  if (column.kind == ColumnKind::number && raw.is_text) column.form = likely_unit(raw.texts, table.decimal);
  if (column.kind != ColumnKind::number && column.kind != ColumnKind::id && !raw.is_text)
    raw.take_numbers(table.values.data() + j, table.values.rows(), table.values.cols());
  if (column.kind == ColumnKind::ordered && column.levels.empty())
    why = fmt::format("its levels in their order: input.kind '{}=ordered({})'", column.name, fmt::join(raw.texts, ","));
}

void take_by_values(Table& table, Index j, RawColumn& raw, bool empty, Column& column, std::string& why,
                    std::vector<std::string>& out) {
  if (empty) {
    if (table.named) column.kind = ColumnKind::id;  // where it has no name it stands behind a last delimiter
    if (table.named && !raw.unnamed) out.push_back(fmt::format("'{}' (no values)", column.name));
  } else if (!raw.is_text && table.named && compact_dates(table.values, j)) {
    column.kind = ColumnKind::date;
    RawColumn& texts = table.raw[j];
    texts.number = std::max(texts.number, j + 1);
    texts.take_numbers(table.values.data() + j, table.values.rows(), table.values.cols());
  } else if (!raw.is_text) {
    column.kind = kind_of_numbers(table, j, raw);
    if (column.kind == ColumnKind::id)
      out.push_back(
          fmt::format("'{}' ({})", column.name, counts_rows(table.values, j) ? "counts the rows" : "names the rows"));
  } else {
    column.kind = kind_of_texts(table, j, raw, column, why).value_or(ColumnKind::category);
    if (column.kind == ColumnKind::id)
      out.push_back(fmt::format("'{}' ({})", column.name,
                                Index(raw.texts.size()) != present(table.values, j) ? "codes that begin with zeros"
                                : raw.unnamed || names_samples(column.name)
                                    ? "names the rows"
                                    : fmt::format("all texts differ, as {}", excerpt(raw.texts.front(), 20))));
  }
}

void take_levels(const RawColumn& raw, Column& column, Told& told, std::vector<std::string>& questions) {
  column.levels = make_labels(raw.texts).names;
  if (raw.codes) std::ranges::sort(column.levels = raw.texts);  // numbers would lose their zeros
  told.categories.push_back(fmt::format("{} ({})", column.name, column.levels.size()));
  if (NA_may_be_a_code(raw))
    questions.push_back(fmt::format(
        "NA in '{0}' is taken for a missing value; input.kind '{0}=category(NA)' makes it a level", column.name));
  if (raw.asked) return;
  if (const std::string same = same_but_for_case(column.levels); !same.empty())
    questions.push_back(fmt::format("levels of '{}' differ in the case of letters only: {}", column.name, same));
}

void tell_column(const Table& table, Index j, const RawColumn& raw, const Column& column, Told& told,
                 std::vector<std::string>& questions) {
  if (column.kind == ColumnKind::flag)
    told.flags.push_back(column.form == kMarked ? fmt::format("{} ('{}' or nothing)", column.name, raw.texts.front())
                                                : column.name);
  if (column.kind == ColumnKind::date)
    (!raw.texts.empty() && duration_value(raw.texts.front()) ? told.durations : told.dates)
        .push_back(column.form.empty() ? column.name : fmt::format("{} ({})", column.name, column.form));
  if (column.kind == ColumnKind::ordered && !raw.asked)
    told.scales.push_back(fmt::format("{} ({})", column.name, fmt::join(column.levels, " < ")));
  if (column.kind == ColumnKind::number && raw.is_text && !raw.asked) {
    told.dressed.push_back(told_number(column, raw));
    if (const std::string limits = limits_among(raw, table.decimal); !limits.empty())
      questions.push_back(fmt::format("limits in '{}' are taken as their numbers: {}", column.name, limits));
  }
  if (ends_in_total(table, j, raw))
    questions.push_back(fmt::format("the last row is called {}: if it is a sum of the others, take it out of the file",
                                    excerpt(last_text(table, j, raw))));
}

// A target is a number, whatever else its column looks like.
void settle_target(const RawColumn& raw, Column& column, std::string& why) {
  if (raw.asked) return;
  if (raw.codes && column.kind == ColumnKind::category) column.kind = ColumnKind::number;
  if (why.empty() && column.kind == ColumnKind::category)
    why = fmt::format("a target is a number; for classes give input.label_column {}", column.name);
  if (column.kind == ColumnKind::id) column.kind = ColumnKind::number;
}

std::vector<std::string> notes_of(Told told) {
  std::vector<std::string> notes, read;
  if (!told.out.empty()) {
    constexpr std::size_t kMost = 6;
    const std::string more = told.out.size() > kMost ? fmt::format(" and {} more", told.out.size() - kMost) : "";
    told.out.resize(std::min(told.out.size(), kMost));
    notes.push_back(
        fmt::format("left out: {}{}; input.kind NAME=number keeps a column", fmt::join(told.out, ", "), more));
  }
  const auto tell = [&](const std::vector<std::string>& names, std::string_view as) {
    if (!names.empty()) read.push_back(fmt::format("as {}: {}", as, fmt::join(names, ", ")));
  };
  tell(told.categories, "categories");
  tell(told.flags, "yes or no, 1 or 0");
  tell(told.dates, "days since 1970");
  tell(told.durations, "days and parts of a day");
  tell(told.scales, "ordered, 1, 2, 3, …");
  tell(told.dressed, "numbers");
  if (!read.empty()) notes.push_back(fmt::format("read {}", fmt::join(read, "; ")));
  return notes;
}

}  // namespace

Reading recognised(Table& table) {
  Reading reading;
  reading.why.resize(std::size_t(table.values.cols()));
  Told told;
  for (Index j = 0; j < table.values.cols(); ++j) {
    const auto known = table.raw.find(j);
    RawColumn none;
    RawColumn& raw = known == table.raw.end() ? none : known->second;
    Column column{.name = at(table.names, j)};
    std::string& why = at(reading.why, j);
    const bool empty = raw.missing_line > 0 && present(table.values, j) == 0;
    if (raw.asked)
      take_as_asked(table, j, raw, column, why);
    else
      take_by_values(table, j, raw, empty, column, why, told.out);
    if (column.kind == ColumnKind::category) take_levels(raw, column, told, reading.questions);
    if (column.kind == ColumnKind::number && column.levels.empty()) column.levels = table.codes;
    settle_gaps(table, j, column);
    tell_column(table, j, raw, column, told, reading.questions);
    if ((column.kind == ColumnKind::number || column.kind == ColumnKind::date) && raw.is_text)
      mark_gaps(column, table.decimal, raw);
    const bool names = column.kind == ColumnKind::id && !empty &&
                       (raw.is_text ? raw.asked || Index(raw.texts.size()) == present(table.values, j)
                                    : !counts_rows(table.values, j));
    if (names && reading.names < 0) reading.names = j;
    if (std::ranges::find(table.targets, column.name) != table.targets.end()) settle_target(raw, column, why);
    reading.columns.push_back(std::move(column));
  }
  ask_about_codes(table, reading.columns, reading.questions);
  reading.notes = notes_of(std::move(told));
  return reading;
}

}  // namespace ritz::detail
