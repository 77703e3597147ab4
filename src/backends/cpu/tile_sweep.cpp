// SPDX-License-Identifier: MIT
#include "backends/cpu/tile_sweep.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "backends/cpu/tile_parts.hpp"
#include "linalg/tall_products.hpp"

namespace ritz::tile {

namespace {

constexpr Index kSingleRows = 1024;   // of a task that converts samples
constexpr Index kPanelsPerWave = 32;  // panels whose sums Y are held at a time
constexpr Index kTilesPerSum = 4;     // tiles whose products are added in single precision before they join the sum
constexpr Index kLargestBlock = 400;  // rows and columns of Φ in a task of a wave's closing product

// Y_I += M_IJ·X_J tile after tile, in double or in single precision; `finish` when the panel is done.
class PanelProduct {
 public:
  PanelProduct(const Samples& X, const SingleSamples* single, Index rows, double* Y)
      : X_(X), single_(single), rows_(rows), Y_(Y, rows, X.cols()) {
    Y_.setZero();
    if (single) sum_.resize(rows, X.cols());
  }

  void add(double scale, const double* M, Range J) {
    const Index d = X_.cols();
    if (!single_) {
      row_gemm(rows_, d, J.size(), scale, {M, J.size()}, Transpose::no, {X_.rows_block(J, buffer_), d}, Transpose::no,
               1.0, {Y_.data(), d});
      return;
    }
    if (pending_ == kTilesPerSum) finish();
    weights_.assign(M, M + rows_ * J.size());
    row_gemm(rows_, d, J.size(), float(scale), {weights_.data(), J.size()}, Transpose::no,
             {single_->rows_block(J, single_buffer_), d}, Transpose::no, pending_ > 0 ? 1.0f : 0.0f, {sum_.data(), d});
    ++pending_;
  }
  void finish() {
    if (pending_ > 0) Y_ += sum_.cast<double>();
    pending_ = 0;
  }

 private:
  const Samples& X_;
  const SingleSamples* single_;
  Index rows_, pending_ = 0;
  Eigen::Map<RowMatrix> Y_;
  RowMatrix buffer_;
  SingleRows sum_, single_buffer_;
  std::vector<float> weights_;
};

// The panel I against all tiles J <= I: Y_I = Σ_J M_IJ X_J with the diagonal tile halved, so that XᵀMX = Σ X_IᵀY_I plus
// its transpose.
struct PanelSums {
  double objective = 0;
  Vector row_degree;     // of the panel's own rows
  Vector column_degree;  // of the rows before the panel
};

PanelSums sweep_panel(const SweepData& data, const Projected& z, const KernelSum& kernel, const SingleSamples* single,
                      Index panel, double* Y, const RunContext& context) {
  const Functions& rows = functions();
  const Index n = data.X.rows();
  const Range I = tile_range(n, kTile, panel);
  Tile tile(z, kernel);
  std::vector<double> gamma(tile_entries(n));
  Vector unused = Vector::Zero(kTile);
  PanelProduct product(data.X, single, I.size(), Y);
  PanelSums sums;
  sums.row_degree = Vector::Zero(I.size());
  sums.column_degree = Vector::Zero(I.begin);

  for (Index other = 0; other <= panel; ++other) {
    context.poll();
    const Range J = tile_range(n, kTile, other);
    const bool diagonal = other == panel;
    tile.load(z.side(I), z.side(J));
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
    product.add(diagonal ? 0.5 : 1.0, gamma.data(), J);
  }
  product.finish();
  return sums;
}

// half += XᵀY over the rows of a wave, in blocks of about equal size: narrow ones are slow. Y takes diag(degree)·X
// first: halved by the symmetric sum, doubled by Φ's factor 2.
void close_wave(const Samples& X, Range rows, const Vector& degree, RowMatrix& Y, RowMatrix& half,
                const RunContext& context) {
  const Index d = X.cols();
  RowMatrix buffer;
  const double* x = X.rows_block(rows, buffer);
  if (degree.size() > 0)
    for_each_tile(tile_count(rows.size(), kTile), context, [&](Index t) {
      const Range part = tile_range(rows.size(), kTile, t);
      for (Index i = part.begin; i < part.end; ++i)
        for (Index j = 0; j < d; ++j) Y(i, j) += degree[rows.begin + i] * x[i * d + j];
    });
  const Index splits = tile_count(d, kLargestBlock), block = tile_count(d, splits);
  for_each_tile(splits * splits, context, [&](Index t) {
    const Range down = tile_range(d, block, t / splits), across = tile_range(d, block, t % splits);
    row_gemm(down.size(), across.size(), rows.size(), 1, {x + down.begin, d}, Transpose::yes,
             {Y.data() + across.begin, d}, Transpose::no, 1, {half.data() + down.begin * d + across.begin, d});
  });
}

// The same with products in single precision, few rows at a time.
void close_wave(const SingleSamples& X, Range rows, const Vector& degree, RowMatrix& Y, RowMatrix& half,
                const RunContext& context) {
  const Index d = Y.cols();
  SingleRows buffer, y(rows.size(), d);
  const float* x = X.rows_block(rows, buffer);
  for_each_tile(tile_count(rows.size(), kTile), context, [&](Index t) {
    const Range part = tile_range(rows.size(), kTile, t);
    for (Index i = part.begin; i < part.end; ++i) {
      const double own = degree.size() > 0 ? degree[rows.begin + i] : 0.0;
      for (Index j = 0; j < d; ++j) y(i, j) = float(Y(i, j) + own * double(x[i * d + j]));
    }
  });
  const Index splits = tile_count(d, kLargestBlock), block = tile_count(d, splits);
  for_each_tile(splits * splits, context, [&](Index t) {
    const Range down = tile_range(d, block, t / splits), across = tile_range(d, block, t % splits);
    SingleRows part(down.size(), across.size());
    for (Index c = 0; c < tile_count(rows.size(), kTilesPerSum * kTile); ++c) {
      const Range chunk = tile_range(rows.size(), kTilesPerSum * kTile, c);
      row_gemm(down.size(), across.size(), chunk.size(), 1.0f, {x + chunk.begin * d + down.begin, d}, Transpose::yes,
               {y.data() + chunk.begin * d + across.begin, d}, Transpose::no, 0.0f, {part.data(), part.cols()});
      half.block(down.begin, across.begin, down.size(), across.size()) += part.cast<double>();
    }
  });
}

}  // namespace

SingleSamples::SingleSamples(const Samples& X, bool centred, const RunContext& context)
    : X_(X), centred_(centred), mean_(Eigen::RowVectorXd::Zero(X.cols())) {
  if (centred) mean_ = X.adjoint(RowMatrix::Constant(X.rows(), 1, 1 / double(X.rows())), context).transpose();
  if (X.sparse()) return;
  copy_.resize(X.rows(), X.cols());
  for_each_tile(tile_count(X.rows(), kSingleRows), context, [&](Index t) {
    const Range rows = tile_range(X.rows(), kSingleRows, t);
    convert(rows, copy_.middleRows(rows.begin, rows.size()));
  });
}

const float* SingleSamples::rows_block(Range rows, SingleRows& buffer) const {
  if (!X_.sparse()) return copy_.data() + rows.begin * X_.cols();
  buffer.resize(rows.size(), X_.cols());
  convert(rows, buffer);
  return buffer.data();
}

void SingleSamples::convert(Range rows, Eigen::Ref<SingleRows> out) const {
  RowMatrix buffer;
  const Eigen::Map<const RowMatrix> block(X_.rows_block(rows, buffer), rows.size(), X_.cols());
  out = (block.rowwise() - mean_).cast<float>();
}

SweepSums sweep_sums(const SweepData& data, const KernelSum& kernel, const SingleSamples* single,
                     const RunContext& context) {
  const Projected z(data.Z, kernel);
  const Index n = data.X.rows(), d = data.X.cols(), panels = tile_count(n, kTile);
  RowMatrix half = RowMatrix::Zero(d, d);  // Φ = half + halfᵀ
  Vector degree = Vector::Zero(n);
  const Vector no_degree;
  double objective = 0;
  RowMatrix Y(std::min(n, kPanelsPerWave * kTile), d);

  // Waves go from the last panel to the first: when a wave is done, no later one adds to the degrees of its rows, so
  // the diagonal part joins Y and one product closes the wave. Only a wave's Y is ever held.
  for (Index last = panels; last > 0; last -= std::min(last, kPanelsPerWave)) {
    const Index first = std::max<Index>(0, last - kPanelsPerWave);
    const Range rows{first * kTile, std::min(n, last * kTile)};
    std::vector<PanelSums> parts(std::size_t(last - first));
    for_each_tile(last - first, context, [&](Index t) {
      const Index panel = last - 1 - t;  // the longest first, so that threads end together
      parts[std::size_t(panel - first)] =
          sweep_panel(data, z, kernel, single, panel, Y.data() + (panel - first) * kTile * d, context);
    });
    for (Index t = last - first - 1; t >= 0; --t) {
      const PanelSums& part = parts[std::size_t(t)];
      objective += part.objective;
      degree.head(part.column_degree.size()) += part.column_degree;
      degree.segment((first + t) * kTile, part.row_degree.size()) += part.row_degree;
    }
    const Vector& diagonal = z.difference ? degree : no_degree;
    if (single)
      close_wave(*single, rows, diagonal, Y, half, context);
    else
      close_wave(data.X, rows, diagonal, Y, half, context);
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
      tile.load(z.side(I), z.side(J));
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

double sweep_curvature_bound(const SweepData& data, const KernelSum& kernel, const RunContext& context) {
  const Projected z(data.Z, kernel);
  const Index n = data.X.rows(), d = data.X.cols(), panels = tile_count(n, kTile);
  const auto block = [&](Range rows, RowMatrix& buffer) {
    return Eigen::Map<const RowMatrix>(data.X.rows_block(rows, buffer), rows.size(), d);
  };
  Vector norms(n);  // ‖x‖²
  RowMatrix some;
  for (Index t = 0; t < panels; ++t) {
    const Range rows = tile_range(n, kTile, t);
    norms.segment(rows.begin, rows.size()) = block(rows, some).rowwise().squaredNorm();
  }
  std::vector<double> partial(std::size_t(panels), 0.0);
  for_each_tile(panels, context, [&](Index t) {
    const Index panel = panels - 1 - t;
    const Range I = tile_range(n, kTile, panel);
    Tile tile(z, kernel);
    std::vector<double> gamma(tile_entries(n)), products(z.difference ? tile_entries(n) : 0), squared(kTile);
    RowMatrix own_buffer, others;
    const double* own = z.difference ? data.X.rows_block(I, own_buffer) : nullptr;
    for (Index other = 0; other <= panel; ++other) {
      context.poll();
      const Range J = tile_range(n, kTile, other);
      const Index m = J.size();
      tile.load(z.side(I), z.side(J));
      outer_tile(data.weighted_basis, I, data.basis, J, gamma.data());
      if (z.difference)
        row_gemm(I.size(), m, d, 1, {own, d}, Transpose::no, {data.X.rows_block(J, others), d}, Transpose::yes, 0,
                 {products.data(), m});
      double sum = 0;
      for (Index i = 0; i < I.size(); ++i) {
        tile.evaluate(i, Want::curvature);
        const double *weight = gamma.data() + i * m, *dot = tile.dot_derivative(),
                     *difference = tile.difference_derivative(), *norm = norms.data() + J.begin;
        const double own_norm = norms[I.begin + i];
        if (difference) functions().squared_distances(products.data() + i * m, own_norm, norm, m, squared.data());
        for (Index j = 0; j < m; ++j)
          sum += std::abs(weight[j]) *
                 ((dot ? std::abs(dot[j]) * own_norm * norm[j] : 0.0) +
                  (difference ? std::abs(difference[j]) * squared[std::size_t(j)] * squared[std::size_t(j)] : 0.0));
      }
      partial[std::size_t(panel)] += other == panel ? sum : 2 * sum;
    }
  });
  double bound = 0;
  for (const double part : partial) bound += part;
  return 2 * bound;
}

double sweep_bytes(const PairSizes& sizes, Precision precision, int threads) {
  const double n = double(sizes.n), d = double(sizes.d), panel = double(kTile) * d;
  const double wave = double(std::min(sizes.n, kPanelsPerWave * kTile)) * d;
  const double columns = double(std::min<Index>(kPanelsPerWave, tile_count(sizes.n, kTile))) * n;
  const double tiles = double(threads) * 4 * kTile * kTile;
  const double doubles = wave + columns + tiles + n * double(2 * sizes.q + 2 * sizes.gamma_columns + 4) + 2 * d * d;
  if (precision == Precision::full) return 8 * doubles;
  // The samples and a wave of Y in single precision, and a panel a thread.
  return 8 * doubles + 4 * ((sizes.sparse ? wave : n * d) + wave + double(threads) * (2 * panel + kTile * kTile));
}

}  // namespace ritz::tile
