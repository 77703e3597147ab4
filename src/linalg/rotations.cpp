// SPDX-License-Identifier: MIT
#include "ritz/linalg/rotations.hpp"

#include "linalg/subspace.hpp"

#include <cmath>
#include <string>

#include "linalg/dense/dense.hpp"
#include "ritz/base/error.hpp"
#include "ritz/linalg/products.hpp"

namespace ritz {
namespace {

// UVᵀ of the singular vectors of a small square matrix.
Matrix orthogonal_part(const Matrix& M) {
  if (!M.allFinite()) throw Error(ErrorCode::not_finite, "a basis holds a value that is not finite");
  const SingularValues svd = full_svd(M);
  return product(svd.U, svd.V.transpose());
}

// The angle by which the plane (x, y) must be turned for the largest criterion.
double best_angle(const Eigen::Ref<const Vector>& x, const Eigen::Ref<const Vector>& y) {
  if (x.size() == 0) return 0;
  const double n = double(x.size());
  double a = 0, b = 0, c = 0, d = 0;
  for (Index j = 0; j < x.size(); ++j) {
    const double u = x[j] * x[j] - y[j] * y[j], v = 2 * x[j] * y[j];
    a += u;
    b += v;
    c += u * u - v * v;
    d += 2 * u * v;
  }
  const double sine = d - 2 * a * b / n, cosine = c - (a * a - b * b) / n;
  // Nothing to gain: the two columns are alike up to rounding.
  if (std::hypot(sine, cosine) <= 1e-14 * (x.squaredNorm() + y.squaredNorm())) return 0;
  return 0.25 * std::atan2(sine, cosine);
}

void turn(Eigen::Ref<Matrix> columns, Index p, Index r, double angle) {
  const double cosine = std::cos(angle), sine = std::sin(angle);
  const Vector x = columns.col(p);
  columns.col(p) = cosine * x + sine * columns.col(r);
  columns.col(r) = cosine * columns.col(r) - sine * x;
}

}  // namespace

Matrix procrustes_rotation(BlockIn A, BlockIn B) {
  if (A.rows() != B.rows() || A.cols() != B.cols())
    throw Error(ErrorCode::bad_shape, "a rotation from one basis to another needs the same shape of both; received " +
                                          std::to_string(A.rows()) + " × " + std::to_string(A.cols()) + " and " +
                                          std::to_string(B.rows()) + " × " + std::to_string(B.cols()));
  return orthogonal_part(transposed_product(A, B));
}

Orthonormalised nearest_orthonormal(BlockIn M) {
  constexpr double kRankTolerance = 1e-10;
  Orthonormalised frame = orthonormalise(M, kRankTolerance);
  if (frame.rank < M.cols()) return {Matrix(), frame.rank};
  return {product(frame.basis, orthogonal_part(transposed_product(frame.basis, M))), frame.rank};
}

double varimax_criterion(BlockIn loadings) {
  if (loadings.rows() == 0) return 0;
  double sum = 0;
  for (Index a = 0; a < loadings.cols(); ++a) {
    const double mean = loadings.col(a).array().square().mean();
    sum += loadings.col(a).array().pow(4).mean() - mean * mean;
  }
  return sum;
}

VarimaxRotation varimax(BlockIn loadings, RowWeights weights) {
  constexpr int kMostSweeps = 200;
  constexpr double kNoTurn = 1e-9;  // radians
  const Index q = loadings.cols();
  Matrix turned = loadings;
  if (weights == RowWeights::kaiser)
    for (Index j = 0; j < turned.rows(); ++j)
      if (const double length = turned.row(j).norm(); length > 0) turned.row(j) /= length;
  VarimaxRotation found;
  found.rotation = Matrix::Identity(q, q);
  found.criterion_before = varimax_criterion(turned);
  while (!found.converged && found.sweeps < kMostSweeps) {
    ++found.sweeps;
    double largest = 0;
    for (Index p = 0; p < q; ++p)
      for (Index r = p + 1; r < q; ++r) {
        const double angle = best_angle(turned.col(p), turned.col(r));
        turn(turned, p, r, angle);
        turn(found.rotation, p, r, angle);
        largest = std::max(largest, std::abs(angle));
      }
    found.converged = largest <= kNoTurn;
  }
  found.criterion_after = varimax_criterion(turned);
  // Rounding of many turns is taken off before the rotation is used.
  found.rotation = orthogonal_part(found.rotation);
  found.loadings = product(loadings, found.rotation);
  const Matrix unsigned_loadings = found.loadings;
  fix_signs(found.loadings);
  for (Index a = 0; a < q; ++a)
    if (found.loadings.col(a).dot(unsigned_loadings.col(a)) < 0) found.rotation.col(a) *= -1;
  return found;
}

}  // namespace ritz
