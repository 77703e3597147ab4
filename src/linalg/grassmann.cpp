// SPDX-License-Identifier: MIT
#include "linalg/grassmann.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "linalg/dense/dense.hpp"
#include "linalg/subspace.hpp"
#include "ritz/base/error.hpp"
#include "ritz/linalg/products.hpp"

namespace ritz {

namespace {

void require_same_shape(BlockIn A, BlockIn B) {
  if (A.rows() != B.rows() || A.cols() != B.cols())
    throw Error(ErrorCode::bad_shape,
                fmt::format("bases of {} x {} and {} x {}: a path joins subspaces of one dimension in one space",
                            A.rows(), A.cols(), B.rows(), B.cols()));
}

}  // namespace

double distance_of_angles(const Vector& angles, SubspaceDistance distance) {
  if (angles.size() == 0) return 0;
  const auto theta = angles.array();
  switch (distance) {
    case SubspaceDistance::asimov:
      return theta.maxCoeff();
    case SubspaceDistance::binet_cauchy: {
      // 1 − Π cos² by log1p: near 0 the product rounds to 1.
      double log_product = 0;
      for (const double angle : angles) log_product += std::log1p(-std::sin(angle) * std::sin(angle));
      return std::sqrt(-std::expm1(log_product));
    }
    case SubspaceDistance::chordal:
      return std::sqrt(theta.sin().square().sum());
    case SubspaceDistance::fubini_study: {
      double log_product = 0;  // of cos²; sin of the result is √(1 − Π cos²)
      for (const double angle : angles) log_product += std::log1p(-std::sin(angle) * std::sin(angle));
      return std::atan2(std::sqrt(-std::expm1(log_product)), std::exp(0.5 * log_product));
    }
    case SubspaceDistance::geodesic:
      return angles.norm();
    case SubspaceDistance::martin: {
      double sum = 0;
      constexpr double kRight = 4 * std::numeric_limits<double>::epsilon();  // cos of π/2 as a double is not 0
      for (const double angle : angles) {
        if (std::cos(angle) <= kRight) return std::numeric_limits<double>::infinity();
        sum -= std::log1p(-std::sin(angle) * std::sin(angle));
      }
      return std::sqrt(sum);
    }
    case SubspaceDistance::procrustes:
      return 2 * std::sqrt((theta / 2).sin().square().sum());
    case SubspaceDistance::projection:
      return std::sin(theta.maxCoeff());
    default:
      return 2 * std::sin(theta.maxCoeff() / 2);
  }
}

double subspace_distance(BlockIn A, BlockIn B, SubspaceDistance distance, ExtraDimensions extra) {
  Vector angles = principal_angles(A, B);
  const Index more = std::abs(A.cols() - B.cols()), shared = angles.size();
  if (extra == ExtraDimensions::right_angles && more > 0) {
    angles.conservativeResize(shared + more);
    angles.tail(more).setConstant(std::numbers::pi / 2);
  }
  return distance_of_angles(angles, distance);
}

double containment_gap(BlockIn A, BlockIn B) {
  if (A.cols() > B.cols()) return 1;
  const Vector angles = principal_angles(A, B);
  return angles.size() > 0 ? std::sin(angles.maxCoeff()) : 0;
}

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
  require_same_shape(A, B);
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

Matrix log_map(BlockIn A, BlockIn B) {
  const Geodesic path = geodesic(A, B);
  // from = A·V: back to A's own basis by Vᵀ.
  return product(path.towards * path.angles.asDiagonal(), transposed_product(path.from, A));
}

Matrix exp_map(BlockIn A, BlockIn H) {
  require_same_shape(A, H);
  const SingularValues svd = thin_svd(H);
  const auto angle = svd.values.array();
  const Matrix moved = product(A, svd.V) * angle.cos().matrix().asDiagonal();
  return orthonormalise(product(moved + svd.U * angle.sin().matrix().asDiagonal(), svd.V.transpose())).basis;
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

KarcherMean karcher_mean(std::span<const Matrix> bases, double tolerance, int max_iterations) {
  for (const Matrix& basis : bases) require_same_shape(bases[0], basis);
  KarcherMean mean;
  const FlagMean start = flag_mean(bases);
  const Index k = bases[0].cols();
  mean.basis = start.basis.cols() >= k ? Matrix(start.basis.leftCols(k)) : bases[0];
  for (; mean.iterations < max_iterations; ++mean.iterations) {
    Matrix sum = Matrix::Zero(mean.basis.rows(), k);
    for (const Matrix& basis : bases) sum += log_map(mean.basis, basis);
    sum /= double(bases.size());
    mean.gradient = sum.norm();
    mean.converged = mean.gradient <= tolerance;
    if (mean.converged) break;
    mean.basis = exp_map(mean.basis, sum);
  }
  return mean;
}

}  // namespace ritz
