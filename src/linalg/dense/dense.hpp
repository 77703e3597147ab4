// SPDX-License-Identifier: MIT
// Decompositions of small dense matrices: the only place that calls LAPACK and Eigen's own decompositions, the eigen
// engine's tridiagonal form and Householder vectors apart. Compiled once, on one thread each, so that results do not
// depend on the number of threads. A matrix that holds a value which is not finite is refused (not_finite), except
// where it says otherwise.
#pragma once

#include "ritz/base/types.hpp"
#include "ritz/linalg/products.hpp"

namespace ritz {

struct SymmetricEigen {
  Vector values;   // decreasing
  Matrix vectors;  // orthonormal columns, in the order of the values
};
// Of a symmetric matrix, of which the lower triangle is read.
SymmetricEigen symmetric_eigen(Matrix A);
Vector symmetric_values(Matrix A);
// The eigenpairs of A whose values exceed `relative_tolerance` times the largest magnitude.
SymFactor positive_part(Matrix A, double relative_tolerance);
// FFᵀ by its eigenpairs whose values exceed `above`, from the small FᵀF.
SymFactor factor_of_product(const RowMatrix& F, double above);

// A = LLᵀ of a positive definite matrix, of which the lower triangle is read.
class Cholesky {
 public:
  Cholesky() = default;
  explicit Cholesky(Matrix A);
  // False where A is not positive definite, or not finite: then there is nothing to solve with.
  bool definite() const { return definite_; }
  Vector solve(Vector right) const;
  auto diagonal() const { return factor_.diagonal(); }  // of L
  Matrix inverse_root() const;                          // L⁻ᵀ

 private:
  Matrix factor_;
  bool definite_ = true;
};

// The solution of AX = B for a symmetric, positive semidefinite A, of which the lower triangle is read; directions in
// which A is zero get none of it.
Matrix semidefinite_solve(const Matrix& A, const Matrix& B);
// The solution of AX = B for a square A, by elimination with partial pivoting.
Matrix general_solve(const Matrix& A, const Matrix& B);

// Orthonormal columns whose span holds that of A (m × n, n ≤ m): Householder's QR, n of them also where A has a lower
// rank.
Matrix spanning_basis(Matrix A);
// An orthonormal basis, r × (r − k), of what is orthogonal to the columns of U, r × k and of full rank.
Matrix orthonormal_complement(const Matrix& U);

struct SingularValues {
  Matrix U, V;
  Vector values;  // decreasing
};
SingularValues thin_svd(Matrix A);  // min(m, n) columns in U and V
SingularValues full_svd(Matrix A);  // square U and V
Vector singular_values(Matrix A);

}  // namespace ritz
