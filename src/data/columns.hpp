// SPDX-License-Identifier: MIT
// From texts to kinds of columns: the one place that decides what a column is.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/field_values.hpp"
#include "data/formats/table.hpp"
#include "ritz/data/columns.hpp"

namespace ritz::detail {

// What a text of a number, flag, date or ordered column stands for, NaN where it means nothing; of a category the place
// of the level. Nothing: it is none of that.
std::optional<double> text_value(const std::string& text, const Column& column, char decimal);
// "'a'", "'a', 'b' and 3 more"
std::string some_of(const std::vector<std::string>& names, std::size_t most = 5);

// What was asked for and what the values tell. `why` is a sentence for each column that would be of no use.
struct Reading {
  std::vector<Column> columns;           // one for each of the table's
  std::vector<std::string> why{};        // empty: it is fine
  std::vector<std::string> questions{};  // where the values may mean something else
  std::vector<std::string> notes{};      // of what was recognised
  Index names = -1;                      // the column that names the samples, where one was recognised
};
Reading recognised(Table& table);

// Of a flag: a mark or nothing; and the text that stands for nothing.
inline constexpr std::string_view kMarked = "or nothing", kUnmarked = "(nothing)";

// The form of an id that names the samples: a model finds it again and names the new samples by it, too.
inline constexpr std::string_view kNamesSamples = "names the samples";

// Makes gaps of the numbers that stand for missing values in the column, column.levels, and of gaps the word that
// stands for no where a column holds a mark or nothing.
void settle_gaps(Table& table, Index j, const Column& column);

// Among texts of two capital letters: Namibia, North America.
bool NA_may_be_a_code(const RawColumn& raw);

// Samples by the recipe: table.values become features, a gap is NaN in all of its column's features. Columns of the
// table are those of `all`, of which ids go.
void encode(Table& table, const std::vector<Column>& all, const std::string& source, const ReadOptions& options);

// Of what fills gaps: the running mean of what is there in each column, and what that becomes for categories and flags.
void add_to_means(const RowMatrix& X, Vector& mean, Vector& present);
void settle_kinds(Eigen::Ref<Vector> values, const TableRecipe& recipe);

// Fills in what is missing as `how` says, with what the recipe knows: learnt here where `learn`. Notes how many.
void fill_gaps(RowMatrix& values, TableRecipe& recipe, MissingValues how, bool learn, Dataset& out);

}  // namespace ritz::detail
