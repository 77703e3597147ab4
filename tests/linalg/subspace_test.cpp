// SPDX-License-Identifier: MIT
#include "linalg/subspace.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <cmath>
#include <numbers>

#include "linalg/matrices.hpp"
#include "ritz/base/error.hpp"

using namespace ritz;
using namespace ritz::testing;

namespace {

constexpr double kRightAngle = std::numbers::pi / 2;

// Two planes in R⁶ with the given principal angles, turned by a random rotation.
std::pair<Matrix, Matrix> planes(double first, double second) {
  Matrix a = Matrix::Zero(6, 2), b = Matrix::Zero(6, 2);
  a(0, 0) = a(1, 1) = 1;
  b.col(0) << std::cos(first), 0, std::sin(first), 0, 0, 0;
  b.col(1) << 0, std::cos(second), 0, std::sin(second), 0, 0;
  const Matrix turn = random_orthonormal(6, 6, 5), mix = random_orthonormal(2, 2, 6);
  return {turn * a * mix, turn * b};
}

Matrix projector_onto(const Matrix& a) { return a * a.transpose(); }

}  // namespace

TEST_CASE("principal angles are accurate at both ends of their range") {
  for (const auto& [small, large] :
       {std::pair{1e-9, kRightAngle - 1e-9}, {0.3, 1.2}, {1e-14, 0.7}, {0.0, kRightAngle}}) {
    const auto [a, b] = planes(small, large);

    const Vector angles = principal_angles(a, b);

    REQUIRE(angles.size() == 2);
    CHECK(std::abs(angles(0) - small) < 2e-15);
    CHECK(std::abs(angles(1) - large) < 2e-15);
  }
}

TEST_CASE("principal angles do not depend on the bases or the order of the two spaces") {
  CHECK(rc::check("invariance and range", [] {
    const Index n = *rc::gen::inRange<Index>(1, 12);
    const Index p = *rc::gen::inRange<Index>(1, n + 1), q = *rc::gen::inRange<Index>(1, n + 1);
    const auto seed = std::uint64_t(*rc::gen::inRange(0, 1000));
    const Matrix a = random_orthonormal(n, p, seed), b = random_orthonormal(n, q, seed + 1);
    const Matrix turned = a * random_orthonormal(p, p, seed + 2);

    const Vector angles = principal_angles(a, b);

    RC_ASSERT(angles.size() == std::min(p, q));
    RC_ASSERT(angles.minCoeff() >= 0);
    RC_ASSERT(angles.maxCoeff() <= kRightAngle);
    RC_ASSERT(std::is_sorted(angles.begin(), angles.end()));
    RC_ASSERT((principal_angles(b, a) - angles).cwiseAbs().maxCoeff() < 1e-13);
    RC_ASSERT((principal_angles(turned, b) - angles).cwiseAbs().maxCoeff() < 1e-13);
    // Dimensions that do not fit beside each other meet in a common subspace.
    for (Index i = 0; i < p + q - n; ++i) RC_ASSERT(angles(i) < 1e-13);
  }));
}

TEST_CASE("the distance of projectors is the Frobenius norm of their difference") {
  const Matrix a = random_orthonormal(9, 4, 1), b = random_orthonormal(9, 2, 2);

  CHECK(projector_distance(a, b) == doctest::Approx((projector_onto(a) - projector_onto(b)).norm()));
  CHECK(projector_distance(a, a * random_orthonormal(4, 4, 3)) < 1e-14);
}

TEST_CASE("the distance of nearly equal projectors keeps its digits") {
  const auto [a, b] = planes(1e-10, 0.0);

  CHECK(projector_distance(a, b) == doctest::Approx(std::sqrt(2.0) * 1e-10).epsilon(1e-5));
}

TEST_CASE("bases in spaces of different dimension are refused") {
  CHECK_THROWS_AS(principal_angles(Matrix::Identity(4, 1), Matrix::Identity(5, 1)), Error);
  CHECK_THROWS_AS(projector_distance(Matrix::Identity(4, 1), Matrix::Identity(5, 1)), Error);
}

TEST_CASE("orthonormalise keeps the nested spans and drops what depends on earlier columns") {
  CHECK(rc::check("spans, rank, orthonormality", [] {
    const Index n = *rc::gen::inRange<Index>(1, 15), rank = *rc::gen::inRange<Index>(0, n + 1);
    const Index columns = rank == 0 ? 3 : *rc::gen::inRange<Index>(rank, rank + 5);
    Rng random(std::uint64_t(*rc::gen::inRange(0, 1000)), "test.orthonormalise");
    // The first `rank` columns are generic, the later ones combinations of them.
    Matrix x(n, columns);
    x.leftCols(rank) = random.normal_matrix(n, rank);
    x.rightCols(columns - rank) = x.leftCols(rank) * random.normal_matrix(rank, columns - rank);

    const Orthonormalised result = orthonormalise(x);

    RC_ASSERT(result.rank == rank);
    RC_ASSERT(result.basis.cols() == rank);
    RC_ASSERT(orthonormality_error(result.basis) < 1e-14);
    for (Index j = 0; j < rank; ++j) {
      const Matrix q = result.basis.leftCols(j + 1);
      RC_ASSERT((x.leftCols(j + 1) - q * (q.transpose() * x.leftCols(j + 1))).norm() < 1e-12 * (1 + x.norm()));
    }
  }));
}

TEST_CASE("orthonormalise stays orthonormal on nearly dependent columns") {
  Matrix x = Rng(1, "test").normal_matrix(50, 1).replicate(1, 4) + 1e-9 * Rng(2, "test").normal_matrix(50, 4);

  const Orthonormalised kept = orthonormalise(x), dropped = orthonormalise(x, 1e-6);

  CHECK(kept.rank == 4);
  CHECK(orthonormality_error(kept.basis) < 1e-14);
  CHECK(dropped.rank == 1);
}

TEST_CASE("orthonormalise judges columns by the largest, not each by itself") {
  Matrix x = Matrix::Identity(5, 2);
  x.col(1) *= 1e-13;

  CHECK(orthonormalise(x).rank == 1);
  CHECK(orthonormalise(x, 1e-14).rank == 2);
}

TEST_CASE("orthonormalise of nothing and of zeros has rank zero") {
  CHECK(orthonormalise(Matrix(4, 0)).rank == 0);
  CHECK(orthonormalise(Matrix::Zero(4, 3)).rank == 0);
  CHECK(orthonormalise(Matrix::Zero(4, 3)).basis.rows() == 4);
}

TEST_CASE("orthonormalise_against leaves the fixed space and drops what lies in it") {
  const Matrix fixed = random_orthonormal(30, 10);
  Matrix x = Rng(4, "test").normal_matrix(30, 5);
  x.col(2) = fixed * Rng(5, "test").normal_matrix(10, 1);
  x.col(4) = fixed.col(3) + 1e-8 * Rng(6, "test").normal_matrix(30, 1);

  const Orthonormalised result = orthonormalise_against(fixed, x);

  CHECK(result.rank == 4);
  CHECK(orthonormality_error(result.basis) < 1e-14);
  CHECK((fixed.transpose() * result.basis).cwiseAbs().maxCoeff() < 1e-14);
}

TEST_CASE("orthonormalise_against finds nothing outside the whole space") {
  CHECK(orthonormalise_against(random_orthonormal(6, 6), Rng(1, "test").normal_matrix(6, 3)).rank == 0);
}

TEST_CASE("fix_signs makes the first entry of largest magnitude positive and changes nothing else") {
  Matrix x(3, 4);
  x << 1, -2, 2, 0,  //
      -3, 2, -2, 0,  //
      2, 1, 1, 0;
  Matrix expected(3, 4);
  expected << -1, 2, 2, 0,  //
      3, -2, -2, 0,         //
      -2, -1, 1, 0;

  fix_signs(x);

  CHECK(x == expected);
}

TEST_CASE("the first of equal magnitudes decides the sign in a long column too") {
  Matrix x = Matrix::Constant(101, 1, 0.1);
  x(0, 0) = -0.1;

  fix_signs(x);

  CHECK(x(0, 0) > 0);
  CHECK(x(1, 0) < 0);
}

TEST_CASE("the orthonormality error is the largest deviation of the Gram matrix") {
  Matrix x = Matrix::Identity(4, 2);
  x(2, 1) = 0.25;

  CHECK(orthonormality_error(x) == doctest::Approx(0.0625));
  CHECK(orthonormality_error(Matrix(4, 0)) == 0);
}
