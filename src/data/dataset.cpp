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

RowsView view_of(const RowMatrix& X) { return {X.data(), X.rows(), X.cols(), Eigen::OuterStride<>(X.cols())}; }

Index Dataset::rows() const {
  if (const auto* X = std::get_if<StoredRows>(&samples)) return X->rows();
  return visit([](const auto& X) { return Index(X.rows()); });
}

Index Dataset::cols() const {
  if (const auto* X = std::get_if<StoredRows>(&samples)) return X->cols();
  return visit([](const auto& X) { return Index(X.cols()); });
}

namespace {

void require_held(const Dataset& data) {
  if (!data.stored()) return;
  throw Error(ErrorCode::memory,
              fmt::format("{}: this needs the samples in memory, where they take {}; allow more by run.max_memory",
                          data.source, bytes_text(8.0 * double(data.rows()) * double(data.cols()))));
}

}  // namespace

RowsView Dataset::dense() const {
  require_held(*this);
  if (const auto* lent = std::get_if<LentRows>(&samples))
    return {lent->first, lent->rows, lent->cols, Eigen::OuterStride<>(lent->cols)};
  return view_of(std::get<RowMatrix>(samples));
}

RowMatrix& Dataset::dense() {
  require_held(*this);
  if (std::holds_alternative<LentRows>(samples)) samples = RowMatrix(std::as_const(*this).dense());
  return std::get<RowMatrix>(samples);
}

namespace {

using Values = decltype(Dataset::samples);

Values picked_rows(const StoredRows& X, const std::vector<Index>& rows) {
  constexpr double kFew = double(1 << 20) * 128;  // bytes
  const StoredRows some = X.with_rows(rows);
  if (8.0 * double(some.rows()) * double(some.cols()) > kFew) return some;
  return some.block({0, some.rows()});
}

RowMatrix picked_rows(const RowsView& X, const std::vector<Index>& rows) { return X(rows, Eigen::all); }

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
  if (const auto* stored = std::get_if<StoredRows>(&data.samples))
    out.samples = picked_rows(*stored, rows);
  else
    data.visit([&](const auto& X) { out.samples = picked_rows(X, rows); });
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
  std::vector<Index> rest;
  std::vector<std::string> names;
  for (Index j = 0; j < d; ++j)
    if (std::ranges::find(taken, j) == taken.end()) {
      rest.push_back(j);
      names.push_back(at(data.feature_names, j));
    }
  RowMatrix out;
  if (const auto* stored = std::get_if<StoredRows>(&data.samples)) {
    out = stored->with_columns(taken).block({0, stored->rows()});
    data.samples = stored->with_columns(rest);
  } else {
    const RowMatrix& all = data.dense();
    out = all(Eigen::all, taken);
    data.samples = RowMatrix(all(Eigen::all, rest));
  }
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
    const auto add_rows = [&](Index first, const auto& X) {
      const double* x = X.data();
      for (Index i = 0; i < X.rows(); ++i)
        for (Index j = 0; j < d; ++j) add_value(first + i, j, *x++);
    };
    if (data.stored())
      for_each_block(std::get<StoredRows>(data.samples), add_rows);
    else
      add_rows(0, std::as_const(data).dense());
  }
  return fmt::format("{:016x}", hash);
}

}  // namespace ritz
