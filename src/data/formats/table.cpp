// SPDX-License-Identifier: MIT
#include "data/formats/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "base/at.hpp"
#include "base/fail.hpp"
#include "base/finite.hpp"
#include "data/columns.hpp"
#include "data/source_names.hpp"
#include "ritz/base/error.hpp"
#include "ritz/base/text.hpp"

namespace ritz::detail {

namespace {

bool same_letters(std::string_view text, std::string_view lower) {
  return std::ranges::equal(text, lower,
                            [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a - 'A' + 'a' : a) == b; });
}

constexpr std::string_view kOneColumn =
    "it was read as one column without a header: divide fields by commas, semicolons, tabs, bars or blanks, and put "
    "their names into the first line";

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
  constexpr std::size_t kMost = 20, kLongest = 60;
  std::vector<std::string> some;
  for (const std::string& name : names)
    if (some.size() < kMost) some.push_back(name.size() <= kLongest ? name : excerpt(name, kLongest));
  const std::string known = nearest_name(wanted, names).empty()
                                ? suggestion("", some) + (names.size() > kMost ? ", …" : "")
                                : suggestion(wanted, names);
  if (names == numbered_names(1)) fail(ErrorCode::bad_option, "{} has no column '{}'; {}", source, wanted, kOneColumn);
  if (names == numbered_names(Index(names.size())))
    fail(ErrorCode::bad_option,
         "{} has no header, and so no column '{}'; give its number, or put names into the first line{}", source, wanted,
         known);
  fail(ErrorCode::bad_option, "{} has no column '{}'{}", source, wanted, known);
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

// In the words of whoever reads the file: "NAME, line 3, column 2 ('b'): the sentence".
[[noreturn]] void fail_at(const Table& table, const RawColumn& raw, long long line, const std::string& source,
                          ErrorCode code, const std::string& sentence) {
  const Index j = std::ranges::find_if(table.raw, [&](const auto& each) { return &each.second == &raw; })->first;
  Index row = 0;  // where the line is not known
  if (const auto text = raw.places.find(raw.first); line == 0 && text != raw.places.end())
    while (row + 1 < table.values.rows() && table.values(row, j) != double(text->second)) ++row;
  fail(code, "{}, {} {}, column {}{}: {}", source, line > 0 ? "line" : "row", line > 0 ? line : row + 1, raw.number,
       table.named ? fmt::format(" ('{}')", at(table.names, j)) : "", sentence);
}

// All columns that would be of no use, and how to go on.
void refuse_useless(const Table& table, const Reading& reading, const std::string& source, MissingValues missing) {
  std::vector<std::string> told, names, gaps;
  Index last = 0;
  for (Index j = 0; j < Index(reading.why.size()); ++j)
    if (const std::string& why = at(reading.why, j); !why.empty()) {
      names.push_back(at(table.names, j));
      told.push_back(fmt::format("'{}' ({})", names.back(), why));
      last = j;
    }
  if (names.empty()) return;
  if (table.names == numbered_names(1) && !table.named)
    fail(ErrorCode::bad_file, "{}: {}; {}", source, at(reading.why, 0), kOneColumn);
  for (const auto& [j, raw] : table.raw)
    if (raw.missing_line > 0 && at(reading.why, j).empty() && missing == MissingValues::reject &&
        at(reading.columns, j).kind != ColumnKind::id)
      gaps.push_back(at(table.names, j));
  const std::string fill = gaps.empty() ? "" : fmt::format("; input.na median fills the gaps of {}", some_of(gaps));
  const bool by_number =
      std::ranges::any_of(names, [](const std::string& name) { return name.find(',') != name.npos; });
  const std::string cure =
      by_number ? "leave them out by input.drop_column"
                : fmt::format("leave out what is of no use by input.drop_column '{}'", fmt::join(names, ","));
  const std::string keep = fmt::format("input.kind '{0}=category' or '{0}=number' keeps one", names.front());
  const auto raw = table.raw.find(last);
  for (const auto& [end, kind] : {std::pair{"is not a number", "number"}, std::pair{"is not a date", "date"}})
    if (names.size() == 1 && raw != table.raw.end() && at(reading.why, last).ends_with(end))
      fail_at(
          table, raw->second, raw->second.line, source, ErrorCode::bad_file,
          fmt::format(
              "{}; input.kind '{}={}' takes such a value as missing, input.drop_column '{}' leaves the column out{}",
              at(reading.why, last), names.front(), kind, names.front(), fill));
  fail(ErrorCode::bad_file, "{}: {} no numbers and no categories as they are: {}; {}, {}{}", source,
       names.size() == 1 ? "a column is" : fmt::format("{} columns are", names.size()), fmt::join(told, ", "), cure,
       keep, fill);
}

void require_present(const Table& table, const std::vector<Column>& all, const std::string& source) {
  if (!table.unlabelled.empty())
    throw Error(ErrorCode::not_finite, fmt::format("{}, row {}: the label is missing; {}", source,
                                                   table.unlabelled.front() + 1, kMissingAdvice));
  const RawColumn* first = nullptr;
  for (const auto& [j, raw] : table.raw)
    if (raw.missing_line > 0 && at(all, j).kind != ColumnKind::id && (!first || raw.missing_line < first->missing_line))
      first = &raw;
  if (first)
    fail_at(
        table, *first, first->missing_line, source, ErrorCode::not_finite,
        fmt::format("the value is missing{}; {}{}",
                    first->missing_text.empty() ? "" : fmt::format(" ({})", first->missing_text), kMissingAdvice,
                    NA_may_be_a_code(*first) ? ", or input.kind COLUMN='category(NA)' if NA is one of its codes" : ""));
  for (Index i = 0; i < table.values.rows(); ++i)
    for (Index j = 0; j < table.values.cols(); ++j)
      if (std::isnan(table.values(i, j)) && at(all, j).kind != ColumnKind::id)
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
std::vector<Index> targetless(const Table& table, const TableRecipe& recipe) {
  std::vector<Index> rows;
  if (table.targets.empty()) return rows;
  std::vector<Index> features;
  for (const Index c : recipe.column_of_features())
    features.push_back(std::ranges::find(table.targets, at(recipe.columns, c).name) != table.targets.end());
  for (Index i = 0; i < table.values.rows(); ++i)
    for (Index j = 0; j < table.values.cols(); ++j)
      if (at(features, j) && std::isnan(table.values(i, j))) {
        rows.push_back(i);
        break;
      }
  return rows;
}

void drop_incomplete(Table& table, const TableRecipe& recipe, MissingValues missing, Dataset& out) {
  std::vector<bool> erased(std::size_t(table.values.rows()), false);
  const auto drop = [&](const std::vector<Index>& rows, std::string_view why) {
    std::vector<std::string> some;
    Index count = 0;
    for (const Index i : rows) {
      if (at(erased, i)) continue;
      at(erased, i) = true;
      out.dropped.push_back({i + 1, table.ids.empty() ? "" : at(table.ids, i)});
      if (++count <= 5) some.push_back(table.ids.empty() ? std::to_string(i + 1) : at(table.ids, i));
    }
    if (count > 0)
      out.notes.push_back(fmt::format("{} {} dropped: {}{}", counted(count, "row", "rows"), why, fmt::join(some, ", "),
                                      count > 5 ? ", …" : ""));
  };
  drop(table.unlabelled, "without a label");
  drop(targetless(table, recipe), "without a target");
  std::vector<Index> incomplete;
  if (missing == MissingValues::drop)
    for (Index i = 0; i < table.values.rows(); ++i)
      if (table.values.row(i).hasNaN()) incomplete.push_back(i);
  drop(incomplete, "with missing values");
  if (out.dropped.empty()) return;
  if (Index(out.dropped.size()) == table.values.rows())
    throw Error(ErrorCode::bad_data, out.source + ": every row has a missing value; no row is left");
  erase_rows(table, erased);
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
  static constexpr std::array<std::string_view, 26> kWords = {"na",         "nan",
                                                              "null",       "n/a",
                                                              "#n/a",       "#na",
                                                              "<na>",       "-nan",
                                                              "nat",        "#div/0!",
                                                              "#value!",    "#ref!",
                                                              "#name?",     "#num!",
                                                              "#null!",     "#nv",
                                                              "#n/d",       "#n/v",
                                                              "-nan(ind)",  "#n/a n/a",
                                                              "0000-00-00", "0000-00-00 00:00:00",
                                                              "na_real_",   "na_integer_",
                                                              "''",         "\"\""};
  // Excel's errors in the language of its user: #WERT!, #VALEUR!, #¿NOMBRE?
  const bool error = field.starts_with('#') && field.size() > 3 && field.size() < 20 &&
                     (field.ends_with('!') || field.ends_with('?')) &&
                     std::ranges::none_of(field, [](char c) { return c == ' ' || (c >= 'a' && c <= 'z'); });
  const bool office = field.size() == 7 && field.starts_with("Err:5");  // LibreOffice's
  return field.empty() || error || office || field == "?" || field == "." || field == "\\N" ||
         std::ranges::any_of(kWords, [&](std::string_view word) { return same_letters(field, word); });
}

namespace {

// Where each of the wanted columns is. One that is not there may be several with commas between them.
std::vector<Index> places_of(const std::string& source, const std::vector<std::string>& names,
                             const std::vector<std::string>& wanted) {
  std::vector<Index> places;
  for (const std::string& word : wanted) {
    const auto parts = std::ranges::find(names, word) == names.end() && word.find(',') != word.npos
                           ? TextForm<std::vector<std::string>>::parse(word)
                           : std::nullopt;
    if (!parts) places.push_back(column_number(source, names, word));
    if (parts)
      for (const std::string& part : *parts) places.push_back(column_number(source, names, trimmed(part)));
  }
  return places;
}

// The recipe's columns: by name where the file has names and so had the fit's, else by their order.
std::vector<Index> recipe_columns(const std::string& source, const std::vector<std::string>& names, bool named,
                                  const std::vector<bool>& left_out, const TableRecipe& recipe) {
  std::vector<Index> found, rest;
  for (std::size_t j = 0; j < names.size(); ++j)
    if (!left_out[j]) rest.push_back(Index(j));
  if (!named || !recipe.named) {
    if (rest.size() != recipe.columns.size())
      fail(ErrorCode::bad_shape, "{} has {} columns, the model was made for {}{}", source, rest.size(),
           recipe.columns.size(), recipe.named ? "; with a header they are found by name" : "");
    return rest;
  }
  std::unordered_map<std::string_view, std::vector<Index>> places;
  for (const Index j : rest) places[at(names, j)].push_back(j);
  std::vector<std::string> absent;
  for (const Column& column : recipe.columns) {
    const std::vector<Index>& here = places[column.name];
    if (here.size() > 1) fail(ErrorCode::bad_data, "{} has several columns '{}'", source, column.name);
    if (here.empty())
      absent.push_back(column.name);
    else
      found.push_back(here.front());
  }
  if (!absent.empty())
    fail(ErrorCode::bad_shape, "{} has no column{} {}, which the model was fitted to{}", source,
         absent.size() == 1 ? "" : "s", some_of(absent), absent.size() == 1 ? suggestion(absent.front(), names) : "");
  return found;
}

}  // namespace

ColumnRoles column_roles(const std::string& source, const std::vector<std::string>& names, bool named,
                         const ReadOptions& options) {
  ColumnRoles roles;
  std::vector<bool> left_out(names.size(), false);
  const auto fitted = [&](const std::string& name) {
    const auto place = std::ranges::find(names, name);
    return options.as_fitted && options.recipe && named && place != names.end() ? place - names.begin() : Index(-1);
  };
  if (!options.label_column.empty())
    roles.label = column_number(source, names, options.label_column);
  else if (options.recipe && !options.recipe->label.empty())
    roles.label = fitted(options.recipe->label);
  if (roles.label != ColumnRoles::kNone) at(left_out, roles.label) = true;
  if (!options.id_column.empty()) {
    roles.id = column_number(source, names, options.id_column);
    if (roles.id == roles.label)
      throw Error(ErrorCode::bad_option,
                  fmt::format("column '{}' of {} is both label and id", options.id_column, source));
    at(left_out, roles.id) = true;
  }
  for (const Index j : places_of(source, names, options.drop_columns)) {
    if (j == roles.label || j == roles.id)
      fail(ErrorCode::bad_option, "column '{}' of {} is both {} and dropped", at(names, j), source,
           j == roles.label ? "label" : "id");
    at(left_out, j) = true;
  }
  if (options.recipe) {
    roles.features = recipe_columns(source, names, named, left_out, *options.recipe);
    for (const Column& column : options.recipe->left_out)
      if (roles.id == ColumnRoles::kNone && named && column.form == kNamesSamples) {
        const Index j = std::ranges::find(names, column.name) - names.begin();
        const bool free =
            j < Index(names.size()) && !at(left_out, j) && std::ranges::find(roles.features, j) == roles.features.end();
        if (free) roles.id = j;
      }
    for (const std::string& target : options.recipe->targets)
      if (const Index j = fitted(target); j >= 0) roles.targets.push_back(j);
    return roles;
  }
  roles.targets = places_of(source, names, options.target_columns);
  const std::vector<Index> chosen = places_of(source, names, options.columns);
  for (Index j = 0; j < Index(names.size()); ++j) {
    const auto among = [&](const std::vector<Index>& places) { return std::ranges::find(places, j) != places.end(); };
    if (!at(left_out, j) && (chosen.empty() || among(chosen) || among(roles.targets))) roles.features.push_back(j);
  }
  if (roles.features.empty()) throw Error(ErrorCode::bad_option, source + ": no column is left as data");
  for (const std::string& text : options.kinds) {
    Column column = read_kind(text);
    if (column.name == kAllColumns && column.kind == ColumnKind::number) {
      roles.codes = column.levels;
      continue;
    }
    roles.kinds.emplace(column_number(source, names, column.name), std::move(column));
  }
  return roles;
}

namespace {

bool all_different(std::vector<std::string> names) {
  std::ranges::sort(names);
  return std::ranges::adjacent_find(names) == names.end();
}

// Which column is what, and the numbers that they become.
std::shared_ptr<TableRecipe> encoded(Table& table, Dataset& out, const ReadOptions& options) {
  auto recipe = std::make_shared<TableRecipe>();
  std::vector<Column> all;
  if (table.replayed) {
    *recipe = *options.recipe;
    all = recipe->columns;
    for (std::size_t j = 0; j < all.size(); ++j) settle_gaps(table, Index(j), all[j]);
  } else {
    Reading reading = recognised(table);
    refuse_useless(table, reading, out.source, options.missing);
    for (auto* told : {&reading.questions, &reading.notes}) std::ranges::move(*told, std::back_inserter(out.notes));
    if (const Index j = reading.names; j >= 0 && table.ids.empty()) {
      const auto raw = table.raw.find(j);
      const bool text = raw != table.raw.end() && raw->second.is_text;
      for (Index i = 0; i < table.values.rows(); ++i) {
        const double value = table.values(i, j);
        table.ids.push_back(text && !std::isnan(value) ? at(raw->second.texts, Index(value)) : number_text(value));
      }
    }
    all = std::move(reading.columns);
    if (reading.names >= 0) at(all, reading.names).form = kNamesSamples;
    if (!table.id.empty())  // given: the first, so that new samples are named by it
      recipe->left_out.push_back({.name = table.id, .kind = ColumnKind::id, .form = std::string(kNamesSamples)});
    for (const Column& column : all)
      (column.kind == ColumnKind::id ? recipe->left_out : recipe->columns).push_back(column);
    recipe->named = table.named && all_different(table.names);
    recipe->label = table.label;
    recipe->targets = table.targets;
    recipe->missing = options.missing;
  }
  if (missing_rule(options) == MissingValues::reject) require_present(table, all, out.source);
  encode(table, all, out.source, options);
  return recipe;
}

}  // namespace

Dataset settled(Table table, const std::string& source, const ReadOptions& options) {
  Dataset out;
  out.source = source;
  out.notes = std::move(table.notes);
  if (table.values.rows() == 0) throw Error(ErrorCode::bad_data, source + " holds no samples");
  const bool whole = all_finite(table.values.data(), table.values.size());
  if (!whole) refuse_infinity(table, source);
  const MissingValues missing = missing_rule(options);
  const auto recipe = encoded(table, out, options);
  // Asked again: among numbers some texts are gaps.
  if (!all_finite(table.values.data(), table.values.size()) || !table.unlabelled.empty())
    drop_incomplete(table, *recipe, missing, out);
  const bool replayed = table.replayed || (options.recipe && options.recipe->features() == table.values.cols());
  if (replayed) *recipe = *options.recipe;  // of arrays no more than how gaps are filled
  const bool learn = !replayed && (table.context || missing > MissingValues::drop);
  fill_gaps(table.values, *recipe, missing, learn, out);
  out.samples = std::move(table.values);
  out.feature_names = std::move(table.names);
  out.labels = make_labels(table.labels);
  out.ids = std::move(table.ids);
  if (table.context || !recipe->plain() || missing != MissingValues::reject) out.recipe = recipe;
  return out;
}

Dataset dataset_of(RowMatrix values, const std::string& source, const ReadOptions& options) {
  Table table;
  table.names = numbered_names(values.cols());
  ReadOptions by_place = options;  // features as they are: the recipe says no more than how gaps are filled
  by_place.recipe = nullptr;
  const ColumnRoles roles = column_roles(source, table.names, false, by_place);
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
  table.codes = roles.codes;
  for (const Index j : roles.targets) table.targets.push_back(fmt::format("x{}", j + 1));
  for (std::size_t k = 0; k < roles.features.size(); ++k)
    if (const auto asked = roles.kinds.find(roles.features[k]); asked != roles.kinds.end())
      table.raw[Index(k)].asked = asked->second;
  return settled(std::move(table), source, options);
}

}  // namespace ritz::detail
