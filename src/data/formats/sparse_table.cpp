// SPDX-License-Identifier: MIT
// Sparse samples to a Dataset: an entry that is not stored is a zero, never a missing value.
#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "base/at.hpp"
#include "data/formats/table.hpp"
#include "ritz/base/error.hpp"
#include "ritz/base/text.hpp"

namespace ritz::detail {

namespace {

// Keeps the listed columns; `place` gives each column's new number or −1.
SparseRows with_columns(const SparseRows& X, const std::vector<Index>& place, Index cols) {
  SparseRows out(X.rows(), cols);
  out.reserve(X.nonZeros());
  for (Index i = 0; i < X.rows(); ++i) {
    out.startVec(i);
    for (SparseRows::InnerIterator it(X, i); it; ++it)
      if (const Index j = at(place, it.col()); j >= 0) out.insertBack(i, j) = it.value();
  }
  out.finalize();
  return out;
}

// The mean over all rows whose value is known, zeros included: of the fit, where its recipe is given.
void fill_with_means(SparseRows& X, Dataset& out, const TableRecipe* fitted) {
  auto recipe = std::make_shared<TableRecipe>();
  for (const std::string& name : out.feature_names) recipe->columns.push_back({name});
  recipe->missing = MissingValues::mean;
  recipe->fill = Vector::Zero(X.cols());
  Vector sum = Vector::Zero(X.cols()), unknown = Vector::Zero(X.cols());
  for (Index i = 0; i < X.rows(); ++i)
    for (SparseRows::InnerIterator it(X, i); it; ++it)
      std::isnan(it.value()) ? unknown[it.col()] += 1 : sum[it.col()] += it.value();
  const Vector known = double(X.rows()) - unknown.array();
  recipe->fill = (known.array() > 0).select(sum.cwiseQuotient(known.cwiseMax(1)), kUnknown);
  if (fitted && fitted->fill.size() >= X.cols()) recipe->fill = fitted->fill;
  out.recipe = recipe;
  if (unknown.sum() == 0) return;
  for (Index i = 0; i < X.rows(); ++i)
    for (SparseRows::InnerIterator it(X, i); it; ++it) {
      if (!std::isnan(it.value())) continue;
      it.valueRef() = recipe->fill[it.col()];
      if (std::isnan(it.value()))
        throw Error(ErrorCode::bad_data,
                    fmt::format("{}: column '{}' has no values at all; drop it with input.drop_column", out.source,
                                at(out.feature_names, it.col())));
    }
  out.notes.push_back(counted(Index(unknown.sum()), "missing value", "missing values") +
                      " replaced by the column's mean");
}

void refuse_entry(const Dataset& out, Index row, Index col, double value) {
  if (std::isfinite(value)) return;
  throw Error(ErrorCode::not_finite,
              fmt::format("{}, row {}, column '{}': the value is {}", out.source, row + 1, at(out.feature_names, col),
                          std::isinf(value) ? "infinite" : fmt::format("missing (NaN); {}", kMissingAdvice)));
}

}  // namespace

Dataset dataset_of(SparseRows X, std::vector<std::string> labels, const std::string& source,
                   const ReadOptions& options) {
  if (!labels.empty() && !options.label_column.empty())
    throw Error(ErrorCode::bad_option, fmt::format("{} carries its labels; a label column does not apply", source));
  if (!options.id_column.empty())
    throw Error(ErrorCode::unsupported, fmt::format("{} is sparse: it has no column of ids", source));
  const MissingValues missing = missing_rule(options);
  if (missing > MissingValues::mean || !options.kinds.empty())
    throw Error(ErrorCode::unsupported,
                fmt::format("{} is sparse: input.na may reject, drop or mean, and input.kind does not apply", source));
  Dataset out;
  out.source = source;
  out.feature_names = numbered_names(X.cols());
  std::vector<Index> unlabelled;
  if (!options.label_column.empty() || !options.drop_columns.empty() || !options.columns.empty()) {
    ReadOptions by_place = options;
    by_place.recipe = nullptr;
    const ColumnRoles roles = column_roles(source, out.feature_names, false, by_place);
    if (roles.label != ColumnRoles::kNone) labels = label_column(X, roles.label, unlabelled);
    std::vector<Index> place(std::size_t(X.cols()), -1);
    std::vector<std::string> names;
    for (const Index j : roles.features) {
      at(place, j) = Index(names.size());
      names.push_back(at(out.feature_names, j));
    }
    X = with_columns(X, place, Index(names.size()));
    out.feature_names = std::move(names);
  }

  std::vector<bool> erased(std::size_t(X.rows()), false);
  for (const Index i : unlabelled) at(erased, i) = true;
  if (!unlabelled.empty() && missing == MissingValues::reject)
    throw Error(ErrorCode::not_finite,
                fmt::format("{}, row {}: the label is missing; {}", source, unlabelled.front() + 1, kMissingAdvice));
  for (Index i = 0; i < X.rows(); ++i)
    for (SparseRows::InnerIterator it(X, i); it; ++it) {
      if (std::isfinite(it.value())) continue;
      if (std::isinf(it.value()) || missing == MissingValues::reject) refuse_entry(out, i, it.col(), it.value());
      if (missing == MissingValues::drop) at(erased, i) = true;
    }
  std::vector<Index> kept;
  for (Index i = 0; i < X.rows(); ++i)
    if (!at(erased, i)) kept.push_back(i);
  out.labels = make_labels(labels);
  const Index dropped = X.rows() - Index(kept.size());
  if (kept.empty()) throw Error(ErrorCode::bad_data, source + ": every row has a missing value; no row is left");
  out.samples = std::move(X);
  if (dropped > 0) {
    out = select_rows(out, kept);
    for (Index i = 0; i < Index(erased.size()); ++i)
      if (at(erased, i)) out.dropped.push_back({i + 1});
    std::vector<std::string> kept_labels;
    if (!labels.empty())
      for (const Index i : kept) kept_labels.push_back(at(labels, i));
    out.labels = make_labels(kept_labels);
    out.notes.push_back(counted(dropped, "row", "rows") + " with missing values dropped");
  }
  if (missing == MissingValues::mean) fill_with_means(std::get<SparseRows>(out.samples), out, options.recipe.get());
  return out;
}

}  // namespace ritz::detail
