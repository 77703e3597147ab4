// SPDX-License-Identifier: MIT
// ⟨HKH, HLH⟩ = ΣK_ijL_ij − (2/n)(K1)ᵀ(L1) + (1ᵀK1)(1ᵀL1)/n², and ⟨HKH, Γ⟩ = ⟨K, HΓH⟩.
#include <cmath>

#include "backends/cpu/sweeps.hpp"
#include "backends/cpu/tile_parts.hpp"

namespace ritz::cpu {

namespace {

using tile::kTile;

// The values of all kernels on a tile of pairs, less a constant of each kernel: H removes it, and what is left has more
// digits (a wide Gaussian is nearly 1 everywhere). Work space of one thread.
class KernelTiles {
 public:
  KernelTiles(const KernelSum& kernel, const Samples& X, const Eigen::RowVectorXd& mean)
      : terms_(kernel.size()),
        left_(X, tile::forms_of(kernel), mean),
        right_(X, tile::forms_of(kernel), mean),
        tile_(kernel, kernel, tile::tile_entries(X.rows())),
        values_(kernel.size(), std::vector<double>(tile::tile_entries(X.rows()))),
        target_(tile::tile_entries(X.rows())) {}

  void load(Range I, Range J, const Vector& shift) {
    const Index m = J.size();
    const tile::TileSide rows = left_.load(I);
    tile_.load(rows, I.begin == J.begin ? rows : right_.load(J));
    for (Index i = 0; i < I.size(); ++i) {
      tile_.begin_row(i);
      for (std::size_t k = 0; k < terms_; ++k) {
        double* row = values_[k].data() + i * m;
        tile_.term_values(k, row);
        for (Index j = 0; j < m; ++j) row[j] -= shift[Index(k)];
      }
    }
  }
  Eigen::Map<const RowMatrix> values(std::size_t k, Range I, Range J) const {
    return {values_[k].data(), I.size(), J.size()};
  }
  double* target() { return target_.data(); }

 private:
  std::size_t terms_;
  tile::SampleRows left_, right_;
  tile::Tile tile_;
  std::vector<std::vector<double>> values_;
  std::vector<double> target_;
};

double inner_product(const double* a, const double* b, Range I, Range J) {
  double sum = 0;
  for (Index i = 0; i < I.size(); ++i)
    sum += tile::functions().weighted_sum(a + i * J.size(), b + i * J.size(), J.size());
  return sum;
}

}  // namespace

AlignmentSums CpuBackend::alignment_sums(const KernelSum& kernel, const Samples& X, const Gamma& gamma,
                                         const RunContext& context) {
  const Index n = X.rows(), T = Index(kernel.size());
  const RowMatrix basis = gamma.factor.basis.rowwise() - gamma.factor.basis.colwise().mean();
  const RowMatrix weighted = basis * gamma.factor.weights.asDiagonal();
  const Eigen::RowVectorXd mean = X.adjoint(RowMatrix::Constant(n, 1, 1 / double(n)), context).transpose();
  tile::SpacePool<KernelTiles> pool;
  const auto make = [&] { return std::make_unique<KernelTiles>(kernel, X, mean); };
  Vector shift = Vector::Zero(T);
  pool.with(make, [&](KernelTiles& tiles) {
    const Range first = tile_range(n, kTile, 0);
    const Vector none = Vector::Zero(T);
    tiles.load(first, first, none);
    for (Index k = 0; k < T; ++k) shift[k] = tiles.values(std::size_t(k), first, first).mean();
  });

  // n × T row sums, then T × (T + 1): M, and a.
  const tile::PanelShares shares = tile::all_panels(n);
  Vector swept(n * T + T * (T + 1));
  const auto share_sum = [&](Index share, double* out, const RunContext& here) {
    Eigen::Map<RowMatrix> row_sums(out, n, T);
    Eigen::Map<Matrix> sum(out + n * T, T, T + 1);
    pool.with(make, [&](KernelTiles& tiles) {
      shares.for_each_tile(share, n, here, [&](Range I, Range J) {
        const bool diagonal = I.begin == J.begin;
        const double times = diagonal ? 1 : 2;
        tiles.load(I, J, shift);
        tile::outer_tile(weighted, I, basis, J, tiles.target());
        for (Index k = 0; k < T; ++k) {
          const Eigen::Map<const RowMatrix> own = tiles.values(std::size_t(k), I, J);
          for (Index l = 0; l <= k; ++l)
            sum(k, l) += times * inner_product(own.data(), tiles.values(std::size_t(l), I, J).data(), I, J);
          sum(k, T) += times * inner_product(own.data(), tiles.target(), I, J);
          row_sums.col(k).segment(I.begin, I.size()) += own.rowwise().sum();
          if (!diagonal) row_sums.col(k).segment(J.begin, J.size()) += own.colwise().sum().transpose();
        }
      });
    });
  };
  ordered_sum(shares.count, swept.size(), share_sum, swept.data(), context);
  const Eigen::Map<const RowMatrix> row_sums(swept.data(), n, T);
  const Eigen::Map<const Matrix> total(swept.data() + n * T, T, T + 1);
  const Vector sums = row_sums.colwise().sum().transpose();
  AlignmentSums result;
  const Matrix lower = total.leftCols(T) - (2.0 / double(n)) * (row_sums.transpose() * row_sums) +
                       sums * sums.transpose() / (double(n) * double(n));
  result.gram = lower.selfadjointView<Eigen::Lower>();
  result.target = total.col(T);
  const Matrix inside = basis.transpose() * weighted;
  result.target_norm = std::sqrt(std::max(0.0, inside.cwiseProduct(inside.transpose()).sum()));
  return result;
}

double CpuBackend::alignment_bytes(const KernelSum& kernel, Index n, Index d, int threads) const {
  const double T = double(kernel.size());
  const double tiles = double(kTile) * (4 * double(d) + (T + 3) * double(kTile));
  const double sums = double(n) * T + T * (T + 1);
  return 8 * ((double(threads) + 8) * sums + double(threads) * tiles);
}

}  // namespace ritz::cpu
