// SPDX-License-Identifier: MIT
#include "backends/cpu/tile_sweep.hpp"

#include <algorithm>
#include <vector>

#include "backends/cpu/tile_parts.hpp"
#include "ritz/linalg/tall_products.hpp"

namespace ritz::tile {

namespace {

constexpr Index kPanelsPerWave = 32;  // panels whose sums Y are held at a time
constexpr Index kLargestBlock = 400;  // rows and columns of Φ in a task of a wave's closing product

// The panel I against all tiles J <= I: Y_I = Σ_J M_IJ X_J with the diagonal tile halved, so that XᵀMX = Σ X_IᵀY_I plus
// its transpose.
struct PanelSums {
  double objective = 0;
  Vector row_degree;     // of the panel's own rows
  Vector column_degree;  // of the rows before the panel
};

PanelSums sweep_panel(const SweepData& data, const Projected& z, const KernelSum& kernel, Index panel, double* Y,
                      const RunContext& context) {
  const Functions& rows = functions();
  const Index n = data.X.rows(), d = data.X.cols();
  const Range I = tile_range(n, kTile, panel);
  Tile tile(z, kernel);
  std::vector<double> gamma(tile_entries(n));
  Vector unused = Vector::Zero(kTile);
  RowMatrix buffer;
  PanelSums sums;
  sums.row_degree = Vector::Zero(I.size());
  sums.column_degree = Vector::Zero(I.begin);
  std::fill_n(Y, I.size() * d, 0.0);

  for (Index other = 0; other <= panel; ++other) {
    context.poll();
    const Range J = tile_range(n, kTile, other);
    const bool diagonal = other == panel;
    tile.load(I, J);
    outer_tile(data.weighted_basis, I, data.basis, J, gamma.data());
    double* column_degree = diagonal ? unused.data() : sums.column_degree.data() + J.begin;
    double objective = 0;
    for (Index i = 0; i < I.size(); ++i) {
      tile.evaluate(i, Want::value_slope);
      const RowSums row = rows.combine(gamma.data() + i * J.size(), tile.value(), tile.dot_derivative(),
                                       tile.difference_derivative(), J.size(), column_degree);
      objective += row.objective;
      sums.row_degree[i] += row.degree;
    }
    sums.objective += diagonal ? objective : 2 * objective;
    row_gemm(I.size(), d, J.size(), diagonal ? 0.5 : 1.0, {gamma.data(), J.size()}, Transpose::no,
             {data.X.rows_block(J, buffer), d}, Transpose::no, 1.0, {Y, d});
  }
  return sums;
}

}  // namespace

SweepSums sweep_sums(const SweepData& data, const KernelSum& kernel, const RunContext& context) {
  const Projected z(data.Z, kernel);
  const Index n = data.X.rows(), d = data.X.cols(), panels = tile_count(n, kTile);
  RowMatrix half = RowMatrix::Zero(d, d);  // Φ = half + halfᵀ
  Vector degree = Vector::Zero(n);
  double objective = 0;
  RowMatrix Y(std::min(n, kPanelsPerWave * kTile), d), buffer;

  // Waves go from the last panel to the first: when a wave is done, no later one adds to the degrees of its rows, so
  // the diagonal part joins Y and one product closes the wave. Only a wave's Y is ever held.
  for (Index last = panels; last > 0; last -= std::min(last, kPanelsPerWave)) {
    const Index first = std::max<Index>(0, last - kPanelsPerWave);
    const Range rows{first * kTile, std::min(n, last * kTile)};
    std::vector<PanelSums> parts(std::size_t(last - first));
    for_each_tile(last - first, context, [&](Index t) {
      const Index panel = last - 1 - t;  // the longest first, so that threads end together
      parts[std::size_t(panel - first)] =
          sweep_panel(data, z, kernel, panel, Y.data() + (panel - first) * kTile * d, context);
    });
    for (Index t = last - first - 1; t >= 0; --t) {
      const PanelSums& part = parts[std::size_t(t)];
      objective += part.objective;
      degree.head(part.column_degree.size()) += part.column_degree;
      degree.segment((first + t) * kTile, part.row_degree.size()) += part.row_degree;
    }
    const double* X = data.X.rows_block(rows, buffer);
    if (z.difference)  // Y += diag(Ψ1)·X: halved by the symmetric sum, doubled by Φ's factor 2
      for_each_tile(last - first, context, [&](Index t) {
        for (Index i = t * kTile; i < std::min(rows.size(), (t + 1) * kTile); ++i)
          for (Index j = 0; j < d; ++j) Y(i, j) += degree[rows.begin + i] * X[i * d + j];
      });
    // half += XᵀY of the wave, in blocks of about equal size: narrow ones are slow.
    const Index splits = tile_count(d, kLargestBlock), block = tile_count(d, splits);
    for_each_tile(splits * splits, context, [&](Index t) {
      const Range down = tile_range(d, block, t / splits), across = tile_range(d, block, t % splits);
      row_gemm(down.size(), across.size(), rows.size(), 1, {X + down.begin, d}, Transpose::yes,
               {Y.data() + across.begin, d}, Transpose::no, 1, {half.data() + down.begin * d + across.begin, d});
    });
  }
  return {half + half.transpose(), objective};
}

double sweep_objective(const SweepData& data, const KernelSum& kernel, const RunContext& context) {
  const Projected z(data.Z, kernel);
  const Index n = data.X.rows(), panels = tile_count(n, kTile);
  std::vector<double> partial(std::size_t(panels), 0.0);
  for_each_tile(panels, context, [&](Index t) {
    const Index panel = panels - 1 - t;
    const Range I = tile_range(n, kTile, panel);
    Tile tile(z, kernel);
    std::vector<double> gamma(tile_entries(n));
    for (Index other = 0; other <= panel; ++other) {
      context.poll();
      const Range J = tile_range(n, kTile, other);
      tile.load(I, J);
      outer_tile(data.weighted_basis, I, data.basis, J, gamma.data());
      double sum = 0;
      for (Index i = 0; i < I.size(); ++i) {
        tile.evaluate(i, Want::value);
        sum += functions().weighted_sum(gamma.data() + i * J.size(), tile.value(), J.size());
      }
      partial[std::size_t(panel)] += other == panel ? sum : 2 * sum;
    }
  });
  double objective = 0;
  for (const double part : partial) objective += part;
  return objective;
}

double sweep_bytes(Index n, Index d, Index q, Index gamma_columns, int threads) {
  const double wave = double(std::min(n, kPanelsPerWave * kTile)) * double(d);
  const double columns = double(std::min<Index>(kPanelsPerWave, tile_count(n, kTile))) * double(n);
  const double tiles = double(threads) * 4 * kTile * kTile;
  return 8 * (wave + columns + tiles + double(n) * double(2 * q + 2 * gamma_columns + 4) + 2 * double(d) * double(d));
}

}  // namespace ritz::tile
