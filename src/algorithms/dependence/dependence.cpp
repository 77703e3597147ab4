// SPDX-License-Identifier: MIT
#include "ritz/algorithms/dependence.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/fail.hpp"
#include "linalg/pivoted_cholesky.hpp"
#include "ritz/base/random.hpp"
#include "ritz/linalg/products.hpp"
#include "ritz/pairs/backend.hpp"

namespace ritz::dependence {

namespace {

using DenseRows = Eigen::Map<const RowMatrix, 0, Eigen::OuterStride<>>;

DenseRows rows_of(const Samples& X, Range rows, RowMatrix& buffer) {
  const double* block = X.rows_block(rows, buffer);
  return {block, rows.size(), X.cols(), Eigen::OuterStride<>(X.cols())};
}

void require_semidefinite(const KernelSum& kernel) {
  for (const KernelTerm& term : kernel)
    if (const auto name = name_of(term.kernel); name != "gaussian" && name != "linear" && name != "polynomial")
      fail(
          ErrorCode::unsupported,
          "the kernel '{}' is not positive semidefinite for all data, as a measure of dependence needs; take gaussian, "
          "linear or polynomial",
          name);
}

// K_ii. Small tiles: their other entries are for nothing.
Vector kernel_diagonal(const Samples& X, const KernelSum& kernel, const RunContext& context) {
  constexpr Index kTile = 16;
  Vector diagonal(X.rows());
  for_each_tile(tile_count(X.rows(), kTile), context, [&](Index t) {
    const Range rows = tile_range(X.rows(), kTile, t);
    RowMatrix buffer;
    const DenseRows block = rows_of(X, rows, buffer);
    const Samples tile(block);
    diagonal.segment(rows.begin, rows.size()) = cross_kernel({tile, kernel}, {tile, kernel}, context).diagonal();
  });
  return diagonal;
}

void center_columns(Matrix& factor) { factor.rowwise() -= factor.colwise().mean().eval(); }

}  // namespace

Side kernel_side(const Samples& X, const KernelSum& kernel, const FactorOptions& options, const RunContext& context) {
  require_semidefinite(kernel);
  const PsdColumns entries{kernel_diagonal(X, kernel, context),
                           [&](Range rows, const std::vector<Index>& chosen, double* out, Index stride) {
                             RowMatrix buffer, one, pivots(Index(chosen.size()), X.cols());
                             for (Index k = 0; k < pivots.rows(); ++k) {
                               const Index row = chosen[std::size_t(k)];
                               pivots.row(k) = rows_of(X, {row, row + 1}, one);
                             }
                             const DenseRows block = rows_of(X, rows, buffer);
                             const Samples a(block), b(pivots);
                             Eigen::Map<RowMatrix, 0, Eigen::OuterStride<>>(out, rows.size(), pivots.rows(),
                                                                            Eigen::OuterStride<>(stride)) =
                                 cross_kernel({a, kernel}, {b, kernel}, context);
                           }};
  const double trace = entries.diagonal.sum();
  if (!(trace > 0)) fail(ErrorCode::bad_data, "the kernel is 0 for all samples; nothing can depend on it");
  PivotedCholeskyOptions limits;
  limits.trace = options.tolerance * trace;
  limits.max_rank = std::min(X.rows(), options.max_rank);
  const PivotedCholesky found = pivoted_cholesky(entries, limits, context);
  Side side{Matrix(found.factor), found.trace / trace};
  center_columns(side.factor);
  return side;
}

Side label_side(const Labels& labels) {
  Side side{Matrix::Zero(labels.size(), labels.classes())};
  for (Index i = 0; i < labels.size(); ++i) side.factor(i, labels.of[std::size_t(i)]) = 1;
  center_columns(side.factor);
  return side;
}

double hsic(BlockIn A, BlockIn B) {
  const double n = double(A.rows());
  return transposed_product(A, B).squaredNorm() / (n * n);
}

double alignment(BlockIn A, BlockIn B) {
  const double own = std::sqrt(hsic(A, A)) * std::sqrt(hsic(B, B));
  return own > 0 ? hsic(A, B) / own : 0;
}

double Null::p() const {
  // What differs by rounding alone is equal: with few distinct values many orders give the same statistic.
  const double least = observed * (1 - 1e-10);
  const auto as_large = std::ranges::count_if(drawn, [&](double value) { return value >= least; });
  return double(1 + as_large) / double(1 + drawn.size());
}

double Null::mean() const {
  return drawn.empty() ? kUnknown : std::accumulate(drawn.begin(), drawn.end(), 0.0) / double(drawn.size());
}

double Null::quantile(double share) const {
  if (drawn.empty()) return kUnknown;
  std::vector<double> sorted = drawn;
  std::ranges::sort(sorted);
  return sorted[std::min(sorted.size() - 1, std::size_t(share * double(sorted.size())))];
}

Matrix shuffled_statistics(BlockIn A, const std::vector<Range>& parts, BlockIn B, Range numbers,
                           const RunContext& context) {
  constexpr Index kColumns = 64, kMost = 16, kRows = 2048;
  const Index n = A.rows(), s = B.cols(), together = std::clamp<Index>(kColumns / std::max<Index>(s, 1), 1, kMost);
  Matrix statistics(numbers.size(), Index(parts.size()));
  for_each_tile(tile_count(numbers.size(), together), context, [&](Index t) {
    const Range mine = tile_range(numbers.size(), together, t);
    std::vector<std::vector<Index>> orders;
    for (Index k = mine.begin; k < mine.end; ++k)
      orders.push_back(Rng(context.seed, "dependence/permutation", std::uint64_t(numbers.begin + k)).permutation(n));
    Matrix sums = Matrix::Zero(A.cols(), s * mine.size()), part(A.cols(), s * mine.size());
    for (Index tile = 0; tile < tile_count(n, kRows); ++tile) {
      context.poll();
      const Range rows = tile_range(n, kRows, tile);
      Matrix shuffled(rows.size(), s * mine.size());
      for (Index k = 0; k < mine.size(); ++k)
        for (Index c = 0; c < s; ++c)
          for (Index i = 0; i < rows.size(); ++i)
            shuffled(i, k * s + c) = B(orders[std::size_t(k)][std::size_t(rows.begin + i)], c);
      multiply_transposed(A.middleRows(rows.begin, rows.size()), shuffled, part);
      sums += part;
    }
    for (Index k = 0; k < mine.size(); ++k)
      for (std::size_t p = 0; p < parts.size(); ++p)
        statistics(mine.begin + k, Index(p)) =
            sums.block(parts[p].begin, k * s, parts[p].size(), s).squaredNorm() / (double(n) * double(n));
  });
  return statistics;
}

std::vector<double> false_discovery_rates(const std::vector<double>& p) {
  std::vector<std::size_t> order(p.size());
  std::iota(order.begin(), order.end(), std::size_t(0));
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return p[a] < p[b]; });
  std::vector<double> rates(p.size());
  double least = 1;
  for (std::size_t k = p.size(); k-- > 0;) {
    least = std::min(least, p[order[k]] * double(p.size()) / double(k + 1));
    rates[order[k]] = least;
  }
  return rates;
}

}  // namespace ritz::dependence
