// SPDX-License-Identifier: MIT
#include "ritz/model/samples.hpp"

#include <algorithm>
#include <utility>

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

Samples::Samples(const StoredRows& X, Vector mean, Vector factor)
    : rows_(X.rows()), cols_(X.cols()), stored_(&X), mean_(std::move(mean)), factor_(std::move(factor)) {}

// use(rows in memory or in their file), for what is not sparse.
template <class Use>
auto Samples::with_rows(const Use& use) const {
  if (dense_) return use(TallRows::of(dense_view()));
  return use(TallRows{rows_, cols_, false, [this](Range rows, RowMatrix& buffer) {
                        read_elsewhere(rows, buffer);
                        return RowBlock{buffer.data(), cols_};
                      }});
}

Samples::Samples(const Samples& whole, std::vector<Index> rows)
    : rows_(Index(rows.size())), cols_(whole.cols_), whole_(&whole), places_(std::move(rows)) {}

void Samples::read_elsewhere(Range rows, RowMatrix& buffer) const {
  buffer.resize(rows.size(), cols_);
  if (whole_) {
    RowMatrix one;
    for (Index i = 0; i < rows.size(); ++i) {
      const Index place = places_[std::size_t(rows.begin + i)];
      std::copy_n(whole_->rows_block({place, place + 1}, one), cols_, buffer.data() + i * cols_);
    }
    return;
  }
  stored_->read(rows, buffer.data());
  const Eigen::Array<double, 1, Eigen::Dynamic> mean = mean_.transpose(), factor = factor_.transpose();
  for (Index i = 0; i < buffer.rows(); ++i) buffer.row(i) = (buffer.row(i).array() - mean) * factor;
}

RowMatrix Samples::project(BlockIn W, const RunContext& context) const {
  if (!sparse_) return with_rows([&](const TallRows& X) { return tall_product(X, W, context); });
  const Matrix scaled = factor_.asDiagonal() * W;
  const Eigen::RowVectorXd offset = mean_.transpose() * scaled;
  RowMatrix out = *sparse_ * scaled;
  out.rowwise() -= offset;
  return out;
}

Matrix Samples::adjoint(DataView M, const RunContext& context) const {
  if (!sparse_) return with_rows([&](const TallRows& X) { return tall_transposed_product(X, M, context); });
  Matrix out = sparse_->transpose() * M;
  out -= mean_ * M.colwise().sum();
  return factor_.asDiagonal() * out;
}

Matrix Samples::weighted_gram(const Vector& w, const RunContext& context) const {
  if (!sparse_) return with_rows([&](const TallRows& X) { return tall_weighted_gram(X, w, context); });
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
  if (dense_ && stride_ == cols_) return dense_ + rows.begin * stride_;
  if (stored_ || whole_) {
    read_elsewhere(rows, buffer);
    return buffer.data();
  }
  buffer.resize(rows.size(), cols_);
  if (dense_) {
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
