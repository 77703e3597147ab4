// SPDX-License-Identifier: MIT
#include "ritz/data/preprocess.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/at.hpp"
#include "data/scale_rows.hpp"
#include "data/whiten.hpp"
#include "ritz/base/error.hpp"
#include "ritz/base/parallel.hpp"

namespace ritz {

namespace {

struct ColumnMoments {
  Vector mean, squares, low, high;  // Σ(x − mean)², min x, max x
  double largest(Index j) const { return std::max(std::abs(low[j]), std::abs(high[j])); }
};

// Welford's update, a whole row at a time: stable in one pass, and exactly zero squares for a constant column.
class RunningMoments {
 public:
  explicit RunningMoments(Index d) : mean_(Row::Zero(d)), squares_(Row::Zero(d)), delta_(d) {}

  template <class Rows>
  void add(const Rows& X) {
    for (Index i = 0; i < X.rows(); ++i) {
      const auto x = X.row(i);
      if (++rows_ == 1) low_ = high_ = x;
      delta_ = x - mean_;
      mean_ += delta_ / double(rows_);
      squares_.array() += delta_.array() * (x - mean_).array();
      low_ = low_.cwiseMin(x);
      high_ = high_.cwiseMax(x);
    }
  }
  ColumnMoments found() const { return {mean_.transpose(), squares_.transpose(), low_.transpose(), high_.transpose()}; }

 private:
  using Row = Eigen::RowVectorXd;
  Row mean_, squares_, delta_, low_, high_;
  Index rows_ = 0;
};

// A band of columns a task: each column has its own numbers, and the same bits whoever adds them up.
ColumnMoments moments(const RowsView& X, const RunContext& context) {
  constexpr Index kColumns = 32;
  const Index d = X.cols();
  ColumnMoments all{Vector(d), Vector(d), Vector(d), Vector(d)};
  for_each_tile(tile_count(d, kColumns), context, [&](Index t) {
    const Range columns = tile_range(d, kColumns, t);
    RunningMoments running(columns.size());
    running.add(X.middleCols(columns.begin, columns.size()));
    const ColumnMoments some = running.found();
    for (const auto part : {&ColumnMoments::mean, &ColumnMoments::squares, &ColumnMoments::low, &ColumnMoments::high})
      (all.*part).segment(columns.begin, columns.size()) = some.*part;
  });
  return all;
}

ColumnMoments moments(const StoredRows& X, const RunContext&) {
  RunningMoments running(X.cols());
  for_each_block(X, [&](Index, const RowMatrix& block) { running.add(block); });
  return running.found();
}

// The same over the stored entries, then joined with the block of zeros (Chan, Golub and LeVeque's formula).
ColumnMoments moments(const SparseRows& X, const RunContext&) {
  const Index d = X.cols();
  constexpr double kNone = std::numeric_limits<double>::infinity();
  ColumnMoments m{Vector::Zero(d), Vector::Zero(d), Vector::Constant(d, kNone), Vector::Constant(d, -kNone)};
  Vector stored = Vector::Zero(d);
  for (Index i = 0; i < X.rows(); ++i)
    for (SparseRows::InnerIterator it(X, i); it; ++it) {
      const Index j = it.col();
      const double x = it.value(), delta = x - m.mean[j];
      stored[j] += 1;
      m.mean[j] += delta / stored[j];
      m.squares[j] += delta * (x - m.mean[j]);
      m.low[j] = std::min(m.low[j], x);
      m.high[j] = std::max(m.high[j], x);
    }
  const double n = double(X.rows());
  for (Index j = 0; j < d; ++j) {
    m.squares[j] += m.mean[j] * m.mean[j] * stored[j] * ((n - stored[j]) / n);
    m.mean[j] *= stored[j] / n;
    if (stored[j] < n) m.low[j] = std::min(m.low[j], 0.0), m.high[j] = std::max(m.high[j], 0.0);
  }
  return m;
}

// Of a column whose squares underflow.
double small_deviation(const Dataset& data, Index j, double mean, double largest) {
  double sum = 0;
  const auto add = [&](double x) { sum += (x - mean) / largest * ((x - mean) / largest); };
  if (data.sparse()) {
    Index stored = 0;
    const auto& X = std::get<SparseRows>(data.samples);
    for (Index i = 0; i < X.rows(); ++i)
      for (SparseRows::InnerIterator it(X, i); it; ++it)
        if (it.col() == j) add(it.value()), ++stored;
    for (; stored < X.rows(); ++stored) add(0);
  } else if (data.stored()) {
    for_each_block(std::get<StoredRows>(data.samples), [&](Index, const RowMatrix& block) {
      for (Index i = 0; i < block.rows(); ++i) add(block(i, j));
    });
  } else {
    for (Index i = 0; i < data.rows(); ++i) add(data.dense()(i, j));
  }
  return largest * std::sqrt(sum / double(data.rows()));
}

}  // namespace

ColumnScaling learn_scaling(const Dataset& data, Scaling kind) {
  RunContext one;
  one.threads = 1;
  return learn_scaling(data, kind, one);
}

ColumnScaling learn_scaling(const Dataset& data, Scaling kind, const RunContext& context) {
  const Index n = data.rows(), d = data.cols();
  if (n == 0) throw Error(ErrorCode::bad_shape, "no scaling can be learned from data without rows");
  const auto* stored = std::get_if<StoredRows>(&data.samples);
  const ColumnMoments m =
      stored ? moments(*stored, context) : data.visit([&](const auto& X) { return moments(X, context); });
  ColumnScaling scaling{Vector::Zero(d), Vector::Ones(d), {}};
  if (kind != Scaling::none) scaling.mean = m.mean;
  for (Index j = 0; j < d; ++j) {
    double deviation = std::sqrt(m.squares[j] / double(n));
    if (!std::isfinite(deviation) || !std::isfinite(m.mean[j]))
      throw Error(ErrorCode::not_finite,
                  fmt::format("column {} ('{}') has values as large as {}; its deviation overflows", j + 1,
                              std::size_t(j) < data.feature_names.size() ? at(data.feature_names, j) : "",
                              number_text(m.largest(j))));
    constexpr double kUnderflown = 1e-150;
    bool constant = m.high[j] - m.low[j] <= kConstantTolerance * m.largest(j);
    if (!constant && deviation < kUnderflown) deviation = small_deviation(data, j, m.mean[j], m.largest(j));
    constant = constant || !std::isfinite(1 / deviation);
    if (constant) scaling.constant_columns.push_back(j);
    if (kind == Scaling::standard || kind == Scaling::whiten) scaling.factor[j] = constant ? 0.0 : 1.0 / deviation;
  }
  return scaling;
}

Frame row_space(DataView X) {
  Frame frame;
  frame.basis = spanning_basis(X.transpose());
  frame.inverse = frame.basis.transpose();
  frame.orthonormal = true;
  return frame;
}

Frame whitening(DataView X, double shrinkage) {
  const Matrix columns = X;
  return whitening_by(columns.transpose() * columns / double(X.rows()), shrinkage);
}

Frame whitening_by(Matrix covariance, double shrinkage) {
  return whitening_by(symmetric_eigen(std::move(covariance)), shrinkage);
}

Frame whitening_by(const SymmetricEigen& eigen, double shrinkage) {
  constexpr double kNoVariance = 1e-12;
  const double mean = eigen.values.mean();  // that of the diagonal, too
  const Index r = std::max<Index>(1, (eigen.values.array() > kNoVariance * eigen.values[0]).count());
  const Vector shrunk = (1 - shrinkage) * eigen.values.head(r).array() + shrinkage * mean;
  const Vector root = shrunk.cwiseMax(1e-300).cwiseSqrt();
  const auto vectors = eigen.vectors.leftCols(r);
  return {vectors * root.cwiseInverse().asDiagonal(), root.asDiagonal() * vectors.transpose(), false};
}

namespace {

// Of some rows, from X into `out`, which may be X. Samples::rows_block does the same to stored rows, and must give the
// same bits.
void scale_rows(const ColumnScaling& scaling, const RowsView& X, Range rows, RowMatrix& out) {
  const Eigen::Array<double, 1, Eigen::Dynamic> mean = scaling.mean.transpose(), factor = scaling.factor.transpose();
  for (Index i = rows.begin; i < rows.end; ++i) out.row(i) = (X.row(i).array() - mean) * factor;
}

void require_columns(const ColumnScaling& scaling, Index columns) {
  if (scaling.mean.size() != columns)
    throw Error(ErrorCode::bad_shape,
                fmt::format("the scaling was learned from {} columns; the data has {}", scaling.mean.size(), columns));
}

}  // namespace

void apply_scaling(const ColumnScaling& scaling, RowMatrix& X) {
  require_columns(scaling, X.cols());
  scale_rows(scaling, view_of(X), {0, X.rows()}, X);
}

RowMatrix scaled_rows(const ColumnScaling& scaling, const RowsView& X, const RunContext& context) {
  constexpr Index kRows = 512;
  require_columns(scaling, X.cols());
  RowMatrix out(X.rows(), X.cols());
  for_each_tile(tile_count(X.rows(), kRows), context,
                [&](Index t) { scale_rows(scaling, X, tile_range(X.rows(), kRows, t), out); });
  return out;
}

}  // namespace ritz
