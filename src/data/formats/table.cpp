// SPDX-License-Identifier: MIT
#include "data/formats/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/at.hpp"
#include "ritz/base/error.hpp"
#include "ritz/base/text.hpp"

namespace ritz::detail {

namespace {

bool same_letters(std::string_view text, std::string_view lower) {
  return std::ranges::equal(text, lower,
                            [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a - 'A' + 'a' : a) == b; });
}

Index column_number(const std::string& source, const std::vector<std::string>& names, const std::string& wanted) {
  const auto found = std::ranges::find(names, wanted);
  if (found != names.end()) {
    if (std::find(found + 1, names.end(), wanted) != names.end())
      throw Error(ErrorCode::bad_option,
                  fmt::format("{} has several columns '{}'; give the column's number", source, wanted));
    return found - names.begin();
  }
  if (const auto number = read_integer(wanted)) {
    if (*number >= 1 && *number <= (long long)(names.size())) return Index(*number - 1);
    throw Error(ErrorCode::bad_option,
                fmt::format("{} has {} columns; there is no column {}", source, names.size(), wanted));
  }
  throw Error(ErrorCode::bad_option, fmt::format("{} has no column '{}'{}", source, wanted, suggestion(wanted, names)));
}

// Moves the rows that stay to the front; no second matrix.
void erase_rows(Table& table, const std::vector<bool>& erased) {
  Index kept = 0;
  for (Index i = 0; i < table.values.rows(); ++i) {
    if (at(erased, i)) continue;
    if (kept != i) {
      table.values.row(kept) = table.values.row(i);
      for (auto* texts : {&table.labels, &table.ids})
        if (!texts->empty()) at((*texts), kept) = std::move(at((*texts), i));
    }
    ++kept;
  }
  table.values.conservativeResize(kept, table.values.cols());
  for (auto* texts : {&table.labels, &table.ids})
    if (!texts->empty()) texts->resize(std::size_t(kept));
}

void require_present(const Table& table, const std::string& source) {
  if (!table.unlabelled.empty())
    throw Error(ErrorCode::not_finite, fmt::format("{}, row {}: the label is missing; {}", source,
                                                   table.unlabelled.front() + 1, kMissingAdvice));
  for (Index i = 0; i < table.values.rows(); ++i)
    for (Index j = 0; j < table.values.cols(); ++j)
      if (std::isnan(table.values(i, j)))
        throw Error(ErrorCode::not_finite, fmt::format("{}, row {}, column '{}': the value is missing (NaN); {}",
                                                       source, i + 1, at(table.names, j), kMissingAdvice));
}

void refuse_infinity(const Table& table, const std::string& source) {
  for (Index i = 0; i < table.values.rows(); ++i) {
    if (table.values.row(i).allFinite()) continue;
    for (Index j = 0; j < table.values.cols(); ++j)
      if (std::isinf(table.values(i, j)))
        throw Error(ErrorCode::not_finite,
                    fmt::format("{}, row {}, column '{}': the value is infinite", source, i + 1, at(table.names, j)));
  }
}

// Rows that lack what is to be explained: a mean in its place would be an invention.
Index mark_targetless(const Table& table, const ReadOptions& options, const std::string& source,
                      std::vector<bool>& erased) {
  Index marked = 0;
  for (const std::string& column : options.target_columns) {
    const Index j = column_number(source, table.names, column);
    for (Index i = 0; i < table.values.rows(); ++i)
      if (!at(erased, i) && std::isnan(table.values(i, j))) {
        at(erased, i) = true;
        ++marked;
      }
  }
  return marked;
}

void drop_incomplete(Table& table, const ReadOptions& options, Dataset& out) {
  const MissingValues missing = options.missing;
  std::vector<bool> erased(std::size_t(table.values.rows()), false);
  for (const Index i : table.unlabelled) at(erased, i) = true;
  const Index targetless = mark_targetless(table, options, out.source, erased);
  Index dropped = 0;
  if (missing == MissingValues::drop)
    for (Index i = 0; i < table.values.rows(); ++i)
      if (!at(erased, i) && table.values.row(i).hasNaN()) {
        at(erased, i) = true;
        ++dropped;
      }
  const Index unlabelled = Index(table.unlabelled.size());
  if (dropped + unlabelled + targetless == 0) return;
  if (dropped + unlabelled + targetless == table.values.rows())
    throw Error(ErrorCode::bad_data, out.source + ": every row has a missing value; no row is left");
  if (unlabelled > 0) out.notes.push_back(counted(unlabelled, "row", "rows") + " without a label dropped");
  if (targetless > 0) out.notes.push_back(counted(targetless, "row", "rows") + " without a target dropped");
  if (dropped > 0) out.notes.push_back(counted(dropped, "row", "rows") + " with missing values dropped");
  erase_rows(table, erased);
}

void fill_with_means(Table& table, Dataset& out) {
  const Index d = table.values.cols();
  Vector mean = Vector::Zero(d), present = Vector::Zero(d);
  Index filled = 0;
  for (Index i = 0; i < table.values.rows(); ++i)
    for (Index j = 0; j < d; ++j) {
      const double x = table.values(i, j);
      if (std::isnan(x)) {
        ++filled;
      } else {
        present[j] += 1;
        mean[j] += (x - mean[j]) / present[j];
      }
    }
  if (filled == 0) return;
  for (Index j = 0; j < d; ++j)
    if (present[j] == 0)
      throw Error(ErrorCode::bad_data,
                  fmt::format("{}: column '{}' has no values at all; drop it with input.drop_column", out.source,
                              at(table.names, j)));
  for (Index i = 0; i < table.values.rows(); ++i)
    for (Index j = 0; j < d; ++j)
      if (std::isnan(table.values(i, j))) table.values(i, j) = mean[j];
  out.notes.push_back(counted(filled, "missing value", "missing values") + " replaced by the column's mean");
}

}  // namespace

std::string counted(long long count, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

std::vector<std::string> numbered_names(Index count) {
  std::vector<std::string> names;
  names.reserve(std::size_t(count));
  for (Index j = 1; j <= count; ++j) names.push_back(fmt::format("x{}", j));
  return names;
}

bool is_missing(std::string_view field) {
  return field.empty() || field == "?" || same_letters(field, "na") || same_letters(field, "nan") ||
         same_letters(field, "null");
}

ColumnRoles column_roles(const std::string& source, const std::vector<std::string>& names, const ReadOptions& options) {
  ColumnRoles roles;
  std::vector<bool> left_out(names.size(), false);
  if (!options.label_column.empty()) {
    roles.label = column_number(source, names, options.label_column);
    at(left_out, roles.label) = true;
  }
  if (!options.id_column.empty()) {
    roles.id = column_number(source, names, options.id_column);
    if (roles.id == roles.label)
      throw Error(ErrorCode::bad_option,
                  fmt::format("column '{}' of {} is both label and id", options.id_column, source));
    at(left_out, roles.id) = true;
  }
  for (const std::string& column : options.drop_columns) {
    const Index j = column_number(source, names, column);
    if (j == roles.label)
      throw Error(ErrorCode::bad_option, fmt::format("column '{}' of {} is both label and dropped", column, source));
    if (j == roles.id)
      throw Error(ErrorCode::bad_option, fmt::format("column '{}' of {} is both id and dropped", column, source));
    at(left_out, j) = true;
  }
  for (std::size_t j = 0; j < names.size(); ++j)
    if (!left_out[j]) roles.features.push_back(Index(j));
  if (roles.features.empty()) throw Error(ErrorCode::bad_option, source + ": no column is left as data");
  return roles;
}

Dataset settled(Table table, const std::string& source, const ReadOptions& options) {
  Dataset out;
  out.source = source;
  if (table.values.rows() == 0) throw Error(ErrorCode::bad_data, source + " holds no samples");
  if (!table.values.allFinite() || !table.unlabelled.empty()) {
    refuse_infinity(table, source);
    if (options.missing == MissingValues::reject) require_present(table, source);
    drop_incomplete(table, options, out);
    if (options.missing == MissingValues::mean) fill_with_means(table, out);
  }
  out.samples = std::move(table.values);
  out.feature_names = std::move(table.names);
  out.labels = make_labels(table.labels);
  out.ids = std::move(table.ids);
  return out;
}

Dataset dataset_of(RowMatrix values, const std::string& source, const ReadOptions& options) {
  Table table;
  table.names = numbered_names(values.cols());
  const ColumnRoles roles = column_roles(source, table.names, options);
  if (roles.label != ColumnRoles::kNone) table.labels = label_column(values, roles.label, table.unlabelled);
  if (roles.id != ColumnRoles::kNone)
    for (Index i = 0; i < values.rows(); ++i) table.ids.push_back(number_text(values(i, roles.id)));
  if (Index(roles.features.size()) == values.cols()) {
    table.values = std::move(values);
  } else {
    table.values = values(Eigen::all, roles.features);
    std::vector<std::string> kept;
    for (const Index j : roles.features) kept.push_back(at(table.names, j));
    table.names = std::move(kept);
  }
  return settled(std::move(table), source, options);
}

}  // namespace ritz::detail
