// SPDX-License-Identifier: MIT
#include "ritz/linalg/rotations.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "linalg/subspace.hpp"
#include "ritz/base/error.hpp"
#include "ritz/base/random.hpp"

using namespace ritz;

namespace {

Matrix random_basis(Index n, Index q, std::uint64_t seed) {
  Rng rng(seed, "rotations test");
  return orthonormalise(rng.normal_matrix(n, q)).basis;
}

}  // namespace

TEST_CASE("the Procrustes rotation undoes a rotation, and no other comes nearer") {
  for (const Index q : {1, 2, 5}) {
    CAPTURE(q);
    const Matrix A = random_basis(12, q, 1), R = random_basis(q, q, 2), other = random_basis(12, q, 3);

    CHECK((procrustes_rotation(A * R, A) - R.transpose()).norm() < 1e-12);
    const Matrix best = procrustes_rotation(A, other);
    CHECK(orthonormality_error(best) < 1e-13);
    const double least = (A * best - other).norm();
    for (std::uint64_t seed = 10; seed < 60; ++seed)
      CHECK((A * random_basis(q, q, seed) - other).norm() >= least - 1e-12);
  }
  CHECK_THROWS_AS(procrustes_rotation(random_basis(5, 2, 1), random_basis(5, 3, 1)), Error);
}

TEST_CASE("the nearest orthonormal matrix is orthonormal, nearest, and keeps rows of zeros") {
  Rng rng(4, "rotations test");
  Matrix M = rng.normal_matrix(9, 3);
  M.row(2).setZero();
  M.row(7).setZero();
  const Orthonormalised found = nearest_orthonormal(M);

  REQUIRE(found.rank == 3);
  CHECK(orthonormality_error(found.basis) < 1e-13);
  CHECK(found.basis.row(2).norm() < 1e-14);
  CHECK(found.basis.row(7).norm() < 1e-14);
  CHECK(projector_distance(found.basis, orthonormalise(M).basis) < 1e-12);
  for (std::uint64_t seed = 10; seed < 60; ++seed)
    CHECK((found.basis * random_basis(3, 3, seed) - M).norm() >= (found.basis - M).norm() - 1e-12);

  M.col(1) = 2 * M.col(0);
  CHECK(nearest_orthonormal(M).rank == 2);
}

TEST_CASE("varimax turns inside the span and no small turn does better") {
  for (const Index q : {1, 2, 3, 6}) {
    for (const RowWeights weights : {RowWeights::as_they_are, RowWeights::kaiser}) {
      CAPTURE(q);
      const Matrix A = random_basis(20, q, 5);
      const VarimaxRotation found = varimax(A, weights);

      CHECK(found.converged);
      CHECK(orthonormality_error(found.rotation) < 1e-13);
      CHECK((A * found.rotation - found.loadings).norm() < 1e-13);
      CHECK(projector_distance(A, found.loadings) < 1e-12);
      CHECK(found.criterion_after >= found.criterion_before);
      if (q > 1) CHECK(found.criterion_after > 1.05 * found.criterion_before);
      Matrix weighted = found.loadings;
      if (weights == RowWeights::kaiser) weighted.rowwise().normalize();
      CHECK(varimax_criterion(weighted) == doctest::Approx(found.criterion_after).epsilon(1e-12));
      Rng rng(6, "rotations test");
      for (int trial = 0; trial < 30 && q > 1; ++trial) {
        Matrix nearly = Matrix::Identity(q, q) + 0.02 * rng.normal_matrix(q, q);
        CHECK(varimax_criterion(weighted * nearest_orthonormal(nearly).basis) <= found.criterion_after + 1e-15);
      }
    }
  }
}

TEST_CASE("varimax finds a basis of few entries again, also from the worst angle") {
  Matrix simple = Matrix::Zero(6, 2);
  simple.col(0).head(3).setConstant(1 / std::sqrt(3.0));
  simple.col(1).tail(3).setConstant(1 / std::sqrt(3.0));
  // At 45° the gradient of the criterion vanishes: it is a minimum.
  Matrix turn(2, 2);
  turn << 1, 1, 1, -1;
  turn /= std::sqrt(2.0);
  const VarimaxRotation found = varimax(simple * turn);

  const Matrix back = procrustes_rotation(found.loadings, simple);
  CHECK((found.loadings.cwiseAbs() - simple * back.transpose().cwiseAbs()).norm() < 1e-12);
  CHECK(found.loadings.cwiseAbs().minCoeff() < 1e-12);
}

TEST_CASE("zero rows, a single column and loadings that are all alike are ordinary inputs") {
  CHECK(varimax(Matrix::Zero(4, 2)).converged);
  CHECK(varimax(Matrix::Zero(4, 2), RowWeights::kaiser).converged);
  CHECK(varimax(Matrix::Identity(3, 3)).loadings.isApprox(Matrix::Identity(3, 3), 1e-12));
  CHECK(varimax(Matrix::Ones(4, 1) * -0.5).loadings.minCoeff() == 0.5);
  CHECK(varimax(Matrix::Zero(0, 2)).loadings.rows() == 0);
  CHECK_THROWS_AS(varimax(Matrix::Constant(2, 2, std::numeric_limits<double>::quiet_NaN())), Error);
}
