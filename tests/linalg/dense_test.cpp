// SPDX-License-Identifier: MIT
#include "linalg/dense/dense.hpp"

#include <doctest/doctest.h>

#include <limits>

#include "linalg/subspace.hpp"
#include "ritz/base/error.hpp"
#include "ritz/base/random.hpp"

using namespace ritz;

namespace {

Matrix drawn(Index rows, Index columns, std::uint64_t seed = 1) {
  return Rng(seed, "dense_test").normal_matrix(rows, columns);
}
Matrix symmetric(Index n) {
  const Matrix A = drawn(n, n);
  return A + A.transpose();
}

}  // namespace

TEST_CASE("symmetric_eigen gives decreasing values and their orthonormal vectors") {
  for (const Index n : {0, 1, 2, 7, 40}) {
    const Matrix A = symmetric(n);

    const auto [values, vectors] = symmetric_eigen(A);

    CHECK((A * vectors - vectors * values.asDiagonal()).norm() <= 1e-12 * (1 + A.norm()));
    CHECK(orthonormality_error(vectors) <= 1e-13);
    for (Index j = 1; j < n; ++j) CHECK(values(j - 1) >= values(j));
    CHECK((symmetric_values(A) - values).norm() <= 1e-12 * (1 + A.norm()));
  }
}

TEST_CASE("the positive part keeps what is above zero, and nothing of a negative matrix") {
  const Matrix A = symmetric(9);
  const auto [values, V] = symmetric_eigen(A);

  CHECK((positive_part(A, 1e-12).dense() - SymFactor{V, values.cwiseMax(0)}.dense()).norm() <= 1e-12 * A.norm());
  CHECK(positive_part(-Matrix::Identity(3, 3), 1e-12).weights.size() == 0);
  CHECK(positive_part(Matrix::Zero(3, 3), 1e-12).weights.size() == 0);
}

TEST_CASE("the factor of a product is the product, with as many columns as its rank") {
  RowMatrix F = drawn(12, 5);
  F.col(4) = F.col(0) - 2 * F.col(1);

  const SymFactor K = factor_of_product(F, 1e-10);

  CHECK(K.weights.size() == 4);
  CHECK((K.dense() - F * F.transpose()).norm() <= 1e-12 * F.squaredNorm());
  CHECK(orthonormality_error(K.basis) <= 1e-10);
}

TEST_CASE("Cholesky solves, and says where a matrix is not positive definite or not finite") {
  const Matrix B = drawn(6, 6), A = B * B.transpose() + Matrix::Identity(6, 6);
  const Vector right = drawn(6, 1, 2);
  Matrix broken = A;
  broken(3, 1) = std::numeric_limits<double>::quiet_NaN();

  const Cholesky factor(A);

  CHECK(factor.definite());
  CHECK((A * factor.solve(right) - right).norm() <= 1e-11 * right.norm());
  CHECK((factor.inverse_root().transpose() * A * factor.inverse_root() - Matrix::Identity(6, 6)).norm() <= 1e-12);
  CHECK_FALSE(Cholesky(-A).definite());
  CHECK_FALSE(Cholesky(broken).definite());
}

TEST_CASE("solvers solve, a singular semidefinite system by the part that has an answer") {
  const Matrix A = drawn(5, 5), B = drawn(5, 2, 2);
  const Matrix low = A.leftCols(3) * A.leftCols(3).transpose(), right = low * B;

  CHECK((A * general_solve(A, B) - B).norm() <= 1e-10);
  CHECK((low * semidefinite_solve(low, right) - right).norm() <= 1e-10);
}

TEST_CASE("spanning bases are orthonormal whatever the rank, and complements complete them") {
  Matrix A = drawn(8, 3);
  const Matrix Q = spanning_basis(A), rest = orthonormal_complement(A);
  CHECK(projector_distance(Q, orthonormalise(A).basis) <= 1e-13);
  CHECK(rest.cols() == 5);
  CHECK((A.transpose() * rest).norm() <= 1e-13 * A.norm());
  CHECK(orthonormality_error(rest) <= 1e-13);
  CHECK(orthonormal_complement(Matrix(4, 0)).cols() == 4);

  A.col(2) = A.col(0);
  CHECK(orthonormality_error(spanning_basis(A)) <= 1e-13);
}

TEST_CASE("singular values come with the vectors asked for, also of wide, tall and empty matrices") {
  for (const auto& [m, n] : {std::pair<Index, Index>{6, 4}, {4, 6}, {3, 0}}) {
    const Matrix A = drawn(m, n);

    const SingularValues thin = thin_svd(A), full = full_svd(A);

    CHECK((thin.U * thin.values.asDiagonal() * thin.V.transpose() - A).norm() <= 1e-13 * (1 + A.norm()));
    CHECK(full.U.cols() == m);
    CHECK(full.V.cols() == n);
    CHECK(orthonormality_error(full.U) <= 1e-13);
    CHECK((singular_values(A) - thin.values).norm() <= 1e-12);
  }
}

TEST_CASE("a matrix with a value that is not finite is refused") {
  Matrix A = symmetric(4);
  A(2, 1) = std::numeric_limits<double>::quiet_NaN();
  CHECK_THROWS_AS(symmetric_eigen(A), Error);
  CHECK_THROWS_AS(singular_values(A), Error);
  CHECK_THROWS_AS(spanning_basis(A), Error);
}
