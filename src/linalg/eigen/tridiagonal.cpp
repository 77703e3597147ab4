// SPDX-License-Identifier: MIT
#include "linalg/eigen/tridiagonal.hpp"

#include <lapacke.h>

#include <algorithm>
#include <cmath>
#include <new>
#include <stdexcept>

#include "linalg/subspace.hpp"
#include "ritz/base/error.hpp"
#include "ritz/base/parallel.hpp"

namespace ritz::detail {
namespace {

void require_room(int info) {
  if (info == LAPACK_WORK_MEMORY_ERROR || info == LAPACK_TRANSPOSE_MEMORY_ERROR) throw std::bad_alloc();
}

}  // namespace

void require_lapack(int info, const char* routine) {
  require_room(info);
  if (info != 0) throw std::runtime_error(std::string("LAPACK ") + routine + " failed with " + std::to_string(info));
}

TridiagonalForm::TridiagonalForm(Matrix a) : reflectors_(std::move(a)) {
  const SingleThreadedBlas hold;
  if (!reflectors_.allFinite()) throw Error(ErrorCode::not_finite, "the matrix holds a value that is not finite");
  const int n = int(reflectors_.rows());
  // To the order of one, so that squares inside LAPACK neither overflow nor vanish. A power of two: exact.
  const double largest = reflectors_.cwiseAbs().maxCoeff();
  scale_ = largest > 0 ? std::ldexp(1.0, std::ilogb(largest)) : 1.0;
  reflectors_ /= scale_;
  tau_.setZero(std::max(1, n - 1));
  diagonal_.setZero(n);
  beside_.setZero(n);  // n − 1 are used; dstemr asks for one more
  require_lapack(
      LAPACKE_dsytrd(LAPACK_COL_MAJOR, 'L', n, reflectors_.data(), n, diagonal_.data(), beside_.data(), tau_.data()),
      "dsytrd");
  values_ = diagonal_;
  Vector off = beside_;
  require_lapack(LAPACKE_dsterf(n, values_.data(), off.data()), "dsterf");
  values_ *= scale_;
}

double TridiagonalForm::norm() const { return values_.cwiseAbs().maxCoeff(); }

Matrix TridiagonalForm::vectors(Index first, Index count) const {
  const int n = int(reflectors_.rows());
  if (count == 0) return Matrix(n, 0);
  const SingleThreadedBlas hold;
  // Divide and conquer computes all of them, mostly in matrix products; for a small part of the spectrum that is waste.
  // Where exactly the two cross has not been measured.
  constexpr Index kPartOfSpectrum = 3;
  Matrix z;
  if (kPartOfSpectrum * count > n || !robust_vectors(first, count, z)) z = all_vectors().middleCols(first, count);
  if (n > 1)
    require_lapack(
        LAPACKE_dormtr(LAPACK_COL_MAJOR, 'L', 'L', 'N', n, int(count), reflectors_.data(), n, tau_.data(), z.data(), n),
        "dormtr");
  return z;
}

bool TridiagonalForm::robust_vectors(Index first, Index count, Matrix& z) const {
  const int n = int(reflectors_.rows());
  Vector diagonal = diagonal_, beside = beside_, found(n);
  z.resize(n, count);
  std::vector<int> support(std::size_t(2 * std::max<Index>(1, count)));
  int number = 0;
  lapack_logical try_accuracy = 1;
  const int info =
      LAPACKE_dstemr(LAPACK_COL_MAJOR, 'V', 'I', n, diagonal.data(), beside.data(), 0, 0, int(first) + 1,
                     int(first + count), &number, found.data(), z.data(), n, int(count), support.data(), &try_accuracy);
  require_room(info);  // another way would be taken for it, with other last digits
  // In tight clusters the representations can lose orthogonality, or the vectors themselves; it is cheap to look.
  constexpr double kOrthonormal = 1e-12, kResidual = 1e-12;
  if (info != 0 || number != count || orthonormality_error(z) > kOrthonormal) return false;
  const double size = kResidual * std::max(values_.cwiseAbs().maxCoeff() / scale_, 1e-300);
  for (Index j = 0; j < count; ++j) {
    Vector r = diagonal_.cwiseProduct(z.col(j)) - (values_(first + j) / scale_) * z.col(j);
    r.head(n - 1) += beside_.head(n - 1).cwiseProduct(z.col(j).tail(n - 1));
    r.tail(n - 1) += beside_.head(n - 1).cwiseProduct(z.col(j).head(n - 1));
    if (r.norm() > size) return false;
  }
  return true;
}

Matrix TridiagonalForm::all_vectors() const {
  const int n = int(reflectors_.rows());
  Vector diagonal = diagonal_, beside = beside_;
  Matrix z(n, n);
  require_lapack(LAPACKE_dstedc(LAPACK_COL_MAJOR, 'I', n, diagonal.data(), beside.data(), z.data(), n), "dstedc");
  return z;
}

}  // namespace ritz::detail
