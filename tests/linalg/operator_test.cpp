// SPDX-License-Identifier: MIT
#include "ritz/linalg/operator.hpp"

#include <doctest/doctest.h>

#include "linalg/matrices.hpp"

using namespace ritz;
using namespace ritz::testing;

namespace {

// What the solvers rely on: symmetry, and a block product that is the products of its columns.
void check_contract(const OperatorView& op, const Matrix& expected) {
  const Index n = op.size();
  REQUIRE(expected.rows() == n);
  const Matrix x = Rng(1, "test.operator").normal_matrix(n, 3), y = Rng(2, "test.operator").normal_matrix(n, 3);
  Matrix ax(n, 3), ay(n, 3), column(n, 1);
  const double scale = 1 + expected.norm();

  op.apply(x, ax);
  op.apply(y, ay);

  CHECK((y.transpose() * ax - ay.transpose() * x).cwiseAbs().maxCoeff() < 1e-12 * scale);
  CHECK((ax - expected * x).cwiseAbs().maxCoeff() < 1e-12 * scale);
  for (Index j = 0; j < 3; ++j) {
    op.apply(x.col(j), column);
    CHECK((column - ax.col(j)).cwiseAbs().maxCoeff() < 1e-12 * scale);
  }
  // Blocks that are part of a larger matrix, with a stride of their own.
  Matrix wide = Matrix::Zero(n + 2, 5), out = Matrix::Constant(n + 2, 5, 7);
  wide.block(1, 1, n, 3) = x;
  op.apply(wide.block(1, 1, n, 3), out.block(1, 1, n, 3));
  CHECK((out.block(1, 1, n, 3) - ax).cwiseAbs().maxCoeff() < 1e-12 * scale);
  CHECK(out.row(0).isConstant(7));
  CHECK(out.col(4).isConstant(7));
  Matrix none(n, 0);
  op.apply(Matrix(n, 0), none);
}

}  // namespace

TEST_CASE("every operator keeps the contract and agrees with its dense matrix") {
  for (const Index n : {1, 2, 17}) {
    CAPTURE(n);
    const Matrix a = random_symmetric(n, 3), b = random_symmetric(n, 4);
    const SymFactor factor{Rng(5, "test").normal_matrix(n, 4), Vector{{1.0, -2.0, 0.5, 0.0}}};
    const Sparse path = path_laplacian(1, n);

    check_contract(DenseOperator{a}, a);
    check_contract(SparseOperator{path}, Matrix(path));
    check_contract(ScaledIdentity{n, -1.5}, -1.5 * Matrix::Identity(n, n));
    check_contract(factor, factor.dense());
    check_contract(hidden(b), b);
  }
}

TEST_CASE("a view finds out what more an operator can do") {
  const DenseOperator dense{random_symmetric(3)};
  const SymFactor factor{Matrix::Identity(3, 1), Vector::Ones(1)};
  const ScaledIdentity identity{3, 1};

  CHECK(OperatorView(dense).dense() == &dense.matrix);
  CHECK(OperatorView(dense).factor() == nullptr);
  CHECK(OperatorView(factor).factor() == &factor);
  CHECK(OperatorView(factor).dense() == nullptr);
  CHECK(OperatorView(identity).dense() == nullptr);
  CHECK(OperatorView(identity).factor() == nullptr);
}

TEST_CASE("the trace of a factor is that of its matrix") {
  const SymFactor factor{Rng(5, "test").normal_matrix(7, 3), Vector{{1.0, -2.0, 0.5}}};

  CHECK(factor.trace() == doctest::Approx(factor.dense().trace()));
}

TEST_CASE("products agree with their definition for every shape") {
  for (const Index rows : {0, 1, 5})
    for (const Index inner : {0, 1, 4})
      for (const Index cols : {0, 1, 3}) {
        const Matrix a = Rng(1, "test.a").normal_matrix(rows, inner), b = Rng(1, "test.b").normal_matrix(inner, cols);
        const Matrix at = a.transpose();
        Matrix rest = Matrix::Ones(rows, cols);
        subtract_product(a, b, rest);

        CHECK((product(a, b) - a.lazyProduct(b)).norm() < 1e-14);
        CHECK((transposed_product(at, b) - a.lazyProduct(b)).norm() < 1e-14);
        CHECK((rest + a.lazyProduct(b) - Matrix::Ones(rows, cols)).norm() < 1e-14);
      }
}
