// SPDX-License-Identifier: MIT
#include "ritz/pairs/backend.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include "model/kernel_list.hpp"
#include "support/pair_problem.hpp"

using namespace ritz;
using namespace ritz::testing;

namespace {

const std::vector<std::string> kKernels = {"linear",
                                           "squared",
                                           "gaussian(sigma=0.8)",
                                           "multiquadric",
                                           "polynomial(degree=3,offset=1)",
                                           "rbf-relative",
                                           "0.7*gaussian(sigma=1)+0.3*polynomial(degree=2)+0.5*rbf-relative"};

Matrix naive(const RowMatrix& A, const KernelSum& a, const RowMatrix& B, const KernelSum& b) {
  Matrix K = Matrix::Zero(A.rows(), B.rows());
  for (Index i = 0; i < A.rows(); ++i)
    for (Index j = 0; j < B.rows(); ++j)
      for (std::size_t t = 0; t < a.size(); ++t) {
        double beta =
            form_of(a[t].kernel) == PairForm::dot ? A.row(i).dot(B.row(j)) : (A.row(i) - B.row(j)).squaredNorm();
        if (a[t].sample_scale) beta *= (*a[t].sample_scale)[std::size_t(i)] * (*b[t].sample_scale)[std::size_t(j)];
        K(i, j) += a[t].weight * std::visit([&](const auto& k) { return k.value(beta); }, *a[t].kernel);
      }
  return K;
}

}  // namespace

TEST_CASE("the rectangular kernel product is the double loop over both sets") {
  for (const std::string& text : kKernels) {
    CAPTURE(text);
    CHECK(rc::check(text, [&] {
      const Index n = *rc::gen::inRange<Index>(0, 300), m = *rc::gen::inRange<Index>(1, 300),
                  d = *rc::gen::inRange<Index>(1, 6), c = *rc::gen::inRange<Index>(1, 4);
      Rng rng(*rc::gen::inRange<std::uint64_t>(0, 1000), "cross");
      const RowMatrix A = rng.normal_matrix(n, d).array() + 2, B = rng.normal_matrix(m, d).array() + 2;
      const RowMatrix in = rng.normal_matrix(m, c);
      KernelSum a = parse_kernel(text), b = a;
      fill_scales(a, n, rng);
      fill_scales(b, m, rng);
      const Samples left(A), right(B);

      const RowMatrix out = cross_kernel_product({left, a}, {right, b}, in, {});

      const Matrix K = naive(A, a, B, b);
      RC_ASSERT((out - K * in).norm() <= 1e-12 * (1 + K.norm()) * (1 + in.norm()));
    }));
  }
}

TEST_CASE("samples against themselves give the pair engine's kernel product, sparse or dense") {
  PairProblem problem = random_problem(500, 6, 6, "0.5*gaussian(sigma=1)+linear", true, 3);
  problem.W = Matrix::Identity(6, 6);
  const RowMatrix in = Rng(1, "in").normal_matrix(500, 4);
  const Samples X(problem.X);
  const auto pass = cpu_backend().pair_pass(X, problem.gamma);
  const RowMatrix expected = pass->kernel_product(problem.W, problem.kernel, in, {});

  const RowMatrix dense = cross_kernel_product({X, problem.kernel}, {X, problem.kernel}, in, {});
  const SparseRows rows = problem.X.sparseView();
  const Samples sparse(rows, Vector::Zero(6), Vector::Ones(6));
  const RowMatrix from_sparse = cross_kernel_product({sparse, problem.kernel}, {sparse, problem.kernel}, in, {});

  CHECK((dense - expected).norm() <= 1e-12 * expected.norm());
  CHECK((from_sparse - expected).norm() <= 1e-12 * expected.norm());
}

TEST_CASE("the rectangular product has the same bits for 1, 2 and 7 threads") {
  Rng rng(1, "threads");
  const RowMatrix A = rng.normal_matrix(700, 3), B = rng.normal_matrix(600, 3), in = rng.normal_matrix(600, 2);
  const Samples left(A), right(B);
  const KernelSum kernel = parse_kernel("gaussian(sigma=1)");
  RunContext context;
  context.threads = 1;
  const RowMatrix one = cross_kernel_product({left, kernel}, {right, kernel}, in, context);
  for (const int threads : {2, 7}) {
    context.threads = threads;
    CHECK((cross_kernel_product({left, kernel}, {right, kernel}, in, context).array() == one.array()).all());
  }
}

TEST_CASE("sizes that do not match are refused") {
  const RowMatrix A = RowMatrix::Zero(3, 2), B = RowMatrix::Zero(4, 3);
  const Samples left(A), right(B);
  const KernelSum kernel = parse_kernel("linear");
  CHECK_THROWS_AS(cross_kernel_product({left, kernel}, {right, kernel}, RowMatrix::Zero(4, 1), {}), Error);
  CHECK_THROWS_AS(cross_kernel_product({left, kernel}, {left, kernel}, RowMatrix::Zero(4, 1), {}), Error);
}
