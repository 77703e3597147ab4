// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "backends/cpu/sweeps.hpp"
#include "linalg/tall_products.hpp"
#include "ritz/base/parallel.hpp"

namespace ritz::cpu {

namespace {

constexpr Index kQuantileRows = 256;
// Cancellation leaves equal points at about 1e-16 of the norms; they are at distance 0.
constexpr double kZero = 1e-14;

// Squared distances of rows i > j, row by row at their fixed places.
std::vector<double> squared_distances(const RowMatrix& rows, const Vector& norms, const RunContext& context) {
  const Index m = rows.rows(), d = rows.cols();
  std::vector<double> squared(std::size_t(m * (m - 1) / 2));
  const auto sweep = [&](Index t, const RunContext&) {
    const Range I = tile_range(m, kQuantileRows, t);
    RowMatrix products(I.size(), I.end);
    row_gemm(I.size(), I.end, d, -2, {rows.data() + I.begin * d, d}, Transpose::no, {rows.data(), d}, Transpose::yes, 0,
             {products.data(), I.end});
    for (Index i = I.begin; i < I.end; ++i) {
      const double* row = products.data() + (i - I.begin) * I.end;
      double* out = squared.data() + i * (i - 1) / 2;
      for (Index j = 0; j < i; ++j) out[j] = std::max(row[j] + norms[j] + norms[i], 0.0);
    }
  };
  const auto before = [m](Index tile) {  // pairs
    const Index above = std::min(m, tile * kQuantileRows);
    return above * (above - 1) / 2;
  };
  for_each_tile_once(tile_count(m, kQuantileRows), context, sweep, [&](Range tiles) {
    return Blocks{block_of(squared.data(), before(tiles.begin), before(tiles.end))};
  });
  return squared;
}

}  // namespace

DistanceQuantile CpuBackend::distance_quantile(const Samples& X, std::span<const Index> chosen, double share,
                                               const RunContext& context) {
  const Index m = Index(chosen.size());
  if (m < 2) return {};
  RowMatrix rows(m, X.cols()), buffer;
  for (Index i = 0; i < m; ++i) {
    const Index row = chosen[std::size_t(i)];
    std::copy_n(X.rows_block({row, row + 1}, buffer), X.cols(), rows.data() + i * X.cols());
  }
  rows.rowwise() -= rows.colwise().mean().eval();
  const Vector norms = rows.rowwise().squaredNorm();
  std::vector<double> squared = squared_distances(rows, norms, context);
  const double zero = kZero * norms.maxCoeff();
  const auto positive = std::partition(squared.begin(), squared.end(), [&](double value) { return value <= zero; });
  const Index zeros = positive - squared.begin(), pairs = Index(squared.size());

  // Place p of the m² sorted values: m zeros of the diagonal, then every distance twice.
  const auto at = [&](double place) {
    const Index p = Index(place), behind = p < m ? 0 : (p - m) / 2;
    if (p < m || behind < zeros) return 0.0;
    std::nth_element(positive, squared.begin() + behind, squared.end());
    return std::sqrt(squared[std::size_t(behind)]);
  };
  const double last = share * (double(m) * double(m) - 1);
  DistanceQuantile quantile{0.5 * (at(std::floor(last)) + at(std::ceil(last))), 0};
  if (zeros < pairs) {
    const auto middle = positive + std::min<Index>(Index(share * double(pairs - zeros)), pairs - zeros - 1);
    std::nth_element(positive, middle, squared.end());
    quantile.positive = std::sqrt(*middle);
  }
  return quantile;
}

double CpuBackend::distance_quantile_bytes(Index rows, Index d, int threads) const {
  const double m = double(rows);
  return 8 * (m * m / 2 + m * double(d) + double(threads) * double(kQuantileRows) * m);
}

}  // namespace ritz::cpu
