// SPDX-License-Identifier: MIT
#include "linalg/dense/dense.hpp"

#include <lapacke.h>

#include <algorithm>
#include <new>
#include <stdexcept>
#include <string>

#include "ritz/base/error.hpp"
#include "ritz/base/parallel.hpp"

namespace ritz {

namespace {

void require(int info, const char* routine) {
  if (info == LAPACK_WORK_MEMORY_ERROR || info == LAPACK_TRANSPOSE_MEMORY_ERROR) throw std::bad_alloc();
  if (info < 0) throw Error(ErrorCode::not_finite, "a matrix to be decomposed holds a value that is not finite");
  if (info > 0) throw std::runtime_error(std::string("LAPACK ") + routine + " did not converge");
}

// Increasing values, as LAPACK has them; the vectors, if asked for, take A's place.
Vector decomposed(Matrix& A, char vectors) {
  const int n = int(A.rows());
  Vector values(n);
  const SingleThreadedBlas hold;
  if (n > 0) require(LAPACKE_dsyevd(LAPACK_COL_MAJOR, vectors, 'L', n, A.data(), n, values.data()), "dsyevd");
  return values;
}

// Q (m × columns) of Householder's QR of the first `factored` columns.
void orthogonal_factor(Matrix& Q, Index factored) {
  const int m = int(Q.rows()), k = int(factored);
  if (m == 0 || Q.cols() == 0) return;
  const SingleThreadedBlas hold;
  Vector tau(std::max(1, k));
  require(LAPACKE_dgeqrf(LAPACK_COL_MAJOR, m, k, Q.data(), m, tau.data()), "dgeqrf");
  require(LAPACKE_dorgqr(LAPACK_COL_MAJOR, m, int(Q.cols()), k, Q.data(), m, tau.data()), "dorgqr");
}

SingularValues svd_of(Matrix A, char vectors) {
  const Index m = A.rows(), n = A.cols(), r = std::min(m, n);
  const bool all = vectors == 'A';
  SingularValues svd{Matrix::Identity(m, all ? m : r), Matrix(n, all ? n : r), Vector(r)};
  Matrix vt = Matrix::Identity(all ? n : r, n);
  if (r > 0) {
    const SingleThreadedBlas hold;
    require(LAPACKE_dgesdd(LAPACK_COL_MAJOR, vectors, int(m), int(n), A.data(), int(m), svd.values.data(), svd.U.data(),
                           int(m), vt.data(), int(vt.rows())),
            "dgesdd");
  }
  svd.V = vt.transpose();
  return svd;
}

}  // namespace

SymmetricEigen symmetric_eigen(Matrix A) {
  const Vector values = decomposed(A, 'V');
  return {values.reverse(), A.rowwise().reverse()};
}

Vector symmetric_values(Matrix A) { return decomposed(A, 'N').reverse(); }

SymFactor positive_part(Matrix A, double relative_tolerance) {
  const SymmetricEigen all = symmetric_eigen(std::move(A));
  const double largest = all.values.size() > 0 ? all.values.cwiseAbs().maxCoeff() : 0.0;
  const Index rank = (all.values.array() > relative_tolerance * std::max(largest, 1e-300)).count();
  return {all.vectors.leftCols(rank), all.values.head(rank)};
}

SymFactor factor_of_product(const RowMatrix& F, double above) {
  const SymmetricEigen small = symmetric_eigen(F.transpose() * F);
  const Index rank = (small.values.array() > above).count();
  const Vector weights = small.values.head(rank);
  return {F * small.vectors.leftCols(rank) * weights.cwiseSqrt().cwiseInverse().asDiagonal(), weights};
}

Cholesky::Cholesky(Matrix A) : factor_(std::move(A)) {
  const SingleThreadedBlas hold;
  const int n = int(factor_.rows());
  definite_ = n == 0 || LAPACKE_dpotrf(LAPACK_COL_MAJOR, 'L', n, factor_.data(), n) == 0;
}

Vector Cholesky::solve(Vector right) const {
  const SingleThreadedBlas hold;
  const int n = int(factor_.rows());
  if (n > 0) LAPACKE_dpotrs(LAPACK_COL_MAJOR, 'L', n, 1, factor_.data(), n, right.data(), n);
  return right;
}

Matrix Cholesky::inverse_root() const {
  const Index n = factor_.rows();
  return factor_.triangularView<Eigen::Lower>().solve(Matrix::Identity(n, n)).transpose();
}

Matrix semidefinite_solve(const Matrix& A, const Matrix& B) { return A.ldlt().solve(B); }

Matrix general_solve(const Matrix& A, const Matrix& B) { return A.partialPivLu().solve(B); }

Matrix spanning_basis(Matrix A) {
  orthogonal_factor(A, A.cols());
  return A;
}

Matrix orthonormal_complement(const Matrix& U) {
  const Index r = U.rows(), k = U.cols();
  Matrix Q = Matrix::Zero(r, r);
  Q.leftCols(k) = U;
  orthogonal_factor(Q, k);
  return Q.rightCols(r - k);
}

SingularValues thin_svd(Matrix A) { return svd_of(std::move(A), 'S'); }
SingularValues full_svd(Matrix A) { return svd_of(std::move(A), 'A'); }

Vector singular_values(Matrix A) {
  const int m = int(A.rows()), n = int(A.cols());
  Vector values(std::min(m, n));
  if (values.size() == 0) return values;
  const SingleThreadedBlas hold;
  double unused = 0;
  require(LAPACKE_dgesdd(LAPACK_COL_MAJOR, 'N', m, n, A.data(), m, values.data(), &unused, 1, &unused, 1), "dgesdd");
  return values;
}

}  // namespace ritz
