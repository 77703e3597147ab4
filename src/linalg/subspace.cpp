// SPDX-License-Identifier: MIT
#include "linalg/subspace.hpp"

#include <algorithm>
#include <cmath>

#include "linalg/dense/dense.hpp"
#include "ritz/base/error.hpp"
#include "ritz/linalg/products.hpp"

namespace ritz {
namespace {

void require_same_rows(BlockIn A, BlockIn B) {
  if (A.rows() != B.rows())
    throw Error(ErrorCode::bad_shape, "two bases with " + std::to_string(A.rows()) + " and " +
                                          std::to_string(B.rows()) + " rows lie in different spaces");
}

// The part of B outside the span of the orthonormal A.
Matrix outside(BlockIn A, BlockIn B) {
  Matrix rest = B;
  subtract_product(A, transposed_product(A, B), rest);
  return rest;
}

}  // namespace

Matrix side_by_side(const Matrix& left, const Matrix& right) {
  Matrix both(left.rows(), left.cols() + right.cols());
  both << left, right;
  return both;
}

void fix_signs(Eigen::Ref<Matrix> columns) {
  if (columns.rows() == 0) return;
  for (Index j = 0; j < columns.cols(); ++j) {
    Index at = 0;
    columns.col(j).cwiseAbs().maxCoeff(&at);
    // Eigen's vectorised maxCoeff promises no order among equals.
    const double largest = std::abs(columns(at, j));
    for (Index i = 0; i < at; ++i)
      if (std::abs(columns(i, j)) == largest) {
        at = i;
        break;
      }
    if (columns(at, j) < 0) columns.col(j) = -columns.col(j);
  }
}

Orthonormalised orthonormalise_against(BlockIn fixed, BlockIn columns, double relative_tolerance) {
  const Index n = columns.rows();
  if (fixed.cols() > 0) require_same_rows(fixed, columns);
  Matrix basis(n, columns.cols());
  Index rank = 0;
  const double largest = columns.cols() > 0 ? columns.colwise().norm().maxCoeff() : 0.0;
  Matrix rest = columns;
  if (fixed.cols() > 0)
    for (int pass = 0; pass < 2; ++pass) subtract_product(fixed, transposed_product(fixed, rest), rest);

  for (Index j = 0; j < columns.cols() && fixed.cols() + rank < n; ++j) {
    auto column = rest.col(j);
    double norm = column.norm();
    // Gram–Schmidt until a pass takes almost nothing off: what cancellation left of the earlier directions is then at
    // rounding level. Twice is enough unless the column nearly vanishes, and those are dropped; the bound is a guard.
    constexpr int kMaxPasses = 4;
    for (int pass = 0; pass < kMaxPasses && norm > relative_tolerance * largest; ++pass) {
      subtract_product(basis.leftCols(rank), transposed_product(basis.leftCols(rank), column), column);
      if (pass > 0 && fixed.cols() > 0) subtract_product(fixed, transposed_product(fixed, column), column);
      const double before = norm;
      norm = column.norm();
      constexpr double kAlmostNothing = 0.7;  // Kahan's and Parlett's 1/√2
      if (pass > 0 && norm > kAlmostNothing * before) break;
    }
    if (!(norm > relative_tolerance * largest)) continue;
    basis.col(rank++) = column / norm;
  }
  basis.conservativeResize(n, rank);
  return {std::move(basis), rank};
}

Orthonormalised orthonormalise(BlockIn columns, double relative_tolerance) {
  return orthonormalise_against(Matrix(columns.rows(), 0), columns, relative_tolerance);
}

Vector principal_angles(BlockIn A, BlockIn B) {
  require_same_rows(A, B);
  if (A.cols() < B.cols()) return principal_angles(B, A);
  const Vector cosine = singular_values(transposed_product(A, B));
  const Vector sine = singular_values(outside(A, B)).reverse();
  Vector angle(B.cols());
  for (Index i = 0; i < angle.size(); ++i)
    angle(i) = cosine(i) * cosine(i) < 0.5 ? std::acos(std::min(1.0, cosine(i))) : std::asin(std::min(1.0, sine(i)));
  return angle;
}

double projector_distance(BlockIn A, BlockIn B) {
  require_same_rows(A, B);
  // ‖AAᵀ − BBᵀ‖² = ‖(I − BBᵀ)A‖² + ‖(I − AAᵀ)B‖²; the shorter p + q − 2‖AᵀB‖² would lose half of the digits.
  return std::hypot(outside(B, A).norm(), outside(A, B).norm());
}

double orthonormality_error(BlockIn A) {
  if (A.cols() == 0) return 0;
  return (transposed_product(A, A) - Matrix::Identity(A.cols(), A.cols())).cwiseAbs().maxCoeff();
}

}  // namespace ritz
