// SPDX-License-Identifier: MIT
// From the columns of a file to a Dataset: which column is what, and what becomes of missing values.
#pragma once

#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "ritz/base/context.hpp"
#include "ritz/base/text.hpp"
#include "ritz/data/dataset.hpp"
#include "ritz/data/io.hpp"

namespace ritz::detail {

std::vector<std::string> numbered_names(Index count);  // "x1", "x2", …

// "1 row", "2 rows"
std::string counted(long long count, std::string_view one, std::string_view many);

// Empty, NA, NaN, ?, null, in any case.
bool is_missing(std::string_view field);

// "use input.na drop or input.na mean", the end of every message about a missing value.
inline constexpr std::string_view kMissingAdvice = "use input.na drop or input.na mean";

struct ColumnRoles {
  static constexpr Index kNone = -1;
  Index label = kNone;          // which column holds the labels
  Index id = kNone;             // … the samples' names
  std::vector<Index> features;  // which columns are data, increasing
};
// Throws bad_option for a column that is not there, with the nearest name.
ColumnRoles column_roles(const std::string& source, const std::vector<std::string>& names, const ReadOptions& options);

// A column as texts; the rows in which it is missing are added to `unlabelled`.
template <class Samples>
std::vector<std::string> label_column(const Samples& X, Index column, std::vector<Index>& unlabelled) {
  std::vector<std::string> labels;
  for (Index i = 0; i < X.rows(); ++i) {
    const double value = X.coeff(i, column);
    if (std::isnan(value)) unlabelled.push_back(i);
    labels.push_back(number_text(value));
  }
  return labels;
}

// A file's content before the missing values are settled; NaN stands for a missing one.
struct Table {
  RowMatrix values;                 // features only
  std::vector<std::string> names;   // of the features
  std::vector<std::string> labels;  // one a row, or none
  std::vector<std::string> ids{};   // one a row, or none
  std::vector<Index> unlabelled;    // rows whose label is missing
};
Dataset settled(Table table, const std::string& source, const ReadOptions& options);

// For formats that are one array: columns are called x1, x2, …, and the label column is one of them.
Dataset dataset_of(RowMatrix values, const std::string& source, const ReadOptions& options);
// `labels`: one a row, or none.
Dataset dataset_of(SparseRows values, std::vector<std::string> labels, const std::string& source,
                   const ReadOptions& options);

}  // namespace ritz::detail
