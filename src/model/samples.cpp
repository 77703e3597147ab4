// SPDX-License-Identifier: MIT
#include "ritz/model/samples.hpp"

#include "linalg/tall_products.hpp"

namespace ritz {

namespace {
constexpr Index kRowsPerTile = 2048;  // of the weighted Gram matrix of sparse samples
}

Samples::Samples(const RowMatrix& X) : rows_(X.rows()), cols_(X.cols()), dense_(X.data()), stride_(X.cols()) {}

Samples::Samples(const Eigen::Map<const RowMatrix, 0, Eigen::OuterStride<>>& X)
    : rows_(X.rows()), cols_(X.cols()), dense_(X.data()), stride_(X.outerStride()) {}

Samples::Samples(const SparseRows& X, Vector mean, Vector factor)
    : rows_(X.rows()), cols_(X.cols()), sparse_(&X), mean_(std::move(mean)), factor_(std::move(factor)) {}

RowMatrix Samples::project(BlockIn W, const RunContext& context) const {
  if (!sparse_) return tall_product(dense_view(), W, context);
  const Matrix scaled = factor_.asDiagonal() * W;
  const Eigen::RowVectorXd offset = mean_.transpose() * scaled;
  RowMatrix out = *sparse_ * scaled;
  out.rowwise() -= offset;
  return out;
}

Matrix Samples::adjoint(DataView M, const RunContext& context) const {
  if (!sparse_) return tall_transposed_product(dense_view(), M, context);
  Matrix out = sparse_->transpose() * M;
  out -= mean_ * M.colwise().sum();
  return factor_.asDiagonal() * out;
}

Matrix Samples::weighted_gram(const Vector& w, const RunContext& context) const {
  if (!sparse_) return tall_weighted_gram(dense_view(), w, context);
  Matrix sum = Matrix::Zero(cols_, cols_);
  RowMatrix buffer;
  for (Index t = 0; t < tile_count(rows_, kRowsPerTile); ++t) {
    const Range rows = tile_range(rows_, kRowsPerTile, t);
    const Eigen::Map<const RowMatrix> view(rows_block(rows, buffer), rows.size(), cols_);
    sum += tall_weighted_gram(view, w.segment(rows.begin, rows.size()), context);
  }
  return sum;
}

const double* Samples::rows_block(Range rows, RowMatrix& buffer) const {
  if (!sparse_ && stride_ == cols_) return dense_ + rows.begin * stride_;
  buffer.resize(rows.size(), cols_);
  if (!sparse_) {
    buffer = dense_view().middleRows(rows.begin, rows.size());
    return buffer.data();
  }
  buffer.rowwise() = -(mean_.cwiseProduct(factor_)).transpose();
  for (Index i = rows.begin; i < rows.end; ++i)
    for (SparseRows::InnerIterator entry(*sparse_, i); entry; ++entry)
      buffer(i - rows.begin, entry.col()) += entry.value() * factor_[entry.col()];
  return buffer.data();
}

}  // namespace ritz
