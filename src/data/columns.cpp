// SPDX-License-Identifier: MIT
#include "data/columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <numeric>
#include <set>

#include "base/at.hpp"
#include "base/fail.hpp"
#include "data/field_values.hpp"
#include "data/formats/format.hpp"
#include "data/source_names.hpp"
#include "data/streams/growing_values.hpp"

namespace ritz {

Index Column::features() const {
  return kind == ColumnKind::id ? 0 : kind == ColumnKind::category ? Index(levels.size()) : 1;
}

std::vector<std::string> Column::feature_names() const {
  if (kind == ColumnKind::id) return {};
  if (kind != ColumnKind::category) return {name};
  std::vector<std::string> names;
  for (const std::string& level : levels) names.push_back(fmt::format("{}={}", name, level));
  return names;
}

Index TableRecipe::features() const {
  return std::accumulate(columns.begin(), columns.end(), Index(0),
                         [](Index sum, const Column& column) { return sum + column.features(); });
}

std::vector<Index> TableRecipe::column_of_features() const {
  std::vector<Index> of;
  for (std::size_t c = 0; c < columns.size(); ++c) of.insert(of.end(), std::size_t(columns[c].features()), Index(c));
  return of;
}

bool TableRecipe::plain() const {
  return std::ranges::all_of(columns, [](const Column& column) { return column.kind == ColumnKind::number; });
}

Column read_kind(const std::string& text) {
  const std::size_t open = text.ends_with(')') ? text.rfind('(') : std::string::npos, equals = text.rfind('=', open);
  const auto wrong = [&] {
    fail(ErrorCode::bad_option,
         "input.kind: cannot read '{}'; expected COLUMN=number|flag|category|date|id, "
         "COLUMN=ordered(low,medium,high), COLUMN=category(NA) or COLUMN=date(day-month-year)",
         text);
  };
  if (equals == std::string::npos || equals == 0) wrong();
  Column column{.name = text.substr(0, equals)};
  const auto kind =
      TextForm<ColumnKind>::parse(text.substr(equals + 1, open == std::string::npos ? open : open - equals - 1));
  const bool detailed =
      kind && (*kind == ColumnKind::ordered || *kind == ColumnKind::category || *kind == ColumnKind::date);
  if (!kind || (open != std::string::npos && !detailed)) wrong();
  column.kind = *kind;
  if (open == std::string::npos) return column;
  if (*kind == ColumnKind::date) {
    column.form = text.substr(open + 1, text.size() - open - 2);
    if (!detail::date_order(column.form)) wrong();
    return column;
  }
  const auto levels = TextForm<std::vector<std::string>>::parse(text.substr(open + 1, text.size() - open - 2));
  if (!levels || levels->size() < (*kind == ColumnKind::ordered ? 2 : 1)) wrong();
  for (const std::string& level : *levels) column.levels.push_back(trimmed(level));
  return column;
}

namespace detail {

namespace {

// Columns that people give to the names of their samples.
bool names_samples(const std::string& name) {
  static constexpr std::array<std::string_view, 21> kNames = {
      "id",  "index", "row",  "rowid", "rownames",   "row.names", "row names", "name", "names",       "nr",  "no",
      "no.", "key",   "uuid", "guid",  "unnamed: 0", "rowname",   "case",      "obs",  "observation", "code"};
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

// What a column of numbers is when nobody said it.
ColumnKind kind_of_numbers(const Table& table, Index j, const RawColumn& raw) {
  const RowMatrix& X = table.values;
  if (!table.named || X.cols() < 2) return ColumnKind::number;
  const bool likely = raw.unnamed || names_samples(at(table.names, j));
  if (j == 0 && table.first_is_first && (likely || X.rows() >= kFewRows) && counts_rows(X, j)) return ColumnKind::id;
  return likely && X.rows() > 1 && whole(X.col(j)) && all_differ(X.col(j)) ? ColumnKind::id : ColumnKind::number;
}

// Digits alone, as places, articles and people have them.
bool is_code(const std::string& text) { return text.find_first_not_of("0123456789") == std::string::npos; }

// Most columns of the file have them: it writes its numbers so.
bool zeros_everywhere(const Table& table) {
  const auto codes = std::ranges::count_if(table.raw, [](const auto& each) { return each.second.codes; });
  return codes > 2 && 2 * codes > table.values.cols();
}

// What a column of texts is; nothing, with a reason, when it would be of no use.
std::optional<ColumnKind> kind_of_texts(const Table& table, Index j, const RawColumn& raw, Column& column,
                                        std::string& why) {
  const std::vector<std::string>& texts = raw.texts;
  std::set<std::string> words;
  for (const std::string& text : texts) words.insert(lower(text));
  if (words.size() <= 2 &&
      std::ranges::all_of(texts, [](const std::string& text) { return flag_value(text).has_value(); }))
    return ColumnKind::flag;
  if (const auto form = date_form(texts)) {
    column.form = form->order == DateOrder::year ? "" : to_string(form->order);
    return ColumnKind::date;
  }
  if (const auto unit = raw.codes ? std::nullopt : common_unit(texts, table.decimal)) {
    column.form = *unit;
    return ColumnKind::number;
  }
  const std::size_t rows = std::size_t(present(table.values, j));
  const bool few = texts.size() <= kFewLevels || (texts.size() <= kMostLevels && 4 * texts.size() <= rows);
  if (raw.codes && std::ranges::all_of(texts, is_code)) {
    if (zeros_everywhere(table)) return ColumnKind::number;
    return few && texts.size() < rows ? ColumnKind::category : ColumnKind::id;
  }
  const auto numbers =
      std::size_t(std::ranges::count_if(texts, [](const std::string& text) { return read_double(text).has_value(); }));
  if (2 * numbers >= texts.size()) {
    why = fmt::format("{} is not a number", excerpt(raw.first));
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

// What a text of the column is not.
std::string told_of(const Column& column) {
  if (column.kind == ColumnKind::flag) return "which is neither yes nor no";
  if (column.kind == ColumnKind::date)
    return fmt::format("which is no date such as {}", column.form.empty()               ? "2024-02-29"
                                                      : column.form == "day-month-year" ? "29.02.2024"
                                                                                        : "02/29/2024");
  if (column.kind == ColumnKind::number)
    return column.form.empty() ? "which is no number" : fmt::format("which is no number in '{}'", column.form);
  return "which is none of its levels, " + some_of(column.levels, 10);
}

// How the texts of a column become numbers: of a category the place of the level, −1 for none of them.
std::vector<double> values_of_texts(const Table& table, Index j, const Column& column, const std::string& source,
                                    UnseenLevels unseen) {
  const RawColumn& raw = table.raw.at(j);
  std::vector<double> values;
  for (const std::string& text : raw.texts) {
    std::optional<double> value = text_value(text, column, table.decimal);
    if (!value && column.kind == ColumnKind::number && raw.asked && !table.replayed)
      value = kUnknown;  // that it is none was asked to be overlooked
    if (!value && unseen == UnseenLevels::other) value = column.kind == ColumnKind::category ? -1 : kUnknown;
    if (!value) {
      Index row = 0;
      while (table.values(row, j) != double(values.size())) ++row;
      const std::string known = told_of(column);
      fail(ErrorCode::bad_data,
           "{}, row {}: the column '{}' holds '{}', {}; input.unseen other reads on when a model is used", source,
           row + 1, column.name, text, known);
    }
    values.push_back(*value);
  }
  return values;
}

// Moves the kept columns to the front of each row; no second matrix.
void keep_columns(RowMatrix& X, const std::vector<Index>& kept) {
  const Index n = X.rows(), d = X.cols(), left = Index(kept.size());
  double* to = X.data();
  for (Index i = 0; i < n; ++i)
    for (const Index j : kept) *to++ = X.data()[i * d + j];
  X.resize(n * d, 1);
  X.conservativeResize(n * left, 1);
  X.resize(n, left);
}

}  // namespace

std::optional<double> text_value(const std::string& text, const Column& column, char decimal) {
  switch (column.kind) {
    case ColumnKind::flag:
      return flag_value(text);
    case ColumnKind::date:
      return date_value(text, date_order(column.form).value_or(DateOrder::year));
    case ColumnKind::number: {
      if (is_nothing(text)) return kUnknown;
      const auto number = dressed_number(text, decimal);
      const bool fits = number && (number->unit.empty() || number->unit == column.form);
      return fits ? std::optional(number->value) : std::nullopt;
    }
    default: {
      const auto found = std::ranges::find(column.levels, text);
      if (found == column.levels.end()) return std::nullopt;
      return double(found - column.levels.begin()) + (column.kind == ColumnKind::ordered ? 1 : 0);
    }
  }
}

std::string some_of(const std::vector<std::string>& names, std::size_t most) {
  std::vector<std::string> shown;
  for (const std::string& name : names)
    if (shown.size() < most || names.size() == most + 1) shown.push_back("'" + name + "'");
  if (shown.size() < names.size())
    return fmt::format("{} and {} more", fmt::join(shown, ", "), names.size() - shown.size());
  return fmt::format("{}", fmt::join(shown, ", "));
}

Index RawColumn::place(std::string text) {
  const auto [found, fresh] = places.try_emplace(std::move(text), Index(texts.size()));
  if (fresh) texts.push_back(found->first);
  return found->second;
}

void RawColumn::take_numbers(double* column, Index rows, Index step) {
  is_text = true;
  for (Index i = 0; i < rows; ++i)
    if (double& value = column[i * step]; !std::isnan(value)) value = double(place(number_text(value)));
}

namespace {

// "price (without '$')", "age (missing: 'none', '-')"
std::string told_number(const Column& column, const RawColumn& raw) {
  std::vector<std::string> nothing;
  for (const std::string& text : raw.texts)
    if (is_nothing(text)) nothing.push_back(text);
  if (!column.form.empty()) return fmt::format("{} (in '{}')", column.name, column.form);
  return nothing.empty() ? column.name : fmt::format("{} (missing: {})", column.name, some_of(nothing, 3));
}

// Texts that are gaps where the column is one of numbers.
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

Reading recognised(Table& table) {
  Reading reading;
  const Index d = table.values.cols();
  reading.why.resize(std::size_t(d));
  std::vector<std::string> out, categories, flags, dates, scales, dressed;
  for (Index j = 0; j < d; ++j) {
    const auto known = table.raw.find(j);
    RawColumn none;
    RawColumn& raw = known == table.raw.end() ? none : known->second;
    Column column{.name = at(table.names, j)};
    std::string& why = at(reading.why, j);
    const bool empty = raw.missing_line > 0 && present(table.values, j) == 0;
    if (raw.asked) {
      column.kind = raw.asked->kind;
      column.levels = raw.asked->levels;
      column.form = raw.asked->form;
      if (column.kind == ColumnKind::ordered && column.levels.empty()) column.levels = on_scale(raw.texts);
      if (column.kind == ColumnKind::date && column.form.empty())
        if (const auto form = date_form(raw.texts); form && form->order != DateOrder::year)
          column.form = to_string(form->order);
      if (column.kind == ColumnKind::number && raw.is_text)
        column.form = common_unit(raw.texts, table.decimal).value_or("");
      if (column.kind != ColumnKind::number && column.kind != ColumnKind::id && !raw.is_text)
        raw.take_numbers(table.values.data() + j, table.values.rows(), d);
      if (column.kind == ColumnKind::ordered && column.levels.empty())
        why = fmt::format("its levels in their order: input.kind '{}=ordered({})'", column.name,
                          fmt::join(raw.texts, ","));
    } else if (empty) {
      if (table.named) column.kind = ColumnKind::id;  // where it has no name it stands behind a last delimiter
      if (table.named && !raw.unnamed) out.push_back(fmt::format("'{}' (no values)", column.name));
    } else if (!raw.is_text) {
      column.kind = kind_of_numbers(table, j, raw);
      if (column.kind == ColumnKind::id)
        out.push_back(fmt::format("'{}' ({})", raw.unnamed ? "" : column.name,
                                  counts_rows(table.values, j) ? "counts the rows" : "names the rows"));
    } else {
      column.kind = kind_of_texts(table, j, raw, column, why).value_or(ColumnKind::category);
      if (column.kind == ColumnKind::id)
        out.push_back(fmt::format(
            "'{}' ({})", raw.unnamed ? "" : column.name,
            Index(raw.texts.size()) == present(table.values, j) ? "names the rows" : "codes that begin with zeros"));
    }
    if (column.kind == ColumnKind::category) {
      column.levels = make_labels(raw.texts).names;
      if (raw.codes) std::ranges::sort(column.levels = raw.texts);  // numbers would lose their zeros
      categories.push_back(fmt::format("{} ({})", column.name, column.levels.size()));
      if (NA_may_be_a_code(raw))
        reading.notes.push_back(fmt::format(
            "NA in '{0}' is taken for a missing value; input.kind '{0}=category(NA)' makes it a level", column.name));
    }
    if (column.kind == ColumnKind::flag) flags.push_back(column.name);
    if (column.kind == ColumnKind::date)
      dates.push_back(column.form.empty() ? column.name : fmt::format("{} ({})", column.name, column.form));
    if (column.kind == ColumnKind::ordered && !raw.asked)
      scales.push_back(fmt::format("{} ({})", column.name, fmt::join(column.levels, " < ")));
    if (column.kind == ColumnKind::number && raw.is_text && !raw.asked) dressed.push_back(told_number(column, raw));
    if (column.kind == ColumnKind::number && raw.is_text) mark_gaps(column, table.decimal, raw);
    const bool names = column.kind == ColumnKind::id && !empty &&
                       (raw.is_text ? raw.asked || Index(raw.texts.size()) == present(table.values, j)
                                    : !counts_rows(table.values, j));
    if (names && reading.names < 0) reading.names = j;
    const bool target = std::ranges::find(table.targets, column.name) != table.targets.end();
    if (target && raw.codes && !raw.asked && column.kind == ColumnKind::category) column.kind = ColumnKind::number;
    if (target && why.empty() && column.kind == ColumnKind::category && !raw.asked)
      why = fmt::format("a target is a number; for classes give input.label_column {}", column.name);
    if (target && !raw.asked && column.kind == ColumnKind::id) column.kind = ColumnKind::number;
    reading.columns.push_back(std::move(column));
  }
  if (!out.empty()) {
    reading.notes.push_back(fmt::format("left out: {}; input.kind NAME=number keeps a column", fmt::join(out, ", ")));
  }
  std::vector<std::string> read;
  const auto tell = [&](const std::vector<std::string>& names, std::string_view as) {
    if (!names.empty()) read.push_back(fmt::format("as {}: {}", as, fmt::join(names, ", ")));
  };
  tell(categories, "categories");
  tell(flags, "yes or no, 1 or 0");
  tell(dates, "days since 1970");
  tell(scales, "ordered, 1, 2, 3, …");
  tell(dressed, "numbers");
  if (!read.empty()) reading.notes.push_back(fmt::format("read {}", fmt::join(read, "; ")));
  return reading;
}

void encode(Table& table, const std::vector<Column>& all, const std::string& source, const ReadOptions& options) {
  std::vector<Index> kept;
  std::vector<std::string> names;
  bool numbers = true;
  for (std::size_t j = 0; j < all.size(); ++j) {
    const auto raw = table.raw.find(Index(j));
    numbers &= all[j].kind == ColumnKind::id ||
               (all[j].kind == ColumnKind::number && (raw == table.raw.end() || !raw->second.is_text));
    if (all[j].kind != ColumnKind::id) kept.push_back(Index(j));
    std::ranges::move(all[j].feature_names(), std::back_inserter(names));
  }
  if (kept.empty()) throw Error(ErrorCode::bad_option, source + ": no column is left as data");
  table.names = std::move(names);
  const Index n = table.values.rows(), d = table.values.cols();
  if (numbers) {
    if (Index(kept.size()) < d) keep_columns(table.values, kept);
    return;
  }
  if (table.context)
    require_reading_memory(*table.context, 8.0 * double(n) * double(d + Index(table.names.size())), source);
  RowMatrix X = RowMatrix::Zero(n, Index(table.names.size()));
  Index feature = 0;
  for (const Index j : kept) {
    const Column& column = at(all, j);
    const auto raw = table.raw.find(j);
    const bool text = raw != table.raw.end() && raw->second.is_text;
    const std::vector<double> of =
        text ? values_of_texts(table, j, column, source, options.unseen) : std::vector<double>{};
    const Index width = column.features();
    for (Index i = 0; i < n; ++i) {
      const double value = table.values(i, j), meant = text && !std::isnan(value) ? at(of, Index(value)) : value;
      if (column.kind != ColumnKind::category)
        X(i, feature) = meant;
      else if (std::isnan(meant))
        X.row(i).segment(feature, width).setConstant(kUnknown);
      else if (meant >= 0)
        X(i, feature + Index(meant)) = 1;
    }
    feature += width;
  }
  table.values = std::move(X);
}

}  // namespace detail
}  // namespace ritz
