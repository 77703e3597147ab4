// SPDX-License-Identifier: MIT
#pragma once

#include "ritz/base/types.hpp"

namespace ritz::detail {

// Throws when a routine of LAPACK reports a failure.
void require_lapack(int info, const char* routine);

// A symmetric matrix reduced to tridiagonal form (LAPACK dsytrd). All eigenvalues come almost for free from it, so the
// number of wanted vectors, the gap behind them and the norm are known exactly before the first vector is computed.
class TridiagonalForm {
 public:
  explicit TridiagonalForm(Matrix a);               // only the lower triangle is read
  const Vector& values() const { return values_; }  // all, increasing
  double norm() const;
  // Orthonormal eigenvectors of values first … first + count − 1.
  Matrix vectors(Index first, Index count) const;

 private:
  // Of the tridiagonal matrix: relatively robust representations for a part of the spectrum, divide and conquer for
  // most of it or where the former fail.
  bool robust_vectors(Index first, Index count, Matrix& z) const;
  Matrix all_vectors() const;

  Matrix reflectors_;
  Vector tau_, diagonal_, beside_, values_;
  double scale_;
};

}  // namespace ritz::detail
