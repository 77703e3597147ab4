// SPDX-License-Identifier: MIT
// Kinds of columns, and how a table of them became numbers: learnt by a fit, kept in its model, done again with new
// samples, whose columns are looked for by name.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "ritz/base/text.hpp"
#include "ritz/base/types.hpp"

namespace ritz {

// number: also with a unit beside it, "$1,200.50", "12 %". flag: TRUE/FALSE, yes/no, y/n, T/F as 1 and 0. category: a
// feature of zeros and ones for each of its texts. ordered: the place of the text among the levels, from 1. date: days
// since 1970-01-01. id: a name of the sample, no feature.
enum class ColumnKind { number, flag, category, ordered, date, id };
constexpr auto names_of(ColumnKind) { return std::array{"number", "flag", "category", "ordered", "date", "id"}; }

// What fills a gap: the column's mean or median, of categories and flags the most frequent; or what the nearest
// complete samples have (knn).
enum class MissingValues { reject, drop, mean, median, knn };
constexpr auto names_of(MissingValues) { return std::array{"reject", "drop", "mean", "median", "knn"}; }

// What a level means that the fit has not seen: an error, or none of the known ones.
enum class UnseenLevels { reject, other };
constexpr auto names_of(UnseenLevels) { return std::array{"reject", "other"}; }

struct Column {
  std::string name;
  ColumnKind kind = ColumnKind::number;
  std::vector<std::string> levels{};  // category: by value or alphabet; ordered: the lowest first
  // number: the unit that stood beside it ("$", "%", "kg"); date: "day-month-year" or "month-day-year"; empty: bare
  // numbers, and dates that begin with the year
  std::string form{};
  // Of a category one for each level, called "color=red"; of an id none; else one, called as the column.
  Index features() const;
  std::vector<std::string> feature_names() const;
};

struct TableRecipe {
  std::vector<Column> columns;     // those that are features, in their order
  std::vector<Column> left_out{};  // those that were recognised as ids
  bool named = false;              // by a header; otherwise columns are known by their place
  std::string label{};             // which column held the labels; empty: none
  std::vector<std::string> targets{};
  MissingValues missing = MissingValues::reject;  // what the fit did about them
  Vector fill{};                                  // a value a feature, for mean and median; empty: not learnt
  RowMatrix donors{};                             // complete samples, for knn
  Index features() const;
  std::vector<Index> column_of_features() const;  // a place in `columns` for each feature
  bool plain() const;                             // numbers only
};

// "color=category", "size=ordered(small,medium,large)", "since=date(day-month-year)". Throws bad_option for what cannot
// be read.
Column read_kind(const std::string& text);

}  // namespace ritz
