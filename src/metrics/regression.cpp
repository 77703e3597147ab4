// SPDX-License-Identifier: MIT
#include "metrics/regression.hpp"

#include <algorithm>
#include <cmath>

#include "linalg/dense/dense.hpp"
#include "pairs/neighbours.hpp"
#include "ritz/linalg/products.hpp"

namespace ritz {

namespace {

// Centred copies of both, and where they were centred.
struct Centred {
  Matrix X, Y;
  Eigen::RowVectorXd x_mean, y_mean;
  Centred(DataView train, const RowMatrix& values) : X(train), Y(values) {
    x_mean = X.colwise().mean();
    y_mean = Y.colwise().mean();
    X.rowwise() -= x_mean;
    Y.rowwise() -= y_mean;
  }
  RowMatrix predicted(DataView test, const Matrix& coefficients) const {
    RowMatrix found = (test.rowwise() - x_mean) * coefficients;
    found.rowwise() += y_mean;
    return found;
  }
};

}  // namespace

double explained_variance(const RowMatrix& truth, const RowMatrix& predicted) {
  double sum = 0;
  Index varying = 0;
  for (Index c = 0; c < truth.cols(); ++c) {
    const double total = (truth.col(c).array() - truth.col(c).mean()).square().sum();
    if (!(total > 0)) continue;
    sum += 1 - (truth.col(c) - predicted.col(c)).squaredNorm() / total;
    ++varying;
  }
  return varying > 0 ? sum / double(varying) : kUnknown;
}

RowMatrix knn_means(DataView train, const RowMatrix& values, DataView test, Index k, const RunContext& context) {
  const NeighbourTable nearest = cross_neighbours(test, train, k, context);
  RowMatrix means = RowMatrix::Zero(test.rows(), values.cols());
  for (Index i = 0; i < nearest.queries(); ++i) {
    for (const Index row : nearest.rows_of(i)) means.row(i) += values.row(row);
    means.row(i) /= double(nearest.rows_of(i).size());
  }
  return means;
}

RowMatrix least_squares(DataView train, const RowMatrix& values, DataView test) {
  const Centred all(train, values);
  return all.predicted(test, semidefinite_solve(transposed_product(all.X, all.X), transposed_product(all.X, all.Y)));
}

RowMatrix partial_least_squares(DataView train, const RowMatrix& values, DataView test, Index components) {
  constexpr double kNothingLeft = 1e-12;
  const Centred all(train, values);
  Matrix S = transposed_product(all.X, all.Y);  // d × t, deflated
  const double size = S.norm();
  const Index d = all.X.cols();
  Matrix V(d, 0), coefficients = Matrix::Zero(d, values.cols());
  for (Index a = 0; a < std::min(components, d) && S.norm() > kNothingLeft * size; ++a) {
    Vector r = product(S, symmetric_eigen(transposed_product(S, S)).vectors.leftCols(1)).col(0);
    Vector score = all.X * r;
    const double length = score.norm();
    if (!(length > 0)) break;
    r /= length;
    score /= length;
    Vector v = all.X.transpose() * score;  // the loading, made orthogonal to the earlier ones
    v -= V * (V.transpose() * v);
    const double left = v.norm();
    if (!(left > 0)) break;
    v /= left;
    coefficients += r * (score.transpose() * all.Y);
    V.conservativeResize(d, a + 1);
    V.col(a) = v;
    S -= v * (v.transpose() * S);
  }
  return all.predicted(test, coefficients);
}

}  // namespace ritz
