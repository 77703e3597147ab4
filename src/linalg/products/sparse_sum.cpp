// SPDX-License-Identifier: MIT
#include "linalg/sparse_sum.hpp"

#include <algorithm>

#include "linalg/products/panel_kernel.hpp"
#include "linalg/tall_products.hpp"
#include "ritz/base/parallel.hpp"
#include "ritz/linalg/products.hpp"

namespace ritz {

namespace {

constexpr Index kOperationsPerTile = 1 << 19;  // less is done sooner than another thread wakes up

}  // namespace

void multiply_rows(const SparseRows& S, const RowMatrix& in, RowMatrix& out, const RunContext& context) {
  out.resize(S.rows(), in.cols());
  const detail::PanelKernel kernel = detail::panel_kernel();
  const Index work = std::max<Index>(1, (S.nonZeros() + S.rows()) * std::max<Index>(1, in.cols()));
  const Index rows_per_tile =
      std::clamp<Index>(S.rows() * kOperationsPerTile / work, 16, std::max<Index>(16, S.rows()));
  for_each_tile(tile_count(S.rows(), rows_per_tile), context, [&](Index t) {
    const Range rows = tile_range(S.rows(), rows_per_tile, t);
    kernel({S.outerIndexPtr(), S.innerIndexPtr(), S.valuePtr()}, rows.begin, rows.end, in.data(), out.data(),
           in.cols());
  });
}

void SparseSum::apply_rows(const RowMatrix& in, RowMatrix& out, const RunContext& context) const {
  multiply_rows(sparse, in, out, context);
  if (identity != 0) out += identity * in;
  if (factor.basis.cols() == 0) return;
  const RowMatrix basis = factor.basis;
  const Matrix inner = factor.weights.asDiagonal() * tall_transposed_product(basis, in, context);
  out += tall_product(basis, inner, context);
}

void SparseSum::apply(BlockIn in, BlockOut out) const {
  RunContext alone;
  alone.threads = 1;
  RowMatrix image;
  apply_rows(in, image, alone);
  out = image;
}

double SparseSum::entry(Index i, Index j) const {
  double value = sparse.coeff(i, j) + (i == j ? identity : 0.0);
  if (factor.basis.cols() > 0)
    value += (factor.basis.row(i).array() * factor.basis.row(j).array() * factor.weights.transpose().array()).sum();
  return value;
}

double SparseSum::trace() const {
  double sum = sparse.diagonal().sum() + identity * double(size());
  if (factor.basis.cols() > 0) sum += factor.trace();
  return sum;
}

double SparseSum::squared_norm() const {
  // ‖S + cI‖² + 2⟨S + cI, BwBᵀ⟩ + ‖BwBᵀ‖²
  const double n = double(size());
  double sum = sparse.squaredNorm() + 2 * identity * sparse.diagonal().sum() + identity * identity * n;
  if (factor.basis.cols() == 0) return sum;
  const Matrix image = sparse * factor.basis;
  sum += 2 * ((image.array() * factor.basis.array()).colwise().sum() * factor.weights.transpose().array()).sum();
  sum += 2 * identity * factor.trace();
  const Matrix weighted = transposed_product(factor.basis, factor.basis) * factor.weights.asDiagonal();
  return sum + (weighted * weighted).trace();
}

Matrix SparseSum::dense() const {
  Matrix a = Matrix(sparse);
  a.diagonal().array() += identity;
  if (factor.basis.cols() > 0) a += factor.dense();
  return a;
}

}  // namespace ritz
