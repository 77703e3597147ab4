// SPDX-License-Identifier: MIT
#include "linalg/pivoted_cholesky.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <cmath>
#include <set>

#include "ritz/base/error.hpp"
#include "ritz/base/random.hpp"

using namespace ritz;

namespace {

PsdColumns columns_of(const Matrix& G) {
  return {G.diagonal(), [&G](Range rows, const std::vector<Index>& columns, double* out, Index stride) {
            for (Index i = rows.begin; i < rows.end; ++i)
              for (std::size_t k = 0; k < columns.size(); ++k)
                out[(i - rows.begin) * stride + Index(k)] = G(i, columns[k]);
          }};
}

Matrix gaussian_matrix(const Matrix& Z, double rate) {
  Matrix G(Z.rows(), Z.rows());
  for (Index i = 0; i < Z.rows(); ++i)
    for (Index j = 0; j < Z.rows(); ++j) G(i, j) = std::exp(-rate * (Z.row(i) - Z.row(j)).squaredNorm());
  return G;
}

// A Gaussian kernel, a Gram matrix of low rank, or a badly scaled one, with points that occur twice.
Matrix any_psd_matrix() {
  Rng rng(*rc::gen::inRange<std::uint64_t>(0, 1000000), "matrix");
  const Index n = *rc::gen::weightedOneOf<Index>(
      {{4, rc::gen::inRange<Index>(1, 60)}, {1, rc::gen::element<Index>(200, 512, 513, 600)}});
  Matrix Z = rng.normal_matrix(n, *rc::gen::inRange<Index>(1, 6));
  for (Index i = 0; i + 1 < n; i += 7) Z.row(i + 1) = Z.row(i);
  switch (*rc::gen::inRange(0, 3)) {
    case 0:
      return gaussian_matrix(Z, *rc::gen::element(1e-3, 0.1, 10.0));
    case 1:
      return Z * Z.transpose();
    default: {
      for (Index i = 0; i < n; ++i) Z.row(i) *= std::pow(10.0, -double(i % 5));
      return Z * Z.transpose() + Matrix(Z.rowwise().squaredNorm().asDiagonal());
    }
  }
}

}  // namespace

TEST_CASE("what the factor leaves is positive semidefinite and its diagonal and trace are those reported") {
  CHECK(rc::check([] {
    const Matrix G = any_psd_matrix();
    const double share = *rc::gen::element(0.5, 1e-2, 1e-5, 1e-9);
    const RunContext context;

    const PivotedCholesky result = pivoted_cholesky(columns_of(G), {.trace = share * G.trace()}, context);

    const Matrix R = G - result.factor * result.factor.transpose();
    const double rounding = 1e-12 * G.diagonal().maxCoeff();
    RC_ASSERT(result.reached);
    RC_ASSERT(result.trace <= share * G.trace());
    RC_ASSERT((R.diagonal() - result.residual).cwiseAbs().maxCoeff() <= rounding);
    RC_ASSERT(std::abs(R.trace() - result.trace) <= double(G.rows()) * rounding);
    RC_ASSERT(Eigen::SelfAdjointEigenSolver<Matrix>(0.5 * (R + R.transpose())).eigenvalues().minCoeff() >=
              -double(G.rows()) * rounding);
    RC_ASSERT(result.factor.cols() == Index(result.pivots.size()));
    RC_ASSERT(std::set<Index>(result.pivots.begin(), result.pivots.end()).size() == result.pivots.size());
  }));
}

TEST_CASE("a matrix of rank r is exhausted by r columns") {
  CHECK(rc::check([] {
    Rng rng(*rc::gen::inRange<std::uint64_t>(0, 1000000), "matrix");
    const Index n = *rc::gen::inRange<Index>(1, 300), r = *rc::gen::inRange<Index>(1, std::min<Index>(n, 150) + 1);
    const Matrix Z = rng.normal_matrix(n, r), G = Z * Z.transpose();
    const RunContext context;

    const PivotedCholesky result = pivoted_cholesky(columns_of(G), {.trace = 1e-10 * G.trace()}, context);

    RC_ASSERT(result.reached);
    RC_ASSERT(result.factor.cols() <= r);
    RC_ASSERT((result.factor * result.factor.transpose() - G).norm() <= 1e-9 * G.norm());
  }));
}

TEST_CASE("the trace left is within a small factor of the best that any factor of twice its columns leaves") {
  const Matrix G = gaussian_matrix(Rng(3, "points").normal_matrix(700, 3), 0.2);
  const Vector values = Eigen::SelfAdjointEigenSolver<Matrix>(G).eigenvalues();  // increasing
  const RunContext context;

  for (const double share : {1e-2, 1e-4, 1e-6}) {
    const PivotedCholesky result = pivoted_cholesky(columns_of(G), {.trace = share * G.trace()}, context);
    Index best = 0;  // columns that the truncated spectral decomposition needs
    for (double tail = G.trace(); tail > share * G.trace(); ++best) tail -= values[values.size() - 1 - best];
    CHECK(result.factor.cols() <= 2 * best + 64);
  }
}

TEST_CASE("limits on the rank, warm starts and the tests between blocks are obeyed") {
  const Matrix G = gaussian_matrix(Rng(5, "points").normal_matrix(400, 4), 0.3);
  const RunContext context;
  const PsdColumns columns = columns_of(G);

  const PivotedCholesky limited = pivoted_cholesky(columns, {.max_rank = 70}, context);
  const PivotedCholesky cold = pivoted_cholesky(columns, {.trace = 1e-3}, context);
  const PivotedCholesky warm = pivoted_cholesky(columns, {.trace = 1e-3, .first = cold.pivots}, context);
  const auto after_100 = [](const CholeskyProgress& now) { return now.rank >= 100; };
  const PivotedCholesky enough = pivoted_cholesky(columns, {.enough = after_100}, context);
  const PivotedCholesky given_up = pivoted_cholesky(columns, {.give_up = after_100}, context);

  CHECK(limited.factor.cols() == 70);
  CHECK_FALSE(limited.reached);
  CHECK(warm.reached);
  CHECK(std::set<Index>(warm.pivots.begin(), warm.pivots.end()) ==
        std::set<Index>(cold.pivots.begin(), cold.pivots.end()));
  CHECK(enough.reached);
  CHECK_FALSE(given_up.reached);
  CHECK(enough.factor.cols() >= 100);
  CHECK((enough.factor.array() == given_up.factor.array()).all());
}

TEST_CASE("the new columns shown between blocks are those of the factor") {
  const Matrix G = gaussian_matrix(Rng(5, "points").normal_matrix(400, 4), 0.3);
  Matrix seen(400, 0);

  const PivotedCholesky result = pivoted_cholesky(columns_of(G),
                                                  {.trace = 1e-3,
                                                   .give_up =
                                                       [&](const CholeskyProgress& now) {
                                                         seen.conservativeResize(Eigen::NoChange, now.rank);
                                                         seen.rightCols(now.new_columns.cols()) = now.new_columns;
                                                         CHECK(now.trace == now.residual.sum());
                                                         return false;
                                                       }},
                                                  RunContext{});

  REQUIRE(seen.cols() > 0);
  CHECK(seen == Matrix(result.factor.leftCols(seen.cols())));
}

TEST_CASE("a pivoted Cholesky factor has the same bits for any number of threads") {
  const Matrix G = gaussian_matrix(Rng(5, "points").normal_matrix(1500, 4), 0.3);
  RunContext one, seven;
  one.threads = 1;
  seven.threads = 7;

  const PivotedCholesky a = pivoted_cholesky(columns_of(G), {.trace = 1e-2}, one),
                        b = pivoted_cholesky(columns_of(G), {.trace = 1e-2}, seven);

  CHECK(a.pivots == b.pivots);
  CHECK((a.factor.array() == b.factor.array()).all());
  CHECK(a.trace == b.trace);
}

TEST_CASE("a zero matrix and an empty one need no columns, and values that are not finite are refused") {
  const Matrix zero = Matrix::Zero(5, 5), empty(0, 0);
  Matrix broken = Matrix::Identity(5, 5);
  broken(3, 1) = broken(1, 3) = std::nan("");

  CHECK(pivoted_cholesky(columns_of(zero), {}, RunContext{}).factor.cols() == 0);
  CHECK(pivoted_cholesky(columns_of(empty), {}, RunContext{}).reached);
  CHECK_THROWS_AS(pivoted_cholesky(columns_of(broken), {}, RunContext{}), Error);
}
