// SPDX-License-Identifier: MIT
// From the columns of a file to a Dataset: which column is what, and what becomes of missing values.
#pragma once

#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "data/streams/byte_source.hpp"
#include "ritz/base/context.hpp"
#include "ritz/base/text.hpp"
#include "ritz/data/dataset.hpp"
#include "ritz/data/io.hpp"

namespace ritz::detail {

std::vector<std::string> numbered_names(Index count);  // "x1", "x2", …

// "1 row", "2 rows"
std::string counted(long long count, std::string_view one, std::string_view many);

// Empty, NA, NaN, N/A, null and others that programs write for a missing value, in any case.
bool is_missing(std::string_view field);

// "use input.na drop or input.na mean", the end of every message about a missing value.
inline constexpr std::string_view kMissingAdvice = "use input.na drop or input.na mean";

inline constexpr std::string_view kAllColumns = "*";

struct ColumnRoles {
  static constexpr Index kNone = -1;
  Index label = kNone;               // which column holds the labels
  Index id = kNone;                  // … the samples' names
  std::vector<Index> features{};     // which columns are data: increasing, or in the order of the recipe
  std::vector<Index> targets{};      // … and are to be explained; with a recipe: not data, but no row is to lack them
  std::map<Index, Column> kinds{};   // that were asked for
  std::vector<std::string> codes{};  // numbers that stand for a missing value in all columns: "*=number(-999)"
};
// Throws bad_option for a column that is not there, with the nearest name. `named`: by a header of the file.
ColumnRoles column_roles(const std::string& source, const std::vector<std::string>& names, bool named,
                         const ReadOptions& options);

// What is to be done about missing values.
inline MissingValues missing_rule(const ReadOptions& options) {
  return options.recipe && options.missing == MissingValues::reject ? options.recipe->missing : options.missing;
}

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

// What is special about a column of a file.
struct RawColumn {
  bool is_text = false;  // values are places in `texts`
  std::vector<std::string>
      texts{};  // that differ, in the order of the file; numbers among them as number_text has them
  std::unordered_map<std::string, Index> places{};
  long long line = 0;          // of `first`; 0: not known
  std::string first{};         // that is not what most of the column are
  long long missing_line = 0;  // of the first missing value; 0: none
  std::string missing_text{};
  Index number = 0;      // of the column in the file, from 1
  bool unnamed = false;  // in a file with a header
  bool codes = false;    // whole numbers that begin with zeros are among the texts: 00420
  std::optional<Column> asked{};

  Index place(std::string text);
  void take_first(const std::string& text);  // as `first`
  // Numbers that were read before the first text: column[0], column[step], …
  void take_numbers(double* column, Index rows, Index step);
};

// A file's content before kinds and missing values are settled; NaN stands for a missing one.
struct Table {
  RowMatrix values;                     // features only
  std::vector<std::string> names;       // of the features
  std::vector<std::string> labels{};    // one a row, or none
  std::vector<std::string> ids{};       // one a row, or none
  std::vector<Index> unlabelled{};      // rows whose label is missing
  std::map<Index, RawColumn> raw{};     // by feature; not there: numbers, nothing special
  std::vector<std::string> codes{};     // numbers that stand for a missing value
  std::vector<std::string> targets{};   // names of features that are to be explained
  std::string label{};                  // the label column's name
  std::string id{};                     // … of the one that was given to name the samples
  bool named = false;                   // by a header
  char decimal = '.';                   // mark of the file's numbers
  bool first_is_first = false;          // the first feature is the file's first column
  bool replayed = false;                // by the recipe of the options
  const RunContext* context = nullptr;  // whose memory counts
  std::vector<std::string> notes{};
};
Table read_table(ByteSource& source, const ReadOptions& options, const RunContext& context);  // of delimited text
Dataset settled(Table table, const std::string& source, const ReadOptions& options);

// For formats that are one array: columns are called x1, x2, …, and the label column is one of them.
Dataset dataset_of(RowMatrix values, const std::string& source, const ReadOptions& options);
// `labels`: one a row, or none.
Dataset dataset_of(SparseRows values, std::vector<std::string> labels, const std::string& source,
                   const ReadOptions& options);

}  // namespace ritz::detail
