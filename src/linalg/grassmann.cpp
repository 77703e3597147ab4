// SPDX-License-Identifier: MIT
#include "linalg/grassmann.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "linalg/dense/dense.hpp"
#include "linalg/subspace.hpp"
#include "ritz/base/error.hpp"
#include "ritz/linalg/products.hpp"

namespace ritz {

Matrix nearest_of_same_dimension(BlockIn U, BlockIn X) {
  const Index k = U.cols(), p = X.cols();
  const SingularValues svd = full_svd(transposed_product(U, X));
  Matrix nearest(U.rows(), k);
  const Index shared = std::min(k, p);
  nearest.leftCols(shared) = product(X, svd.V.leftCols(shared));
  if (p < k) nearest.rightCols(k - p) = product(U, svd.U.rightCols(k - p));
  // The columns from U are orthogonal to those of X only where every angle is below π/2; else to rounding of that.
  return orthonormalise(nearest).rank == k ? orthonormalise(nearest).basis : Matrix(U);
}

Matrix Geodesic::at(double t) const {
  const Vector angle = t * angles;
  return from * angle.array().cos().matrix().asDiagonal() + towards * angle.array().sin().matrix().asDiagonal();
}

Geodesic geodesic(BlockIn A, BlockIn B) {
  if (A.rows() != B.rows() || A.cols() != B.cols())
    throw Error(ErrorCode::bad_shape,
                fmt::format("bases of {} x {} and {} x {}: a path joins subspaces of one dimension in one space",
                            A.rows(), A.cols(), B.rows(), B.cols()));
  const SingularValues svd = thin_svd(transposed_product(A, B));
  Geodesic path{product(A, svd.U), product(B, svd.V), Vector(A.cols())};
  // What is left of a principal vector of B without its part in A is sin θ long; the arc tangent is accurate at both
  // ends, where arcsin or arccos alone loses half of the digits.
  subtract_product(A, transposed_product(A, path.towards), path.towards);
  for (Index i = 0; i < path.angles.size(); ++i) {
    const double sine = path.towards.col(i).norm();
    path.angles(i) = std::atan2(sine, svd.values(i));
    if (sine > 0) path.towards.col(i) /= sine;
  }
  return path;
}

FlagMean flag_mean(std::span<const Matrix> bases, const Vector& weights) {
  if (bases.empty()) throw Error(ErrorCode::bad_data, "no subspaces: there is no mean");
  Index columns = 0;
  for (const Matrix& basis : bases) {
    columns += basis.cols();
    if (basis.rows() != bases[0].rows())
      throw Error(ErrorCode::bad_shape,
                  fmt::format("bases with {} and {} rows lie in different spaces", bases[0].rows(), basis.rows()));
  }
  if (weights.size() != 0 && weights.size() != Index(bases.size()))
    throw Error(ErrorCode::bad_shape, fmt::format("{} weights for {} subspaces", weights.size(), bases.size()));
  Matrix all(bases[0].rows(), columns);
  Index column = 0;
  for (std::size_t i = 0; i < bases.size(); ++i) {
    const double weight = weights.size() > 0 ? weights(Index(i)) : 1.0 / double(bases.size());
    all.middleCols(column, bases[i].cols()) = std::sqrt(weight) * bases[i];
    column += bases[i].cols();
  }
  SingularValues svd = thin_svd(std::move(all));
  constexpr double kRank = 1e-12;
  Index rank = 0;
  while (rank < svd.values.size() && svd.values(rank) > kRank * svd.values(0)) ++rank;
  Matrix basis = svd.U.leftCols(rank);
  fix_signs(basis);
  return {std::move(basis), svd.values.head(rank).cwiseAbs2()};
}

}  // namespace ritz
