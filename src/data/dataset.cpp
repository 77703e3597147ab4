// SPDX-License-Identifier: MIT
#include "ritz/data/dataset.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>

#include "base/at.hpp"
#include "ritz/base/error.hpp"
#include "ritz/base/text.hpp"
#include "ritz/data/columns.hpp"

namespace ritz {

Index Dataset::rows() const {
  return std::visit([](const auto& X) { return Index(X.rows()); }, samples);
}

Index Dataset::cols() const {
  return std::visit([](const auto& X) { return Index(X.cols()); }, samples);
}

namespace {

RowMatrix picked_rows(const RowMatrix& X, const std::vector<Index>& rows) { return X(rows, Eigen::all); }

SparseRows picked_rows(const SparseRows& X, const std::vector<Index>& rows) {
  SparseRows out(Index(rows.size()), X.cols());
  Index entries = 0;
  for (const Index r : rows) entries += X.row(r).nonZeros();
  out.reserve(entries);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    out.startVec(Index(i));
    for (SparseRows::InnerIterator it(X, rows[i]); it; ++it) out.insertBack(Index(i), it.col()) = it.value();
  }
  out.finalize();
  return out;
}

// The recipe of the features that are left: whole columns go.
std::shared_ptr<const TableRecipe> without_features(const TableRecipe& recipe, const std::vector<Index>& taken,
                                                    const std::vector<Index>& rest) {
  auto left = std::make_shared<TableRecipe>(recipe);
  const std::vector<Index> of = recipe.column_of_features();
  for (Index c = Index(recipe.columns.size()) - 1; c >= 0; --c)
    if (std::ranges::any_of(taken, [&](Index j) { return at(of, j) == c; }))
      left->columns.erase(left->columns.begin() + c);
  if (recipe.fill.size() > 0) left->fill = Vector(recipe.fill(rest));
  if (recipe.donors.size() > 0) left->donors = RowMatrix(recipe.donors(Eigen::all, rest));
  return left;
}

}  // namespace

Dataset select_rows(const Dataset& data, const std::vector<Index>& rows) {
  const Index n = data.rows();
  for (const Index r : rows)
    if (r < 0 || r >= n)
      throw Error(ErrorCode::bad_shape, fmt::format("row {} is asked for; the data has rows 0 … {}", r, n - 1));
  Dataset out;
  std::visit([&](const auto& X) { out.samples = picked_rows(X, rows); }, data.samples);
  out.feature_names = data.feature_names;
  out.source = data.source;
  out.notes = data.notes;
  out.recipe = data.recipe;
  out.dropped = data.dropped;
  if (!data.ids.empty())
    for (const Index r : rows) out.ids.push_back(at(data.ids, r));
  if (data.labels.size() > 0) {
    out.labels.names = data.labels.names;
    out.labels.of.reserve(rows.size());
    for (const Index r : rows) out.labels.of.push_back(at(data.labels.of, r));
  }
  return out;
}

RowMatrix take_columns(Dataset& data, const std::vector<std::string>& columns) {
  if (data.sparse())
    throw Error(ErrorCode::unsupported, fmt::format("{}: columns of sparse data cannot be taken out", data.source));
  const Index d = data.cols();
  std::vector<Index> taken;
  for (const std::string& column : columns) {
    auto found = std::ranges::find(data.feature_names, column) - data.feature_names.begin();
    if (const auto number = read_integer(column); found == Index(data.feature_names.size()) && number)
      found = Index(*number) - 1;
    if (found < 0 || found >= d)
      throw Error(ErrorCode::bad_option, fmt::format("{}: there is no column '{}'{}", data.source, column,
                                                     suggestion(column, data.feature_names)));
    if (std::ranges::find(taken, found) != taken.end())
      throw Error(ErrorCode::bad_option, fmt::format("column '{}' is named twice", column));
    taken.push_back(found);
  }
  if (Index(taken.size()) == d)
    throw Error(ErrorCode::bad_option, fmt::format("{}: taking {} columns out leaves none", data.source, d));
  const RowMatrix& all = data.dense();
  RowMatrix out = all(Eigen::all, taken);
  std::vector<Index> rest;
  std::vector<std::string> names;
  for (Index j = 0; j < d; ++j)
    if (std::ranges::find(taken, j) == taken.end()) {
      rest.push_back(j);
      names.push_back(at(data.feature_names, j));
    }
  data.samples = RowMatrix(all(Eigen::all, rest));
  data.feature_names = std::move(names);
  if (data.recipe) data.recipe = without_features(*data.recipe, taken, rest);
  return out;
}

Labels take_labels(Dataset& data, const std::string& column) {
  const auto is_it = [&](const Column& each) { return each.name == column && each.kind == ColumnKind::category; };
  const auto found =
      data.recipe ? std::ranges::find_if(data.recipe->columns, is_it) : std::vector<Column>::const_iterator{};
  if (!data.recipe || found == data.recipe->columns.end())
    throw Error(ErrorCode::bad_option, fmt::format("{}: there is no category '{}'", data.source, column));
  const Column category = *found;
  const RowMatrix chosen = take_columns(data, category.feature_names());
  std::vector<std::string> texts;
  for (Index i = 0; i < chosen.rows(); ++i) {
    Index level = 0;
    chosen.row(i).maxCoeff(&level);
    texts.push_back(at(category.levels, level));
  }
  return make_labels(texts);
}

std::string data_hash(const Dataset& data) {
  const Index n = data.rows(), d = data.cols();
  // FNV-1a on whole words. The shift carries high bits down: without it two flipped signs would cancel.
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  const auto add = [&](std::uint64_t word) {
    hash = (hash ^ word) * 0x100000001b3ULL;
    hash ^= hash >> 32;
  };
  add(std::uint64_t(n));
  add(std::uint64_t(d));
  const auto add_value = [&](Index row, Index col, double value) {
    if (value == 0) return;  // also -0: the same number, and zeros a sparse matrix happens to store
    add(std::uint64_t(row) * std::uint64_t(d) + std::uint64_t(col));
    add(std::bit_cast<std::uint64_t>(value));
  };
  if (data.sparse()) {
    const auto& X = std::get<SparseRows>(data.samples);
    for (Index i = 0; i < n; ++i)
      for (SparseRows::InnerIterator it(X, i); it; ++it) add_value(i, it.col(), it.value());
  } else {
    const double* x = data.dense().data();
    for (Index i = 0; i < n; ++i)
      for (Index j = 0; j < d; ++j) add_value(i, j, *x++);
  }
  return fmt::format("{:016x}", hash);
}

}  // namespace ritz
