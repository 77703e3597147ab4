// SPDX-License-Identifier: MIT
#include "ritz/linalg/products.hpp"

#include <algorithm>
#include <cassert>

#include "ritz/base/parallel.hpp"

extern "C" {
// The Fortran names are in every BLAS; cblas is not.
void dgemm_(const char* transpose_a, const char* transpose_b, const int* m, const int* n, const int* k,
            const double* alpha, const double* a, const int* lda, const double* b, const int* ldb, const double* beta,
            double* c, const int* ldc);
void dgemv_(const char* transpose, const int* m, const int* n, const double* alpha, const double* a, const int* lda,
            const double* x, const int* incx, const double* beta, double* y, const int* incy);
}

namespace ritz {
namespace {

enum class Side { plain, transposed };

// out = alpha·op(A)·B + beta·out
void blas_product(Side side, double alpha, BlockIn A, BlockIn B, double beta, BlockOut out) {
  const Index inner = side == Side::plain ? A.cols() : A.rows();
  assert(out.rows() == (side == Side::plain ? A.rows() : A.cols()) && out.cols() == B.cols() && inner == B.rows());
  if (out.size() == 0) return;
  if (inner == 0) {
    if (beta == 0) out.setZero();
    return;
  }
  const SingleThreadedBlas hold;
  const char flag = side == Side::plain ? 'N' : 'T';
  const int lda = int(std::max(A.rows(), A.outerStride()));
  if (B.cols() == 1) {
    const int rows = int(A.rows()), cols = int(A.cols()), one = 1;
    dgemv_(&flag, &rows, &cols, &alpha, A.data(), &lda, B.data(), &one, &beta, out.data(), &one);
    return;
  }
  const char plain = 'N';
  const int m = int(out.rows()), n = int(out.cols()), k = int(inner);
  const int ldb = int(std::max(B.rows(), B.outerStride())), ldc = int(std::max(out.rows(), out.outerStride()));
  dgemm_(&flag, &plain, &m, &n, &k, &alpha, A.data(), &lda, B.data(), &ldb, &beta, out.data(), &ldc);
}

}  // namespace

void multiply(BlockIn A, BlockIn B, BlockOut out) { blas_product(Side::plain, 1, A, B, 0, out); }

void multiply_transposed(BlockIn A, BlockIn B, BlockOut out) { blas_product(Side::transposed, 1, A, B, 0, out); }

void subtract_product(BlockIn A, BlockIn B, BlockOut out) { blas_product(Side::plain, -1, A, B, 1, out); }

Matrix product(BlockIn A, BlockIn B) {
  Matrix out(A.rows(), B.cols());
  multiply(A, B, out);
  return out;
}

Matrix transposed_product(BlockIn A, BlockIn B) {
  Matrix out(A.cols(), B.cols());
  multiply_transposed(A, B, out);
  return out;
}

}  // namespace ritz
