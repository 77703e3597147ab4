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
  const Index n = X.rows(), T = Index(kernel.size()), panels = tile_count(n, kTile);
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

  RowMatrix row_sums = RowMatrix::Zero(n, T);
  std::vector<Matrix> partial(std::size_t(panels), Matrix::Zero(T, T + 1));  // by row panel: M, then a
  for_each_pair(panels, context, [&](Index p, Index q) {
    const Range I = tile_range(n, kTile, p), J = tile_range(n, kTile, q);
    const double times = p == q ? 1 : 2;
    pool.with(make, [&](KernelTiles& tiles) {
      tiles.load(I, J, shift);
      tile::outer_tile(weighted, I, basis, J, tiles.target());
      Matrix& sum = partial[std::size_t(p)];
      for (Index k = 0; k < T; ++k) {
        const Eigen::Map<const RowMatrix> own = tiles.values(std::size_t(k), I, J);
        for (Index l = 0; l <= k; ++l)
          sum(k, l) += times * inner_product(own.data(), tiles.values(std::size_t(l), I, J).data(), I, J);
        sum(k, T) += times * inner_product(own.data(), tiles.target(), I, J);
        row_sums.col(k).segment(I.begin, I.size()) += own.rowwise().sum();
        if (p != q) row_sums.col(k).segment(J.begin, J.size()) += own.colwise().sum().transpose();
      }
    });
  });
  Matrix total = Matrix::Zero(T, T + 1);
  for (const Matrix& part : partial) total += part;
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
  return 8 * (double(n) * T + double(threads) * tiles + double(tile_count(n, kTile)) * T * (T + 1));
}

}  // namespace ritz::cpu
