// SPDX-License-Identifier: MIT
#include <algorithm>

#include "backends/cpu/sweeps.hpp"
#include "backends/distance_quantile.hpp"
#include "linalg/tall_products.hpp"
#include "ritz/base/parallel.hpp"

namespace ritz::cpu {

namespace {

constexpr Index kQuantileRows = 256;

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
  const CentredRows centred(X, chosen);
  std::vector<double> squared = squared_distances(centred.rows, centred.norms, context);
  const auto positive =
      std::partition(squared.begin(), squared.end(), [&](double value) { return value <= centred.zero; });
  return quantile_at(m, positive - squared.begin(), share, [&](Index k) {
    std::nth_element(positive, squared.begin() + k, squared.end());
    return squared[std::size_t(k)];
  });
}

double CpuBackend::distance_quantile_bytes(Index rows, Index d, int threads) const {
  const double m = double(rows);
  return 8 * (m * m / 2 + m * double(d) + double(threads) * double(kQuantileRows) * m);
}

}  // namespace ritz::cpu
