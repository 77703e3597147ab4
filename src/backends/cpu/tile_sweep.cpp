// SPDX-License-Identifier: MIT
#include "backends/cpu/tile_sweep.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "backends/cpu/tile_parts.hpp"

namespace ritz::tile {

namespace {

constexpr Index kSingleRows = 1024;   // of a task that converts samples
constexpr Index kPanelsPerWave = 32;  // panels whose sums Y are held at a time, at least
constexpr Index kMostWaves = 16;      // of many samples: there must be work for many ranks in each
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
      tile_gemm(rows_, d, J.size(), scale, {M, J.size()}, Transpose::no, {X_.rows_block(J, buffer_), d}, Transpose::no,
                true, {Y_.data(), d});
      return;
    }
    if (pending_ == kTilesPerSum) finish();
    weights_.assign(M, M + rows_ * J.size());
    tile_gemm(rows_, d, J.size(), float(scale), {weights_.data(), J.size()}, Transpose::no,
              {single_->rows_block(J, single_buffer_), d}, Transpose::no, pending_ > 0, {sum_.data(), d});
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
// its transpose. Adds Ψ1 to `degree`, and returns the panel's part of F.
double sweep_panel(const SweepData& data, const Projected& z, const KernelSum& kernel, const SingleSamples* single,
                   Index panel, double* Y, Vector& degree, const RunContext& here) {
  const Index n = data.X.rows();
  const Range I = tile_range(n, kTile, panel);
  Tile tile(z, kernel);
  GammaTile gamma(data);
  std::vector<double> weights(tile_entries(n));
  Vector unused = Vector::Zero(kTile);
  PanelProduct product(data.X, single, I.size(), Y);
  double objective = 0;

  for (Index other = 0; other <= panel; ++other) {
    here.poll();
    if (data.pairs && !data.pairs->has(panel, other)) continue;
    const Range J = tile_range(n, kTile, other);
    const bool diagonal = other == panel;
    tile.load(z.side(I), z.side(J));
    gamma.load(I, J);
    double* column_degree = diagonal ? unused.data() : degree.data() + J.begin;
    double sum = 0;
    for (Index i = 0; i < I.size(); ++i) {
      const RowSums row = tile.weigh(i, gamma.row(i), weights.data() + i * J.size(), column_degree);
      sum += row.objective;
      degree[I.begin + i] += row.degree;
    }
    objective += diagonal ? sum : 2 * sum;
    product.add(diagonal ? 0.5 : 1.0, weights.data(), J);
  }
  product.finish();
  return objective;
}

// Some panels in a row, whose Y is held: half = Σ XᵀY over the waves.
struct Wave {
  PanelShares shares;
  Range rows;
  RowMatrix& Y;

  double* Y_of(Index panel) const { return Y.data() + (panel - shares.first) * kTile * Y.cols(); }
};

Index panels_per_wave(Index panels) {
  return std::min(panels, std::max(kPanelsPerWave, tile_count(panels, kMostWaves)));
}
// Of Φ in a closing product, of about equal size: narrow ones are slow.
Index rows_of_block(Index d) { return tile_count(d, tile_count(d, kLargestBlock)); }

// Y += diag(degree)·X: halved by the symmetric sum, doubled by Φ's factor 2.
template <class Buffer, class Rows>
void add_diagonal(const Rows& X, const Wave& wave, const double* degree, const RunContext& context) {
  const Index d = wave.Y.cols();
  const Range own = own_shares(wave.shares.count, context);
  for_each_tile(own.size(), context, [&](Index t) {
    Buffer buffer;
    wave.shares.for_each(own.begin + t, [&](Index panel) {
      const Range I = tile_range(wave.rows.end, kTile, panel);
      const auto* x = X.rows_block(I, buffer);
      double* y = wave.Y_of(panel);
      for (Index i = 0; i < I.size(); ++i)
        for (Index j = 0; j < d; ++j) y[i * d + j] += degree[I.begin - wave.rows.begin + i] * double(x[i * d + j]);
    });
  });
}

// half += XᵀY over the rows of a wave, a block of rows of Φ after the other.
void close_wave(const Samples& X, const SingleSamples* single, const Wave& wave, RowMatrix& half,
                const RunContext& context) {
  const Index n = X.rows(), d = X.cols(), block = rows_of_block(d);
  RowMatrix sum(block, d);
  for (Index t = 0; t < tile_count(d, block); ++t) {
    const Range down = tile_range(d, block, t);
    const auto products = [&](Index share, double* out, const RunContext&) {
      RowMatrix buffer;
      wave.shares.for_each(share, [&](Index panel) {
        const Range I = tile_range(n, kTile, panel);
        tile_gemm(down.size(), d, I.size(), 1.0, {X.rows_block(I, buffer) + down.begin, d}, Transpose::yes,
                  {wave.Y_of(panel), d}, Transpose::no, true, {out, d});
      });
    };
    const auto single_products = [&](Index share, double* out, const RunContext&) {
      SingleRows buffer, y, part = SingleRows::Zero(down.size(), d);
      wave.shares.for_each(share, [&](Index panel) {
        const Range I = tile_range(n, kTile, panel);
        y = Eigen::Map<const RowMatrix>(wave.Y_of(panel), I.size(), d).cast<float>();
        tile_gemm(down.size(), d, I.size(), 1.0f, {single->rows_block(I, buffer) + down.begin, d}, Transpose::yes,
                  {y.data(), d}, Transpose::no, true, {part.data(), d});
      });
      Eigen::Map<RowMatrix>(out, down.size(), d) += part.cast<double>();
    };
    ordered_sum(wave.shares.count, down.size() * d, single ? Share(single_products) : Share(products), sum.data(),
                context);
    half.middleRows(down.begin, down.size()) += sum.topRows(down.size());
  }
}

}  // namespace

ClassWeights class_weights(const SweepGamma& gamma) {
  constexpr int kMostClasses = 32;  // whose rows of a tile stay in the first-level cache
  const int count = gamma.gamma.class_count;
  const std::vector<int>& classes = gamma.gamma.classes;
  if (classes.empty() || count > kMostClasses) return {};
  std::vector<Index> member(std::size_t(count), 0);
  for (std::size_t i = 0; i < classes.size(); ++i) member[std::size_t(classes[i])] = Index(i);
  ClassWeights found{RowMatrix(count, count), &classes};
  for (int a = 0; a < count; ++a)
    for (int b = 0; b < count; ++b)
      found.between(a, b) =
          gamma.weighted_basis.row(member[std::size_t(a)]).dot(gamma.basis.row(member[std::size_t(b)]));
  return found;
}

GammaTile::GammaTile(const SweepData& data)
    : data_(data), values_(std::size_t(data.weights.between.rows() * std::min(data.X.rows(), kTile))) {
  if (values_.empty()) values_.resize(tile_entries(data.X.rows()));
}

void GammaTile::load(Range I, Range J) {
  first_ = I.begin;
  width_ = J.size();
  const RowMatrix& between = data_.weights.between;
  const double weight = data_.pairs ? data_.pairs->weight(I.begin / kTile, J.begin / kTile) : 1;
  Eigen::Map<RowMatrix> values(values_.data(), between.size() > 0 ? between.rows() : I.size(), width_);
  if (between.size() == 0) {
    outer_tile(data_.weighted_basis, I, data_.basis, J, values_.data());
  } else {
    const int* classes = data_.weights.classes->data() + J.begin;
    for (Index c = 0; c < between.rows(); ++c)
      for (Index j = 0; j < width_; ++j) values(c, j) = between(c, classes[j]);
  }
  if (weight != 1) values *= weight;
}

SingleSamples::SingleSamples(const Samples& X, bool centred, const RunContext& context)
    : X_(X), centred_(centred), mean_(Eigen::RowVectorXd::Zero(X.cols())) {
  if (centred) mean_ = X.adjoint(RowMatrix::Constant(X.rows(), 1, 1 / double(X.rows())), context).transpose();
  if (!X.in_place()) return;
  copy_.resize(X.rows(), X.cols());
  for_each_tile(tile_count(X.rows(), kSingleRows), context, [&](Index t) {
    const Range rows = tile_range(X.rows(), kSingleRows, t);
    convert(rows, copy_.middleRows(rows.begin, rows.size()));
  });
}

const float* SingleSamples::rows_block(Range rows, SingleRows& buffer) const {
  if (X_.in_place()) return copy_.data() + rows.begin * X_.cols();
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
  const Index together = panels_per_wave(panels), shares = (together + 1) / 2;
  RowMatrix half = RowMatrix::Zero(d, d);                         // Φ = half + halfᵀ
  std::vector<Vector> degrees(static_cast<std::size_t>(shares));  // what a share adds to Ψ1
  Vector found(std::min(n, together * kTile) + 1);                // Ψ1 in a wave, and its part of F
  RowMatrix Y(std::min(n, together * kTile), d);
  double objective = 0;

  // Waves go from the last panel to the first: when a wave is done, no later one adds to the degrees of its rows, so
  // the diagonal part joins Y and one product closes the wave. Only a wave's Y is ever held.
  for (Index last = panels; last > 0; last -= std::min(last, together)) {
    const Index first = std::max<Index>(0, last - together);
    const Wave wave{{first, last, shares}, {first * kTile, std::min(n, last * kTile)}, Y};
    const Index rows = wave.rows.size();
    ordered_sum(
        shares, rows + 1,
        [&](Index share, double* out, const RunContext& here) {
          Vector& degree = degrees[std::size_t(share)];
          if (degree.size() == 0) degree = Vector::Zero(n);
          wave.shares.for_each(share, [&](Index panel) {
            out[rows] += sweep_panel(data, z, kernel, single, panel, wave.Y_of(panel), degree, here);
          });
          std::copy_n(degree.data() + wave.rows.begin, rows, out);
        },
        found.data(), context);
    objective += found[rows];
    if (z.difference && single) add_diagonal<SingleRows>(*single, wave, found.data(), context);
    if (z.difference && !single) add_diagonal<RowMatrix>(data.X, wave, found.data(), context);
    close_wave(data.X, single, wave, half, context);
  }
  return {half + half.transpose(), objective};
}

double sweep_objective(const SweepData& data, const KernelSum& kernel, const RunContext& context) {
  const Projected z(data.Z, kernel);
  const Index n = data.X.rows();
  const PanelShares shares = all_panels(n, data.pairs);
  double objective = 0;
  ordered_sum(
      shares.count, 1,
      [&](Index share, double* out, const RunContext& here) {
        Tile tile(z, kernel);
        GammaTile gamma(data);
        shares.for_each_tile(share, n, here, [&](Range I, Range J) {
          tile.load(z.side(I), z.side(J));
          gamma.load(I, J);
          double sum = 0;
          for (Index i = 0; i < I.size(); ++i) {
            tile.evaluate(i, Want::value);
            sum += functions().weighted_sum(gamma.row(i), tile.value(), J.size());
          }
          *out += I.begin == J.begin ? sum : 2 * sum;
        });
      },
      &objective, context);
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
  const PanelShares shares = all_panels(n, data.pairs);
  double bound = 0;
  ordered_sum(
      shares.count, 1,
      [&](Index share, double* out, const RunContext& here) {
        Tile tile(z, kernel);
        GammaTile gamma(data);
        std::vector<double> products(z.difference ? tile_entries(n) : 0), squared(kTile);
        RowMatrix own, others;
        shares.for_each_tile(share, n, here, [&](Range I, Range J) {
          const Index m = J.size();
          tile.load(z.side(I), z.side(J));
          gamma.load(I, J);
          if (z.difference)
            tile_gemm(I.size(), m, d, 1.0, {data.X.rows_block(I, own), d}, Transpose::no,
                      {data.X.rows_block(J, others), d}, Transpose::yes, false, {products.data(), m});
          double sum = 0;
          for (Index i = 0; i < I.size(); ++i) {
            tile.evaluate(i, Want::curvature);
            const double *weight = gamma.row(i), *dot = tile.dot_derivative(),
                         *difference = tile.difference_derivative(), *norm = norms.data() + J.begin;
            const double own_norm = norms[I.begin + i];
            if (difference) functions().squared_distances(products.data() + i * m, own_norm, norm, m, squared.data());
            for (Index j = 0; j < m; ++j)
              sum += std::abs(weight[j]) *
                     ((dot ? std::abs(dot[j]) * own_norm * norm[j] : 0.0) +
                      (difference ? std::abs(difference[j]) * squared[std::size_t(j)] * squared[std::size_t(j)] : 0.0));
          }
          *out += I.begin == J.begin ? sum : 2 * sum;
        });
      },
      &bound, context);
  return 2 * bound;
}

double sweep_bytes(const PairSizes& sizes, Precision precision, int threads) {
  const double n = double(sizes.n), d = double(sizes.d), panel = double(kTile) * d;
  const Index together = panels_per_wave(tile_count(sizes.n, kTile));
  const double wave = double(std::min(sizes.n, together * kTile)) * d, shares = double((together + 1) / 2);
  const double columns = shares * n + (double(threads) + std::log2(shares)) * double(rows_of_block(sizes.d)) * d;
  const double tiles = double(threads) * 4 * kTile * kTile;
  const double doubles = wave + columns + tiles + n * double(2 * sizes.q + 2 * sizes.gamma_columns + 4) + 2 * d * d;
  if (precision == Precision::full) return 8 * doubles;
  // The samples and a wave of Y in single precision, and a panel a thread.
  return 8 * doubles + 4 * ((sizes.sparse ? wave : n * d) + wave + double(threads) * (2 * panel + kTile * kTile));
}

}  // namespace ritz::tile
