// SPDX-License-Identifier: MIT
#include "linalg/sparse_sum.hpp"

#include <doctest/doctest.h>

#include "linalg/random_sparse.hpp"

using namespace ritz;
using namespace ritz::testing;

namespace {

constexpr Index kRows = 301;  // three tiles of rows, the last one short

// The sum written out on its own.
Matrix written_out(const SparseSum& A) {
  Matrix dense = Matrix::Zero(A.size(), A.size());
  for (Index i = 0; i < A.size(); ++i) {
    for (SparseRows::InnerIterator it(A.sparse, i); it; ++it) dense(i, it.col()) += it.value();
    dense(i, i) += A.identity;
  }
  for (Index c = 0; c < A.factor.basis.cols(); ++c)
    dense += A.factor.weights(c) * A.factor.basis.col(c) * A.factor.basis.col(c).transpose();
  return dense;
}

std::vector<SparseSum> kinds(Index n) {
  const SparseRows S = random_sparse(n, 9, 1);
  return {{S, {}, 0},
          {S, {}, -1.5},
          {S, random_factor(n, 3, 2), 0},
          {S, random_factor(n, 1, 3), 0.25},
          {SparseRows(n, n), random_factor(n, 2, 4), 0},
          {SparseRows(n, n), {}, 2}};
}

}  // namespace

TEST_CASE("a panel's product is that of the dense matrix for every width and kind") {
  for (const SparseSum& A : kinds(kRows)) {
    const Matrix dense = written_out(A);
    const bool every = A.sparse.nonZeros() > 0 && A.identity == 0 && A.factor.basis.cols() == 0;
    for (Index width = 1; width <= 70; width += every ? 1 : 23) {
      CAPTURE(width);
      const RowMatrix in = Rng(7, "test.panel", std::uint64_t(width)).normal_matrix(kRows, width);
      RowMatrix out;

      RunContext alone;
      alone.threads = 1;

      A.apply_rows(in, out, alone);

      CHECK((out - dense * in).cwiseAbs().maxCoeff() <= 1e-12 * (1 + dense.norm()));
    }
  }
}

TEST_CASE("a panel's product has the same bits for any number of threads") {
  for (const SparseSum& A : kinds(kRows))
    for (const Index width : {1, 7, 8, 33, 70}) {
      CAPTURE(width);
      const RowMatrix in = Rng(8, "test.panel").normal_matrix(kRows, width);
      RunContext context;
      context.threads = 1;
      RowMatrix one, many;
      A.apply_rows(in, one, context);
      for (const int threads : {2, 7}) {
        context.threads = threads;
        A.apply_rows(in, many, context);
        CHECK((one.array() == many.array()).all());
      }
    }
}

TEST_CASE("a sum's operator, trace, norm and entries are those of the dense matrix") {
  for (const Index n : {Index(1), Index(2), Index(40)})
    for (const SparseSum& A : kinds(n)) {
      const Matrix dense = written_out(A);
      const double scale = 1 + dense.norm();
      const Matrix in = Rng(9, "test.panel").normal_matrix(n, 3);
      Matrix out(n, 3);

      A.apply(in, out);

      CHECK((out - dense * in).cwiseAbs().maxCoeff() <= 1e-12 * scale);
      CHECK((A.dense() - dense).cwiseAbs().maxCoeff() <= 1e-13 * scale);
      CHECK(A.trace() == doctest::Approx(dense.trace()).epsilon(1e-12).scale(scale));
      CHECK(A.squared_norm() == doctest::Approx(dense.squaredNorm()).epsilon(1e-12));
      for (Index i = 0; i < n; ++i)
        for (Index j = 0; j < n; ++j) CHECK(std::abs(A.entry(i, j) - dense(i, j)) <= 1e-13 * scale);
    }
}

TEST_CASE("a matrix without entries or a panel without columns is no special case") {
  const SparseSum zero{SparseRows(5, 5), {}, 0};
  RowMatrix out = RowMatrix::Constant(1, 1, 7);

  zero.apply_rows(RowMatrix::Ones(5, 2), out, {});
  CHECK(out.isZero(0));
  CHECK(out.rows() == 5);
  CHECK(zero.squared_norm() == 0);

  zero.apply_rows(RowMatrix(5, 0), out, {});
  CHECK(out.cols() == 0);
}
