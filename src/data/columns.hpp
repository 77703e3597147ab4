// SPDX-License-Identifier: MIT
// From texts to kinds of columns: the one place that decides what a column is.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/formats/table.hpp"
#include "ritz/data/columns.hpp"

namespace ritz::detail {

// 1 for true, yes, y, t, on; 0 for their opposites, in any case.
std::optional<double> flag_value(std::string_view text);
// Days since 1970-01-01 of "2024-02-29", "2024/02/29", each also with a time: "2024-02-29T18:30:05.5Z", "… 18:30".
std::optional<double> date_value(std::string_view text);
// "'a'", "'a', 'b' and 3 more"
std::string some_of(const std::vector<std::string>& names, std::size_t most = 5);

// What was asked for and what the values tell. `why` is a sentence for each column that would be of no use.
struct Reading {
  std::vector<Column> columns;       // one for each of the table's
  std::vector<std::string> why{};    // empty: it is fine
  std::vector<std::string> notes{};  // of what was recognised
  Index names = -1;                  // the column that names the samples, where one was recognised
};
Reading recognised(Table& table);

// Samples by the recipe: table.values become features, a gap is NaN in all of its column's features. Columns of the
// table are those of `all`, of which ids go.
void encode(Table& table, const std::vector<Column>& all, const std::string& source, const ReadOptions& options);

// Fills in what is missing as `how` says, with what the recipe knows: learnt here where `learn`. Notes how many.
void fill_gaps(RowMatrix& values, TableRecipe& recipe, MissingValues how, bool learn, Dataset& out);

}  // namespace ritz::detail
