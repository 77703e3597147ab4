// SPDX-License-Identifier: MIT
#include "data/columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

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
         "COLUMN=ordered(low,medium,high), COLUMN=category(NA), COLUMN=number(-999) or COLUMN=date(day-month-year)",
         text);
  };
  if (equals == std::string::npos || equals == 0) wrong();
  Column column{.name = text.substr(0, equals)};
  const auto kind =
      TextForm<ColumnKind>::parse(text.substr(equals + 1, open == std::string::npos ? open : open - equals - 1));
  const bool detailed = kind && (*kind == ColumnKind::ordered || *kind == ColumnKind::category ||
                                 *kind == ColumnKind::date || *kind == ColumnKind::number);
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
  const auto is_number = [](const std::string& level) { return read_double(level).has_value(); };
  if (*kind == ColumnKind::number && !std::ranges::all_of(column.levels, is_number)) wrong();
  return column;
}

namespace detail {

namespace {

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
    if (!value && (column.kind == ColumnKind::number || column.kind == ColumnKind::date) && raw.asked &&
        !table.replayed)
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

namespace {

bool is_code(double value, const Column& column) {
  return std::ranges::any_of(column.levels, [&](const std::string& code) { return read_double(code) == value; });
}

}  // namespace

void settle_gaps(Table& table, Index j, const Column& column) {
  if (column.kind == ColumnKind::flag && column.form == kMarked) {
    RawColumn& raw = table.raw[j];
    raw.missing_line = 0;
    for (Index i = 0; i < table.values.rows(); ++i)
      if (double& value = table.values(i, j); std::isnan(value)) value = double(raw.place(std::string(kUnmarked)));
  }
  if (column.kind != ColumnKind::number || column.levels.empty()) return;
  const auto raw = table.raw.find(j);
  if (raw != table.raw.end() && raw->second.is_text) return;  // as their texts become numbers
  std::vector<double> codes;
  for (const std::string& code : column.levels) codes.push_back(read_double(code).value_or(kUnknown));
  for (Index i = 0; i < table.values.rows(); ++i)
    if (double& value = table.values(i, j); std::ranges::find(codes, value) != codes.end()) value = kUnknown;
}

std::optional<double> text_value(const std::string& text, const Column& column, char decimal) {
  switch (column.kind) {
    case ColumnKind::flag:
      return column.form == kMarked ? double(text != kUnmarked) : flag_value(text);
    case ColumnKind::date:
      if (is_nothing(text)) return kUnknown;
      return date_value(text, date_order(column.form).value_or(DateOrder::year));
    case ColumnKind::number: {
      if (is_nothing(text)) return kUnknown;
      const auto number = dressed_number(text, decimal);
      const auto value = number ? in_unit(*number, column.form) : std::nullopt;
      return value && is_code(*value, column) ? kUnknown : value;
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

void RawColumn::take_first(const std::string& text) {
  if (text == first) return;
  first = text;
  line = 0;
}

void RawColumn::take_numbers(double* column, Index rows, Index step) {
  is_text = true;
  for (Index i = 0; i < rows; ++i)
    if (double& value = column[i * step]; !std::isnan(value)) value = double(place(number_text(value)));
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
