// SPDX-License-Identifier: MIT
// What stands in for missing values: learnt once, from the samples of the fit.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/at.hpp"
#include "base/fail.hpp"
#include "data/columns.hpp"

namespace ritz::detail {

namespace {

constexpr Index kNeighbours = 5;
constexpr double kMostDonated = 2e5;  // numbers of the donors that a model keeps

double median_of(std::vector<double> values) {
  const auto middle = values.begin() + std::ptrdiff_t(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return values.size() % 2 == 1 ? *middle : 0.5 * (*middle + *std::max_element(values.begin(), middle));
}

}  // namespace

void add_to_means(const RowMatrix& X, Vector& mean, Vector& present) {
  for (Index i = 0; i < X.rows(); ++i)
    for (Index j = 0; j < X.cols(); ++j)
      if (const double x = X(i, j); !std::isnan(x)) {
        present[j] += 1;
        mean[j] += (x - mean[j]) / present[j];
      }
}

// Shares of a category to the most frequent of its levels, the first of equals; a share of yes to yes or no.
void settle_kinds(Eigen::Ref<Vector> values, const TableRecipe& recipe) {
  Index first = 0;
  for (const Column& column : recipe.columns) {
    const Index width = column.features();
    auto part = values.segment(first, width);
    if (column.kind == ColumnKind::flag) part[0] = part[0] > 0.5 ? 1 : 0;
    if (column.kind == ColumnKind::category) {
      Index most = 0;
      part.maxCoeff(&most);
      part.setZero();
      part[most] = 1;
    }
    first += width;
  }
}

namespace {

void learn_fill(const RowMatrix& X, TableRecipe& recipe, MissingValues how, const Dataset& out) {
  Vector present = Vector::Zero(X.cols());
  recipe.fill = Vector::Zero(X.cols());
  add_to_means(X, recipe.fill, present);
  const std::vector<Index> of = recipe.column_of_features();
  for (Index j = 0; j < X.cols(); ++j) {
    const Column& column = at(recipe.columns, at(of, j));
    if (present[j] == 0 && how > MissingValues::drop)
      fail(ErrorCode::bad_data, "{}: column '{}' has no values at all; drop it with input.drop_column", out.source,
           column.name);
    if (how != MissingValues::median || column.kind == ColumnKind::category) continue;
    std::vector<double> values;
    for (Index i = 0; i < X.rows(); ++i)
      if (!std::isnan(X(i, j))) values.push_back(X(i, j));
    recipe.fill[j] = median_of(std::move(values));
  }
  settle_kinds(recipe.fill, recipe);
  if (how != MissingValues::knn) return;
  std::vector<Index> complete;
  for (Index i = 0; i < X.rows(); ++i)
    if (!X.row(i).hasNaN()) complete.push_back(i);
  if (Index(complete.size()) < kNeighbours)
    fail(ErrorCode::bad_data, "{}: input.na knn needs {} complete rows, there are {}; use input.na median", out.source,
         kNeighbours, complete.size());
  const auto most = std::max<std::size_t>(std::size_t(kNeighbours), std::size_t(kMostDonated / double(X.cols())));
  std::vector<Index> taken;
  for (std::size_t k = 0; k < std::min(most, complete.size()); ++k)
    taken.push_back(complete[k * complete.size() / std::min(most, complete.size())]);
  recipe.donors = X(taken, Eigen::all);
}

// The gaps of a row from the donors that are nearest in what the row has, each feature in deviations of the donors.
void fill_from_donors(Eigen::Ref<Eigen::RowVectorXd> row, const TableRecipe& recipe, const Vector& weight) {
  const RowMatrix& donors = recipe.donors;
  std::vector<std::pair<double, Index>> distance;
  for (Index k = 0; k < donors.rows(); ++k) {
    double sum = 0;
    for (Index j = 0; j < row.size(); ++j)
      if (!std::isnan(row[j])) sum += weight[j] * (row[j] - donors(k, j)) * (row[j] - donors(k, j));
    distance.emplace_back(sum, k);
  }
  const Index k = std::min(kNeighbours, donors.rows());
  std::partial_sort(distance.begin(), distance.begin() + k, distance.end());
  Vector mean = Vector::Zero(row.size());
  for (Index nearest = 0; nearest < k; ++nearest) mean += donors.row(at(distance, nearest).second).transpose();
  mean /= double(k);
  settle_kinds(mean, recipe);
  for (Index j = 0; j < row.size(); ++j)
    if (std::isnan(row[j])) row[j] = mean[j];
}

}  // namespace

void fill_gaps(RowMatrix& X, TableRecipe& recipe, MissingValues how, bool learn, Dataset& out) {
  if (learn) learn_fill(X, recipe, how, out);
  if (how <= MissingValues::drop) return;
  const std::vector<Index> of = recipe.column_of_features();
  Vector weight;
  Index filled = 0;
  for (Index i = 0; i < X.rows(); ++i) {
    if (!X.row(i).hasNaN()) continue;
    for (Index j = 0; j < X.cols(); ++j) filled += std::isnan(X(i, j)) && (j == 0 || at(of, j) != at(of, j - 1));
    if (recipe.fill.size() != X.cols() || (how == MissingValues::knn && recipe.donors.rows() == 0))
      fail(ErrorCode::bad_option,
           "{}, row {}: a value is missing, and the model has learnt nothing to fill in; fit it with "
           "input.na {}, or use input.na drop",
           out.source, i + 1, to_string(how));
    if (how == MissingValues::knn) {
      if (weight.size() == 0) {
        const auto centred = recipe.donors.rowwise() - recipe.donors.colwise().mean();
        weight = centred.colwise().squaredNorm().transpose() / double(recipe.donors.rows());
        weight = weight.unaryExpr([](double variance) { return variance > 0 ? 1 / variance : 0.0; });
        for (Index j = 0; j < X.cols(); ++j)  // what is to be explained is not known of new samples
          if (std::ranges::find(recipe.targets, at(recipe.columns, at(of, j)).name) != recipe.targets.end())
            weight[j] = 0;
      }
      Eigen::RowVectorXd row = X.row(i);
      fill_from_donors(row, recipe, weight);
      X.row(i) = row;
      continue;
    }
    for (Index j = 0; j < X.cols(); ++j)
      if (std::isnan(X(i, j))) X(i, j) = recipe.fill[j];
  }
  if (filled == 0) return;
  out.notes.push_back(fmt::format(
      "{} replaced by {}", counted(filled, "missing value", "missing values"),
      how == MissingValues::knn ? "those of the nearest samples" : fmt::format("the column's {}", to_string(how))));
}

}  // namespace ritz::detail
