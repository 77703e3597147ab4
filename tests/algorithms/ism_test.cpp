// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>
#include <rapidcheck.h>

#include "support/ism_problem.hpp"

using namespace ritz;
using namespace ritz::testing;

namespace {

ism::Result solve(Owned& owned, Index q, int threads = 2, int max_iterations = 300,
                  Effort curvature = Effort::automatic) {
  RunContext context;
  context.threads = threads;
  return ism::solve(owned.problem, {.dimension = q, .max_iterations = max_iterations, .curvature = curvature}, context);
}

}  // namespace

TEST_CASE("F never falls, W is orthonormal and the certificate is that of an independent double loop") {
  for (const std::string& kernel : kKernels) {
    CAPTURE(kernel);
    CHECK(rc::check(kernel, [&] {
      const Index n = *rc::gen::inRange<Index>(10, 40), d = *rc::gen::inRange<Index>(2, 7);
      const Index q = *rc::gen::inRange<Index>(1, d + 1);
      Owned owned(
          random_problem(n, d, q, kernel, *rc::gen::arbitrary<bool>(), *rc::gen::inRange<std::uint64_t>(0, 10000)));

      const ism::Result result = solve(owned, q);

      const Trace& trace = result.summary.trace;
      for (std::size_t r = 1; r < trace.rows(); ++r)
        RC_ASSERT(trace.at(r, 1) >= trace.at(r - 1, 1) - 1e-12 * std::abs(trace.at(r - 1, 1)));
      RC_ASSERT((result.W.transpose() * result.W - Matrix::Identity(q, q)).norm() <= 1e-10);
      PairProblem naive = owned.pairs;
      naive.W = result.W;
      const NaiveSums sums = naive_sums(naive);
      RC_ASSERT(std::abs(sums.objective - result.certificate.objective) <= 1e-10 * sums.size);
      const Matrix image = sums.phi * result.W;
      const double residual = (image - result.W * (result.W.transpose() * image)).norm();
      const double norm = Eigen::SelfAdjointEigenSolver<Matrix>(sums.phi).eigenvalues().cwiseAbs().maxCoeff();
      RC_ASSERT(std::abs(residual / norm - result.certificate.first_order) <= 1e-6);
      if (result.summary.converged()) RC_ASSERT(residual <= 2e-6 * norm + 1e-12 * sums.phi_size);
    }));
  }
}

TEST_CASE("the curvature is the largest eigenvalue of the Hessian by finite differences along geodesics") {
  for (const std::string& kernel : kKernels) {
    CAPTURE(kernel);
    Owned owned(random_problem(25, 4, 2, kernel, true, 17));
    const ism::Result result = solve(owned, 2);
    const RunContext context;
    auto pass = cpu_backend().pair_pass(owned.X, owned.pairs.gamma);
    const Matrix basis = Eigen::HouseholderQR<Matrix>(result.W).householderQ() * Matrix::Identity(4, 4);
    const Matrix outside = basis.rightCols(2);

    // F along W·cos + E·sin of a tangent E = W⊥B; mixed second differences over a basis of the tangent space.
    const auto at = [&](const Matrix& E) {
      const Eigen::JacobiSVD<Matrix> svd(E, Eigen::ComputeThinU | Eigen::ComputeThinV);
      const Vector angle = svd.singularValues();
      const Matrix cosine = angle.array().cos().matrix().asDiagonal(), sine = angle.array().sin().matrix().asDiagonal();
      const Matrix W = result.W * svd.matrixV() * cosine * svd.matrixV().transpose() +
                       svd.matrixU() * sine * svd.matrixV().transpose();
      return pass->objective(W, owned.pairs.kernel, context);
    };
    const auto tangent = [&](Index t) {
      Matrix B = Matrix::Zero(2, 2);
      B(t % 2, t / 2) = 1;
      return Matrix(outside * B);
    };
    const double h = 1e-3, centre = at(Matrix::Zero(4, 2));
    Matrix hessian(4, 4);
    for (Index a = 0; a < 4; ++a)
      for (Index b = 0; b < 4; ++b)
        hessian(a, b) = (at(h * (tangent(a) + tangent(b))) - at(h * (tangent(a) - tangent(b))) -
                         at(h * (tangent(b) - tangent(a))) + at(-h * (tangent(a) + tangent(b)))) /
                        (4 * h * h);
    const Eigen::SelfAdjointEigenSolver<Matrix> values(0.5 * (hessian + hessian.transpose()));

    const double scale = values.eigenvalues().cwiseAbs().maxCoeff() + std::abs(centre);
    CHECK(std::abs(result.certificate.curvature - values.eigenvalues().maxCoeff()) <= 1e-4 * scale);
  }
}

TEST_CASE("the linear kernel needs one step and spans the class means") {
  Owned owned(random_problem(60, 5, 2, "linear", true, 3));

  const ism::Result result = solve(owned, 2);

  CHECK(result.summary.iterations == 1);
  CHECK(result.summary.converged());
  const Matrix phi = owned.pairs.X.transpose() * owned.pairs.gamma.factor.dense() * owned.pairs.X;
  const Eigen::SelfAdjointEigenSolver<Matrix> all(phi);
  CHECK(result.summary.objective == doctest::Approx(all.eigenvalues().tail(2).sum()));
}

TEST_CASE("missing start columns are filled by principal axes, the same way every time") {
  // Two classes give Φ rank 1, so the second column is our choice: the leading principal axis outside the first.
  PairProblem pairs = random_problem(80, 5, 2, "linear", true, 4);
  Rng rng(1, "two");
  pairs.gamma = supervised_gamma(random_labels(80, 2, rng));
  pairs.X.rowwise() -= pairs.X.colwise().mean().eval();
  Owned owned(pairs);

  const ism::Result result = solve(owned, 2);

  const Vector first = result.W.col(0);
  const Matrix outside = Matrix::Identity(5, 5) - first * first.transpose();
  const Matrix covariance = outside * pairs.X.transpose() * pairs.X * outside;
  const Vector axis = Eigen::SelfAdjointEigenSolver<Matrix>(covariance).eigenvectors().col(4);
  CHECK(std::abs(axis.dot(result.W.col(1))) == doctest::Approx(1).epsilon(1e-6));
}

TEST_CASE("the result has the same bits for 1, 2 and 7 threads") {
  for (const std::string kernel : {"gaussian(sigma=0.8)", "polynomial(degree=3,offset=1)", "rbf-relative"}) {
    CAPTURE(kernel);
    Owned owned(random_problem(700, 6, 2, kernel, true, 9));
    const ism::Result one = solve(owned, 2, 1, 20, Effort::always);
    for (const int threads : {2, 7}) {
      const ism::Result many = solve(owned, 2, threads, 20, Effort::always);
      CHECK((many.W.array() == one.W.array()).all());
      CHECK(many.certificate.objective == one.certificate.objective);
      CHECK(many.certificate.curvature == one.certificate.curvature);
    }
  }
}

TEST_CASE("a dimension above the columns is refused with both numbers") {
  Owned owned(random_problem(20, 4, 2, "linear", true, 1));
  CHECK_THROWS_WITH_AS(solve(owned, 5), "the dimension is 5; it must lie in [1, 4] because the data has 4 columns",
                       Error);
}

TEST_CASE("the observer can stop the iteration and the best W so far is returned") {
  Owned owned(random_problem(60, 5, 2, "gaussian(sigma=0.3)", false, 2));
  RunContext context;
  context.observer = [](const Progress& progress) { return progress.iteration == 2 ? Next::stop : Next::go_on; };

  const ism::Result result = ism::solve(owned.problem, {.dimension = 2, .tolerance = 0}, context);

  CHECK(result.summary.termination == Termination::stopped_by_observer);
  CHECK(result.summary.iterations == 2);
  CHECK(result.W.cols() == 2);
}

TEST_CASE("mixed precision ends in double: the same subspace, the same residual asked for, and its error reported") {
  for (const std::string kernel : {"gaussian(sigma=0.8)", "multiquadric", "polynomial(degree=3,offset=1)"}) {
    CAPTURE(kernel);
    Owned owned(random_problem(300, 6, 2, kernel, true, 21));
    RunContext context;
    const ism::Result full = ism::solve(owned.problem, {.dimension = 2, .tolerance = 1e-9}, context);

    const ism::Result mixed = ism::solve(
        owned.problem, {.dimension = 2, .tolerance = 1e-9, .accuracy = {.precision = Precision::mixed}}, context);

    CHECK(mixed.summary.converged());
    CHECK(mixed.certificate.first_order <= 1e-9);
    CHECK(projector_distance(mixed.W, full.W) <= 1e-6);
    CHECK(std::isnan(full.certificate.precision_error));
    const bool tiled = kernel.starts_with("gaussian") || kernel == "multiquadric";
    CHECK(std::isnan(mixed.certificate.precision_error) != tiled);  // exact routes need no single precision
    if (tiled) CHECK(mixed.certificate.precision_error < 1e-5);
    const ism::Certificate checked = ism::certify(owned.problem, mixed.W, Effort::never, context);
    CHECK(checked.objective == doctest::Approx(mixed.certificate.objective).epsilon(1e-13));
  }
}

TEST_CASE("mixed precision that another rule ends still has a certificate in double") {
  Owned owned(random_problem(300, 6, 2, "gaussian(sigma=0.8)", true, 21));
  RunContext context;

  const ism::Result few = ism::solve(
      owned.problem, {.dimension = 2, .max_iterations = 1, .accuracy = {.precision = Precision::mixed}}, context);

  const ism::Certificate checked = ism::certify(owned.problem, few.W, Effort::never, context);
  CHECK(few.summary.termination == Termination::max_iterations);
  CHECK(few.certificate.first_order == doctest::Approx(checked.first_order).epsilon(1e-11));
}
