// SPDX-License-Identifier: MIT
#include "metrics/clustering.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/at.hpp"
#include "ritz/base/error.hpp"
#include "ritz/base/parallel.hpp"

namespace ritz {
namespace {

std::vector<int> distinct(std::vector<int> values) {
  std::ranges::sort(values);
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

Index place(const std::vector<int>& sorted, int value) {
  return std::ranges::lower_bound(sorted, value) - sorted.begin();
}

// How often a label of the first partition meets one of the second. Only pairs that occur are kept: partitions into
// very many clusters cost no more than their samples.
struct Contingency {
  struct Cell {
    Index row, column, count;
  };
  std::vector<Index> row_totals, column_totals;  // by increasing label
  std::vector<Cell> cells;                       // every count is positive
  Index total = 0;
};

Contingency contingency(const std::vector<int>& first, const std::vector<int>& second) {
  if (first.size() != second.size())
    throw Error(ErrorCode::bad_shape,
                fmt::format("two partitions of the same samples are needed; received {} and {} labels", first.size(),
                            second.size()));
  Contingency table;
  table.total = Index(first.size());
  const std::vector<int> row_values = distinct(first), column_values = distinct(second);
  table.row_totals.assign(row_values.size(), 0);
  table.column_totals.assign(column_values.size(), 0);
  std::vector<std::pair<Index, Index>> met;
  met.reserve(first.size());
  for (std::size_t i = 0; i < first.size(); ++i) {
    met.emplace_back(place(row_values, first[i]), place(column_values, second[i]));
    ++at(table.row_totals, met.back().first);
    ++at(table.column_totals, met.back().second);
  }
  std::ranges::sort(met);
  for (const auto& [row, column] : met) {
    if (table.cells.empty() || table.cells.back().row != row || table.cells.back().column != column)
      table.cells.push_back({row, column, 0});
    ++table.cells.back().count;
  }
  return table;
}

double entropy(const std::vector<Index>& totals, Index n) {
  double sum = 0;
  for (const Index count : totals) sum -= double(count) / double(n) * std::log(double(count) / double(n));
  return sum;
}

double pairs(Index count) { return 0.5 * double(count) * double(count - 1); }

double pairs(const std::vector<Index>& totals) {
  double sum = 0;
  for (const Index count : totals) sum += pairs(count);
  return sum;
}

struct PairCounts {
  double together_in_both = 0, together_in_first = 0, together_in_second = 0, all = 0;
};

PairCounts pair_counts(const Contingency& table) {
  PairCounts counts;
  for (const auto& cell : table.cells) counts.together_in_both += pairs(cell.count);
  counts.together_in_first = pairs(table.row_totals);
  counts.together_in_second = pairs(table.column_totals);
  counts.all = pairs(table.total);
  return counts;
}

}  // namespace

double normalised_mutual_information(const std::vector<int>& first, const std::vector<int>& second) {
  const Contingency table = contingency(first, second);
  const bool one_row = table.row_totals.size() <= 1, one_column = table.column_totals.size() <= 1;
  if (one_row || one_column) return one_row && one_column ? 1 : 0;
  const double n = double(table.total);
  double information = 0;
  for (const auto& [row, column, count] : table.cells) {
    const double both = double(at(table.row_totals, row)) * double(at(table.column_totals, column));
    information += double(count) / n * std::log(n * double(count) / both);
  }
  const double scale = std::sqrt(entropy(table.row_totals, table.total) * entropy(table.column_totals, table.total));
  return std::clamp(information / scale, 0.0, 1.0);
}

double rand_index(const std::vector<int>& first, const std::vector<int>& second) {
  const PairCounts counts = pair_counts(contingency(first, second));
  if (counts.all == 0) return 1;
  const double disagree = counts.together_in_first + counts.together_in_second - 2 * counts.together_in_both;
  return 1 - disagree / counts.all;
}

double random_rand_index(const std::vector<int>& truth, Index clusters) {
  if (clusters < 1)
    throw Error(ErrorCode::bad_option, fmt::format("random labels of {} clusters; at least 1 is needed", clusters));
  const PairCounts counts = pair_counts(contingency(truth, truth));
  if (counts.all == 0) return 1;
  const double together = counts.together_in_both / counts.all, met = 1 / double(clusters);
  return together * met + (1 - together) * (1 - met);
}

double adjusted_rand_index(const std::vector<int>& first, const std::vector<int>& second) {
  const PairCounts counts = pair_counts(contingency(first, second));
  if (counts.all == 0) return 1;
  const double expected = counts.together_in_first * counts.together_in_second / counts.all;
  const double largest = 0.5 * (counts.together_in_first + counts.together_in_second);
  if (largest == expected) return 1;
  return (counts.together_in_both - expected) / (largest - expected);
}

double silhouette(const RowMatrix& points, const std::vector<int>& labels) {
  const Index n = points.rows(), k = labels.empty() ? 0 : 1 + *std::ranges::max_element(labels);
  if (k < 2) return 0;
  const RowMatrix centred = points.rowwise() - points.colwise().mean();
  const Vector norms = centred.rowwise().squaredNorm();
  Vector sizes = Vector::Zero(k);
  for (const int label : labels) sizes(label) += 1;
  constexpr Index kRows = 128;  // one product for the distances of so many points
  double sum = 0;
  for (Index t = 0; t < tile_count(n, kRows); ++t) {
    const Range rows = tile_range(n, kRows, t);
    const RowMatrix products = centred.middleRows(rows.begin, rows.size()) * centred.transpose();
    for (Index i = rows.begin; i < rows.end; ++i) {
      Vector to = Vector::Zero(k);
      for (Index j = 0; j < n; ++j) {
        const double squared = norms(i) + norms(j) - 2 * products(i - rows.begin, j);
        if (j != i) to(labels[std::size_t(j)]) += std::sqrt(std::max(0.0, squared));
      }
      const Index own = labels[std::size_t(i)];
      if (!(sizes(own) > 1)) continue;
      const double inside = to(own) / (sizes(own) - 1);
      double outside = std::numeric_limits<double>::infinity();
      for (Index c = 0; c < k; ++c)
        if (c != own && sizes(c) > 0) outside = std::min(outside, to(c) / sizes(c));
      if (std::isfinite(outside) && std::max(inside, outside) > 0)
        sum += (outside - inside) / std::max(inside, outside);
    }
  }
  return sum / double(n);
}

std::vector<int> matched_classes(const std::vector<int>& clusters_of, int clusters, const std::vector<int>& classes_of,
                                 int classes) {
  Eigen::MatrixXi shared = Eigen::MatrixXi::Zero(clusters, classes);
  for (std::size_t i = 0; i < clusters_of.size(); ++i) ++shared(clusters_of[i], classes_of[i]);
  std::vector<int> matched(std::size_t(clusters), -1);
  for (int k = 0; k < std::min(clusters, classes); ++k) {
    int row = -1, column = -1;
    for (int c = 0; c < clusters; ++c)
      for (int j = 0; j < classes; ++j)
        if (shared(c, j) >= 0 && (row < 0 || shared(c, j) > shared(row, column))) row = c, column = j;
    matched[std::size_t(row)] = column;
    shared.row(row).setConstant(-1);
    shared.col(column).setConstant(-1);
  }
  return matched;
}

}  // namespace ritz
