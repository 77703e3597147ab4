// SPDX-License-Identifier: MIT
#include "backends/cpu/tile_sweep.hpp"

#include <algorithm>
#include <vector>

#include "backends/cpu/tile_kernels.hpp"
#include "ritz/base/parallel.hpp"
#include "ritz/linalg/tall_products.hpp"

namespace ritz::tile {

namespace {

constexpr Index kTile = 256;          // rows and columns of a tile; set by bench/pair_bench.cpp
constexpr Index kPanelsPerWave = 32;  // panels whose sums Y are held at a time
constexpr Index kLargestBlock = 400;  // rows and columns of Φ in a task of a wave's closing product

// Entries of the largest tile: small problems must not pay for clearing full ones.
std::size_t tile_entries(Index n) { return std::size_t(std::min(n, kTile) * std::min(n, kTile)); }

// Z = XW, centred for kernels of differences: β from norms and products loses digits when Z lies far from 0.
struct Projected {
  RowMatrix raw, centred;
  Vector norms;
  bool dot = false, difference = false;
};

Projected projected(const Samples& X, BlockIn W, const KernelSum& kernel, const RunContext& context) {
  Projected z;
  for (const KernelTerm& term : kernel) (form_of(term.kernel) == PairForm::dot ? z.dot : z.difference) = true;
  z.raw = X.project(W, context);
  if (z.difference) {
    z.centred = z.raw.rowwise() - z.raw.colwise().mean();
    z.norms = z.centred.rowwise().squaredNorm();
  }
  if (!z.dot) z.raw.resize(0, 0);
  return z;
}

// tile = A_I · B_Jᵀ for rows I of A and rows J of B.
void outer_tile(const RowMatrix& A, Range I, const RowMatrix& B, Range J, double* tile) {
  row_gemm(I.size(), J.size(), A.cols(), 1, {A.data() + I.begin * A.cols(), A.cols()}, Transpose::no,
           {B.data() + J.begin * B.cols(), B.cols()}, Transpose::yes, 0, {tile, J.size()});
}

enum class Want { value, value_slope, curvature };

// Work space of one thread's tile, and the evaluation of its rows.
class Tile {
 public:
  Tile(const Projected& z, const KernelSum& kernel)
      : z_(z),
        kernel_(kernel),
        rows_(functions()),
        dot_products_(z.dot ? tile_entries(z.raw.rows()) : 0),
        difference_products_(z.difference ? tile_entries(z.centred.rows()) : 0),
        beta_(kTile),
        scale_(kTile),
        value_(kTile),
        dot_(kTile),
        difference_(kTile) {}

  void load(Range I, Range J) {
    I_ = I;
    J_ = J;
    if (z_.dot) outer_tile(z_.raw, I, z_.raw, J, dot_products_.data());
    if (z_.difference) outer_tile(z_.centred, I, z_.centred, J, difference_products_.data());
  }

  // Fills value(), or with their slopes dot_slope() and difference_slope(), or for `curvature` the second derivatives
  // in those two, for row i of the tile.
  void evaluate(Index i, Want want) {
    const Index m = J_.size();
    if (want != Want::curvature) std::fill_n(value_.data(), m, 0.0);
    if (z_.dot && want != Want::value) std::fill_n(dot_.data(), m, 0.0);
    if (z_.difference && want != Want::value) std::fill_n(difference_.data(), m, 0.0);
    if (z_.difference)
      rows_.squared_distances(difference_products_.data() + i * m, z_.norms[I_.begin + i], z_.norms.data() + J_.begin,
                              m, beta_.data());
    for (const KernelTerm& term : kernel_) {
      const bool dot = form_of(term.kernel) == PairForm::dot;
      const double* beta = dot ? dot_products_.data() + i * m : beta_.data();
      const double* scale = nullptr;
      if (term.sample_scale) {
        const std::vector<double>& all = *term.sample_scale;
        rows_.outer_scale(all[std::size_t(I_.begin + i)], all.data() + J_.begin, m, scale_.data());
        scale = scale_.data();
      }
      const void* object = std::visit([](const auto& k) -> const void* { return &k; }, term.kernel);
      const KernelRow& row = rows_.kernels[term.kernel.index()];
      double* derivative = (dot ? dot_ : difference_).data();
      if (want == Want::value)
        row.value(object, term.weight, beta, scale, m, value_.data(), nullptr);
      else if (want == Want::value_slope)
        row.value_slope(object, term.weight, beta, scale, m, value_.data(), derivative);
      else
        row.curvature(object, term.weight, beta, scale, m, derivative, nullptr);
    }
  }
  const double* value() const { return value_.data(); }
  const double* dot_derivative() const { return z_.dot ? dot_.data() : nullptr; }
  const double* difference_derivative() const { return z_.difference ? difference_.data() : nullptr; }

 private:
  const Projected& z_;
  const KernelSum& kernel_;
  const Functions& rows_;
  Range I_{0, 0}, J_{0, 0};
  std::vector<double> dot_products_, difference_products_, beta_, scale_, value_, dot_, difference_;
};

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

SweepSums sweep_sums(const SweepData& data, BlockIn W, const KernelSum& kernel, const RunContext& context) {
  const Projected z = projected(data.X, W, kernel, context);
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

double sweep_objective(const SweepData& data, BlockIn W, const KernelSum& kernel, const RunContext& context) {
  const Projected z = projected(data.X, W, kernel, context);
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

Matrix sweep_curvature(const SweepData& data, BlockIn W, const KernelSum& kernel, BlockIn E,
                       const RunContext& context) {
  const Projected z = projected(data.X, W, kernel, context);
  const Index n = data.X.rows(), q = W.cols();
  const RowMatrix Z = data.X.project(W, context), e = data.X.project(E, context);
  RowMatrix left(n, 2 * q), right(n, 2 * q);  // (left · rightᵀ)_ij = zᵢᵀeⱼ + eᵢᵀzⱼ
  left << Z, e;
  right << e, Z;
  const Vector own = Z.cwiseProduct(e).rowwise().sum();  // so that own_i + own_j − cross = (zᵢ − zⱼ)ᵀ(eᵢ − eⱼ)
  const Vector zero = Vector::Zero(n);

  // Σ_ij Ω_ij ∂c_ij/∂E: 2XᵀΩZ for dot products, 4Xᵀ(diag(Ω1) − Ω)Z for differences; U collects the n × q factor.
  RowMatrix U = RowMatrix::Zero(n, q);
  for_each_tile(tile_count(n, kTile), context, [&](Index panel) {
    const Range I = tile_range(n, kTile, panel);
    Tile tile(z, kernel);
    std::vector<double> gamma(tile_entries(n)), cross(gamma.size()), dot(gamma.size()), difference(gamma.size());
    for (Index other = 0; other < tile_count(n, kTile); ++other) {
      context.poll();
      const Range J = tile_range(n, kTile, other);
      const Index m = J.size();
      tile.load(I, J);
      outer_tile(data.weighted_basis, I, data.basis, J, gamma.data());
      outer_tile(left, I, right, J, cross.data());
      for (Index i = 0; i < I.size(); ++i) {
        tile.evaluate(i, Want::curvature);
        const double* g = gamma.data() + i * m;
        if (z.dot)  // c = cross
          functions().curvature_weights(g, tile.dot_derivative(), -1, 0, zero.data() + J.begin, cross.data() + i * m, m,
                                        dot.data() + i * m);
        if (z.difference) {
          const double degree =
              functions().curvature_weights(g, tile.difference_derivative(), 2, own[I.begin + i], own.data() + J.begin,
                                            cross.data() + i * m, m, difference.data() + i * m);
          U.row(I.begin + i) += 4 * degree * Z.row(I.begin + i);
        }
      }
      double* out = U.data() + I.begin * q;
      const RowBlock z_block{Z.data() + J.begin * q, q};
      if (z.dot) row_gemm(I.size(), q, m, 2, {dot.data(), m}, Transpose::no, z_block, Transpose::no, 1, {out, q});
      if (z.difference)
        row_gemm(I.size(), q, m, -4, {difference.data(), m}, Transpose::no, z_block, Transpose::no, 1, {out, q});
    }
  });
  return data.X.adjoint(U, context);
}

RowMatrix sweep_kernel_product(const Samples& X, BlockIn W, const KernelSum& kernel, DataView in,
                               const RunContext& context) {
  const Projected z = projected(X, W, kernel, context);
  const Index n = X.rows(), columns = in.cols();
  RowMatrix out = RowMatrix::Zero(n, columns);
  for_each_tile(tile_count(n, kTile), context, [&](Index panel) {
    const Range I = tile_range(n, kTile, panel);
    Tile tile(z, kernel);
    std::vector<double> values(tile_entries(n));
    for (Index other = 0; other < tile_count(n, kTile); ++other) {
      context.poll();
      const Range J = tile_range(n, kTile, other);
      tile.load(I, J);
      for (Index i = 0; i < I.size(); ++i) {
        tile.evaluate(i, Want::value);
        std::copy_n(tile.value(), J.size(), values.data() + i * J.size());
      }
      row_gemm(I.size(), columns, J.size(), 1, {values.data(), J.size()}, Transpose::no,
               {in.data() + J.begin * in.outerStride(), in.outerStride()}, Transpose::no, 1,
               {out.data() + I.begin * columns, columns});
    }
  });
  return out;
}

double sweep_bytes(Index n, Index d, Index q, Index gamma_columns, int threads) {
  const double wave = double(std::min(n, kPanelsPerWave * kTile)) * double(d);
  const double columns = double(std::min<Index>(kPanelsPerWave, tile_count(n, kTile))) * double(n);
  const double tiles = double(threads) * 4 * kTile * kTile;
  return 8 * (wave + columns + tiles + double(n) * double(2 * q + 2 * gamma_columns + 4) + 2 * double(d) * double(d));
}

}  // namespace ritz::tile
