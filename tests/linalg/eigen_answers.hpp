// SPDX-License-Identifier: MIT
// An answer of the eigen engine, and what each of them promises.
#pragma once

#include <doctest/doctest.h>

#include <cmath>

#include "linalg/dense/dense.hpp"
#include "linalg/eigen.hpp"
#include "linalg/matrices.hpp"

namespace ritz::testing {

inline RunContext context;

inline EigenPairs solve(EigenMethod method, const OperatorView& op, const EigenRequest& request) {
  return EigenSolver(method)(op, request, context);
}

// What every answer promises, whatever the method.
inline void check_promises(const OperatorView& op, const EigenRequest& request, const EigenPairs& pairs) {
  REQUIRE(pairs.values.size() == pairs.vectors.cols());
  REQUIRE(pairs.vectors.rows() == op.size());
  CHECK(orthonormality_error(pairs.vectors) < 1e-11);
  const double sign = request.end == End::largest ? 1 : -1;
  for (Index j = 1; j < pairs.values.size(); ++j) CHECK(sign * pairs.values(j - 1) >= sign * pairs.values(j));
  Matrix images(pairs.vectors.rows(), pairs.vectors.cols());
  op.apply(pairs.vectors, images);
  const double rounding = 1e-14 * pairs.norm;
  for (Index j = 0; j < pairs.values.size(); ++j) {
    const double residual = (images.col(j) - pairs.values(j) * pairs.vectors.col(j)).norm();
    CHECK(residual <= request.tolerance * pairs.norm + rounding);
    CHECK(residual <= pairs.residual + rounding);
    Index at = 0;
    pairs.vectors.col(j).cwiseAbs().maxCoeff(&at);
    CHECK(pairs.vectors(at, j) > 0);
  }
}

// All eigenvalues by Eigen's own solver, from the asked end inward.
inline Vector reference_values(const Matrix& a, End end = End::largest) {
  const Vector increasing = Eigen::SelfAdjointEigenSolver<Matrix>(a, Eigen::EigenvaluesOnly).eigenvalues();
  return end == End::smallest ? increasing : Vector(increasing.reverse());
}

inline double distance(const Vector& a, const Vector& b) { return (a - b).cwiseAbs().maxCoeff(); }

inline constexpr EigenMethod kGeneral[] = {EigenMethod::dense, EigenMethod::lanczos, EigenMethod::subspace};

}  // namespace ritz::testing
