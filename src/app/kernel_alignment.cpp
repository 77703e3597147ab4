// SPDX-License-Identifier: MIT
#include "app/kernel_alignment.hpp"

#include <cmath>

#include "ritz/base/parallel.hpp"
#include "ritz/linalg/products.hpp"

namespace ritz {

namespace {

constexpr Index kRows = 256;  // of a tile

// K of some rows against others, for a sum of kernels.
class TileKernel {
 public:
  TileKernel(const RowMatrix& Z, const KernelSum& kernel)
      : Z_(Z), kernel_(kernel), squares_(Z.rowwise().squaredNorm()) {}

  void fill(Range rows, Range others, Matrix& beta, Matrix& K) const {
    const Matrix first = Z_.middleRows(rows.begin, rows.size()).transpose();
    const Matrix second = Z_.middleRows(others.begin, others.size()).transpose();
    const Matrix dot = transposed_product(first, second);
    K.setZero(rows.size(), others.size());
    for (const KernelTerm& term : kernel_) {
      beta = dot;
      if (form_of(term.kernel) == PairForm::difference)
        for (Index j = 0; j < beta.cols(); ++j)
          beta.col(j) =
              (squares_.segment(rows.begin, rows.size()).array() + squares_[others.begin + j] - 2 * beta.col(j).array())
                  .cwiseMax(0.0);
      if (term.sample_scale)
        for (Index j = 0; j < beta.cols(); ++j)
          for (Index i = 0; i < beta.rows(); ++i)
            beta(i, j) *=
                (*term.sample_scale)[std::size_t(rows.begin + i)] * (*term.sample_scale)[std::size_t(others.begin + j)];
      std::visit(
          [&](const auto& each) {
            for (Index e = 0; e < beta.size(); ++e) K.data()[e] += term.weight * each.value(beta.data()[e]);
          },
          term.kernel);
    }
  }

 private:
  const RowMatrix& Z_;
  const KernelSum& kernel_;
  Vector squares_;
};

}  // namespace

double centred_kernel_norm(const RowMatrix& Z, const KernelSum& kernel, const RunContext& context) {
  const Index n = Z.rows(), tiles = tile_count(n, kRows);
  if (n == 0) return 0;
  const TileKernel tile(Z, kernel);
  // HKH is the same for K − c·11ᵀ; near its mean, little cancels below.
  Matrix beta, K;
  tile.fill({0, std::min(n, kRows)}, {0, std::min(n, kRows)}, beta, K);
  const double shift = K.mean();
  Vector row_sums(n), squares = Vector::Zero(tiles);
  for_each_tile(tiles, context, [&](Index t) {
    const Range rows = tile_range(n, kRows, t);
    Matrix tile_beta, tile_K;
    Vector sums = Vector::Zero(rows.size());
    for (Index s = 0; s < tiles; ++s) {
      context.poll();
      tile.fill(rows, tile_range(n, kRows, s), tile_beta, tile_K);
      tile_K.array() -= shift;
      sums += tile_K.rowwise().sum();
      squares[t] += tile_K.squaredNorm();
    }
    row_sums.segment(rows.begin, rows.size()) = sums;
  });
  // ‖HKH‖² = ‖K‖² − 2‖K1‖²/n + (1ᵀK1)²/n²
  const double mean = row_sums.sum() / double(n);
  const double square = squares.sum() - 2 * row_sums.squaredNorm() / double(n) + mean * mean;
  return std::sqrt(std::max(0.0, square));
}

double centred_alignment(double objective, const RowMatrix& Z, const KernelSum& kernel, const Gamma& gamma,
                         const RunContext& context) {
  const Matrix inner = transposed_product(gamma.factor.basis, gamma.factor.basis) * gamma.factor.weights.asDiagonal();
  const double gamma_norm = std::sqrt((inner * inner).trace());
  const double norms = gamma_norm * centred_kernel_norm(Z, kernel, context);
  return norms > 0 ? objective / norms : kUnknown;
}

}  // namespace ritz
