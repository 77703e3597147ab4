// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <stdexcept>

#include "support/pair_problem.hpp"

using namespace ritz;
using namespace ritz::testing;

namespace {

const std::vector<std::string>& kernels() {
  static const std::vector<std::string> all = {
      "linear",
      "squared",
      "polynomial(degree=1,offset=0.5)",
      "polynomial(degree=2,offset=0)",
      "polynomial(degree=3,offset=1,scale=0.5)",
      "polynomial(degree=6,offset=0.3)",
      "gaussian(sigma=1.3)",
      "multiquadric(offset=0.7)",
      "rbf-relative",
      "0.7*gaussian(sigma=1.1)+0.3*polynomial(degree=3,offset=1)",
      "0.2*linear+squared+3*multiquadric+0.5*rbf-relative+gaussian(sigma=2)+0.1*polynomial(degree=2)"};
  return all;
}

struct Shape {
  Index n, d, q;
};

// Shapes around the tile's edge, d > n, q = 1 and q = d among them.
Shape random_shape() {
  const Index n = *rc::gen::weightedOneOf<Index>(
      {{6, rc::gen::inRange<Index>(2, 40)}, {1, rc::gen::element<Index>(255, 256, 257, 300, 513)}});
  const Index d = *rc::gen::inRange<Index>(1, n > 100 ? 4 : 12);
  const Index q = *rc::gen::weightedOneOf<Index>(
      {{2, rc::gen::inRange<Index>(1, d + 1)}, {1, rc::gen::just<Index>(1)}, {1, rc::gen::just(d)}});
  return {n, d, q};
}

PairProblem random_problem_of(const std::string& kernel) {
  const Shape shape = random_shape();
  return random_problem(shape.n, shape.d, shape.q, kernel, *rc::gen::arbitrary<bool>(),
                        *rc::gen::inRange<std::uint64_t>(0, 1000000));
}

struct Passed {
  Matrix phi;
  double objective;
};
Passed run_pass(const PairProblem& problem, RouteChoice choice, int threads = 2) {
  const Samples X(problem.X);
  auto pass = cpu_backend().pair_pass(X, problem.gamma);
  pass->force_route(choice);
  RunContext context;
  context.threads = threads;
  const PairSums sums = pass->sums(problem.W, problem.kernel, context);
  return {sums.phi.dense(), sums.objective};
}

}  // namespace

TEST_CASE("tiled sums equal the double loop for every kernel") {
  for (const std::string& kernel : kernels()) {
    CAPTURE(kernel);
    CHECK(rc::check(kernel, [&] {
      const PairProblem problem = random_problem_of(kernel);

      const Passed tiled = run_pass(problem, RouteChoice::tiled);

      const NaiveSums naive = naive_sums(problem);
      RC_ASSERT(std::abs(tiled.objective - naive.objective) <= 1e-12 * naive.size);
      RC_ASSERT((tiled.phi - naive.phi).cwiseAbs().maxCoeff() <= 1e-12 * naive.phi_size);
    }));
  }
}

TEST_CASE("direct routes equal the tiled route for every kernel") {
  for (const std::string& kernel : kernels()) {
    CAPTURE(kernel);
    CHECK(rc::check(kernel, [&] {
      const PairProblem problem = random_problem_of(kernel);

      const Passed tiled = run_pass(problem, RouteChoice::tiled), direct = run_pass(problem, RouteChoice::direct);

      const NaiveSums naive = naive_sums(problem);
      RC_ASSERT(std::abs(tiled.objective - direct.objective) <= 1e-10 * naive.size);
      RC_ASSERT((tiled.phi - direct.phi).cwiseAbs().maxCoeff() <= 1e-10 * naive.phi_size);
    }));
  }
}

TEST_CASE("the gradient of Tr(ΓK) is 2ΦW by finite differences for every kernel and every route") {
  for (const std::string& kernel : kernels())
    for (const RouteChoice choice : {RouteChoice::tiled, RouteChoice::direct}) {
      CAPTURE(kernel);
      CHECK(rc::check(kernel, [&] {
        PairProblem problem = random_problem_of(kernel);
        const Samples X(problem.X);
        auto pass = cpu_backend().pair_pass(X, problem.gamma);
        pass->force_route(choice);
        const RunContext context;
        const Matrix gradient = 2 * pass->sums(problem.W, problem.kernel, context).phi.times(problem.W);
        const Matrix direction = Rng(7, "direction").normal_matrix(problem.W.rows(), problem.W.cols()).normalized();

        // Fourth-order central differences: truncation ~h⁴, rounding ~1e-16/h.
        const double h = 1e-3;
        const auto at = [&](double t) { return pass->objective(problem.W + t * direction, problem.kernel, context); };
        const double difference = (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h);

        const double scale = gradient.norm() + naive_sums(problem).size;
        RC_ASSERT(std::abs(difference - gradient.cwiseProduct(direction).sum()) <= 1e-7 * scale);
      }));
    }
}

TEST_CASE("the curvature product is the derivative of Φ along a direction") {
  for (const std::string& kernel : kernels()) {
    CAPTURE(kernel);
    CHECK(rc::check(kernel, [&] {
      const PairProblem problem = random_problem_of(kernel);
      const Samples X(problem.X);
      auto pass = cpu_backend().pair_pass(X, problem.gamma);
      const RunContext context;
      const Matrix& W = problem.W;
      const Matrix E = Rng(8, "direction").normal_matrix(W.rows(), W.cols()).normalized();

      const Matrix product = pass->curvature_product(W, problem.kernel, E, context);

      // d/dt 2Φ(W + tE)·W at t = 0: what the second derivative adds to 2ΦE.
      const double h = 1e-3;
      const auto at = [&](double t) { return Matrix(2 * pass->sums(W + t * E, problem.kernel, context).phi.times(W)); };
      const Matrix difference = (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h);
      RC_ASSERT((product - difference).norm() <= 1e-7 * (product.norm() + naive_sums(problem).phi_size));
    }));
  }
}

TEST_CASE("the gradient without Φ is Φ times W, with the same objective, on every route") {
  for (const std::string& kernel : kernels())
    for (const RouteChoice choice : {RouteChoice::tiled, RouteChoice::direct}) {
      CAPTURE(kernel);
      CHECK(rc::check(kernel, [&] {
        const PairProblem problem = random_problem_of(kernel);
        const Samples X(problem.X);
        auto pass = cpu_backend().pair_pass(X, problem.gamma);
        pass->force_route(choice);

        const PairGradient gradient = pass->gradient(problem.W, problem.kernel, {});

        const NaiveSums naive = naive_sums(problem);
        RC_ASSERT(std::abs(gradient.objective - naive.objective) <= 1e-10 * naive.size);
        RC_ASSERT((gradient.phi_W - naive.phi * problem.W).cwiseAbs().maxCoeff() <= 1e-10 * naive.phi_size);
      }));
    }
}

TEST_CASE("curvature products of several directions are those of each") {
  for (const std::string& kernel : kernels()) {
    CAPTURE(kernel);
    const PairProblem problem = random_problem(300, 5, 2, kernel, false, 4);
    const Samples X(problem.X);
    auto pass = cpu_backend().pair_pass(X, problem.gamma);
    const Matrix E = Rng(8, "directions").normal_matrix(5, 6);

    const Matrix together = pass->curvature_product(problem.W, problem.kernel, E, {});

    REQUIRE(together.cols() == 6);
    for (Index k = 0; k < 3; ++k) {
      const Matrix alone = pass->curvature_product(problem.W, problem.kernel, E.middleCols(2 * k, 2), {});
      CHECK((together.middleCols(2 * k, 2) - alone).norm() <= 1e-12 * naive_sums(problem).phi_size);
    }
  }
}

TEST_CASE("a pass does not take one W for another") {
  const PairProblem problem = random_problem(40, 5, 2, "gaussian(sigma=1)", true, 4);
  const Samples X(problem.X);
  const Matrix other = orthonormalise(Rng(1, "other").normal_matrix(5, 2)).basis;
  auto used = cpu_backend().pair_pass(X, problem.gamma), fresh = cpu_backend().pair_pass(X, problem.gamma);

  used->objective(other, problem.kernel, {});
  used->objective(other.leftCols(1), problem.kernel, {});

  CHECK(used->objective(problem.W, problem.kernel, {}) == fresh->objective(problem.W, problem.kernel, {}));
}

TEST_CASE("kernel products and degrees equal those of the full kernel matrix") {
  CHECK(rc::check([] {
    const PairProblem problem = random_problem_of(*rc::gen::elementOf(kernels()));
    const Index n = problem.X.rows();
    const Samples X(problem.X);
    auto pass = cpu_backend().pair_pass(X, problem.gamma);
    const RunContext context;

    const RowMatrix K = pass->kernel_product(problem.W, problem.kernel, RowMatrix::Identity(n, n), context);

    RC_ASSERT((K - K.transpose()).cwiseAbs().maxCoeff() <= 1e-12 * K.cwiseAbs().maxCoeff());
    RC_ASSERT((pass->degrees(problem.W, problem.kernel, context) - K.rowwise().sum()).norm() <= 1e-11 * K.norm() * n);
    const double objective = problem.gamma.factor.dense().cwiseProduct(K).sum();
    RC_ASSERT(std::abs(pass->objective(problem.W, problem.kernel, context) - objective) <=
              1e-10 * naive_sums(problem).size);
  }));
}

TEST_CASE("all sums have the same bits for 1, 2 and 7 threads") {
  for (const std::string& kernel : kernels()) {
    CAPTURE(kernel);
    const PairProblem problem = random_problem(1500, 9, 2, kernel, true, 5);
    for (const RouteChoice choice : {RouteChoice::tiled, RouteChoice::direct}) {
      const Passed one = run_pass(problem, choice, 1);
      for (const int threads : {2, 7}) {
        const Passed many = run_pass(problem, choice, threads);
        CHECK(many.objective == one.objective);
        CHECK((many.phi.array() == one.phi.array()).all());
      }
    }
    const Samples X(problem.X);
    auto pass = cpu_backend().pair_pass(X, problem.gamma);
    pass->force_route(RouteChoice::tiled);
    const auto products = [&](int threads) {  // ΦW, F, a product with the second derivative, degrees
      RunContext context;
      context.threads = threads;
      const PairGradient gradient = pass->gradient(problem.W, problem.kernel, context);
      const Matrix curvature = pass->curvature_product(problem.W, problem.kernel, problem.W, context);
      Vector all(1 + 2 * curvature.size() + 1500);
      all << gradient.objective, gradient.phi_W.reshaped(), curvature.reshaped(),
          pass->degrees(problem.W, problem.kernel, context);
      return all;
    };
    const Vector one = products(1);
    for (const int threads : {2, 7}) CHECK((products(threads).array() == one.array()).all());
  }
}

TEST_CASE("the start Φ has the slope at zero and needs no W") {
  const RunContext context;
  for (const std::string kernel :
       {"gaussian(sigma=1.3)", "rbf-relative", "multiquadric", "linear", "polynomial(degree=3,offset=1)", "squared"}) {
    CAPTURE(kernel);
    // With samples at one projected point every β is its value at 0 for differences; for dot products take W = 0.
    const PairProblem problem = random_problem(30, 5, 2, kernel, false, 3);
    const Samples X(problem.X);
    auto pass = cpu_backend().pair_pass(X, problem.gamma);

    const Matrix start = pass->start_phi(problem.kernel, context).dense();
    const Matrix at_zero = pass->sums(Matrix::Zero(5, 2), problem.kernel, context).phi.dense();

    CHECK((start - at_zero).norm() <= 1e-10 * at_zero.norm());
  }
}

TEST_CASE("the start Φ of a kernel with zero slope at zero uses the sign of its trend") {
  const PairProblem problem = random_problem(30, 5, 2, "polynomial(degree=3,offset=0)", false, 3);
  const Samples X(problem.X);
  const RunContext context;
  auto pass = cpu_backend().pair_pass(X, problem.gamma);

  const Matrix start = pass->start_phi(problem.kernel, context).dense();

  const Matrix expected = problem.X.transpose() * problem.gamma.factor.dense() * problem.X;
  CHECK((start - expected).norm() <= 1e-12 * expected.norm());
}

TEST_CASE("sparse samples give the sums of the dense matrix they stand for") {
  for (const std::string& kernel : kernels()) {
    CAPTURE(kernel);
    PairProblem problem = random_problem(70, 6, 2, kernel, true, 11);
    const RowMatrix mask = (Rng(1, "mask").normal_matrix(70, 6).array() > 0.3).cast<double>().matrix();
    const RowMatrix raw = problem.X.cwiseProduct(mask);
    const SparseRows sparse = raw.sparseView();
    const Vector mean = raw.colwise().mean(), factor = Vector::LinSpaced(6, 0.5, 2.0);
    problem.X = (raw.rowwise() - mean.transpose()) * factor.asDiagonal();
    const RunContext context;
    const Samples X(sparse, mean, factor);
    auto pass = cpu_backend().pair_pass(X, problem.gamma);
    const Passed dense = run_pass(problem, RouteChoice::cheaper);

    const PairSums sums = pass->sums(problem.W, problem.kernel, context);

    CHECK((sums.phi.dense() - dense.phi).norm() <= 1e-10 * naive_sums(problem).phi_size);
    CHECK(std::abs(sums.objective - dense.objective) <= 1e-10 * naive_sums(problem).size);
    CHECK((pass->start_phi(problem.kernel, context).dense() -
           cpu_backend().pair_pass(Samples(problem.X), problem.gamma)->start_phi(problem.kernel, context).dense())
              .norm() <= 1e-10 * naive_sums(problem).phi_size);
  }
}

TEST_CASE("a sweep stops when it is cancelled") {
  const PairProblem problem = random_problem(2000, 4, 2, "gaussian(sigma=1)", true, 5);
  const Samples X(problem.X);
  auto pass = cpu_backend().pair_pass(X, problem.gamma);
  std::atomic<bool> cancel = true;
  RunContext context;
  context.cancel = &cancel;

  CHECK_THROWS_AS(pass->sums(problem.W, problem.kernel, context), Interrupted);
}

TEST_CASE("mixed precision gives F in double, Φ nearly, and measures its own error") {
  for (const std::string kernel :
       {"gaussian(sigma=1.3)", "multiquadric(offset=0.7)", "rbf-relative", "polynomial(degree=3,offset=1,scale=0.5)",
        "0.7*gaussian(sigma=1.1)+0.3*polynomial(degree=3,offset=1)"}) {
    CAPTURE(kernel);
    const PairProblem problem = random_problem(1500, 9, 2, kernel, true, 5);
    const Samples X(problem.X);
    auto mixed = cpu_backend().pair_pass(X, problem.gamma);
    mixed->force_route(RouteChoice::tiled);
    mixed->set_accuracy({Precision::mixed, 0});
    const Passed exact = run_pass(problem, RouteChoice::tiled);

    CHECK(std::isnan(mixed->precision_error()));
    const PairSums sums = mixed->sums(problem.W, problem.kernel, {});

    const double error = (sums.phi.dense() - exact.phi).norm() / exact.phi.norm();
    CHECK(sums.objective == doctest::Approx(exact.objective).epsilon(1e-12));
    CHECK(error > 1e-10);  // otherwise nothing was in single precision
    CHECK(error < 2e-6);
    CHECK(mixed->precision_error() < 3 * error);
    CHECK(mixed->precision_error() > error / 3);
    for (const int threads : {1, 2, 7}) {
      RunContext context;
      context.threads = threads;
      CHECK((mixed->sums(problem.W, problem.kernel, context).phi.dense().array() == sums.phi.dense().array()).all());
    }
  }
}

TEST_CASE("mixed precision does not see where the samples of a difference kernel lie") {
  PairProblem problem = random_problem(600, 6, 2, "gaussian(sigma=1.3)", false, 5);
  problem.X.rowwise() += Eigen::RowVectorXd::Constant(6, 1000);
  const Samples X(problem.X);
  auto mixed = cpu_backend().pair_pass(X, problem.gamma);
  mixed->set_accuracy({Precision::mixed, 0});

  mixed->sums(problem.W, problem.kernel, {});

  CHECK(mixed->precision_error() < 1e-5);
}

TEST_CASE("numbers outside the range of single precision are summed in double") {
  PairProblem problem = random_problem(300, 4, 2, "polynomial(degree=9,offset=1)", true, 5);
  problem.X *= 1e3;  // slopes of about 1e50
  const Samples X(problem.X);
  auto mixed = cpu_backend().pair_pass(X, problem.gamma);
  mixed->force_route(RouteChoice::tiled);
  mixed->set_accuracy({Precision::mixed, 0});

  const Matrix phi = mixed->sums(problem.W, problem.kernel, {}).phi.dense();

  const Matrix exact = run_pass(problem, RouteChoice::tiled).phi;
  REQUIRE(exact.allFinite());
  CHECK((phi.array() == exact.array()).all());
  CHECK(mixed->route_text(2, problem.kernel).find("in double") != std::string::npos);
}

TEST_CASE("mixed precision takes sparse samples too") {
  PairProblem problem = random_problem(700, 6, 2, "gaussian(sigma=1.3)", true, 11);
  const RowMatrix raw =
      problem.X.cwiseProduct((Rng(1, "mask").normal_matrix(700, 6).array() > 0.3).cast<double>().matrix());
  const SparseRows sparse = raw.sparseView();
  const Samples X(sparse, raw.colwise().mean(), Vector::Ones(6));
  auto pass = cpu_backend().pair_pass(X, problem.gamma), mixed = cpu_backend().pair_pass(X, problem.gamma);
  mixed->set_accuracy({Precision::mixed, 0});

  const Matrix exact = pass->sums(problem.W, problem.kernel, {}).phi.dense();
  const Matrix single = mixed->sums(problem.W, problem.kernel, {}).phi.dense();

  CHECK((single - exact).norm() <= 2e-6 * exact.norm());
  CHECK((single - exact).norm() > 0);
}

TEST_CASE("a Gaussian of one's own gives the sums of the built-in one, in all sums and in sums with others") {
  PairProblem problem = random_problem(400, 5, 2, "0.5*gaussian(sigma=1.3)+0.2*polynomial(degree=2)", true, 9);
  const double rate = 0.5 / (1.3 * 1.3);
  KernelTerm own = user_kernel(
      "own", PairForm::difference, [=](double b) { return std::exp(-rate * b); },
      [=](double b) { return -rate * std::exp(-rate * b); });
  own.weight = 0.5;
  KernelSum kernel = problem.kernel;
  kernel[0] = own;
  const Samples X(problem.X);
  auto pass = cpu_backend().pair_pass(X, problem.gamma);
  const Matrix E = Rng(1, "E").normal_matrix(5, 2);

  const PairSums ours = pass->sums(problem.W, kernel, {}), theirs = pass->sums(problem.W, problem.kernel, {});

  const double size = theirs.phi.dense().norm();
  CHECK(ours.objective == doctest::Approx(theirs.objective).epsilon(1e-12));
  CHECK((ours.phi.dense() - theirs.phi.dense()).norm() <= 1e-11 * size);
  CHECK((pass->start_phi(kernel, {}).dense() - pass->start_phi(problem.kernel, {}).dense()).norm() <= 1e-11 * size);
  const Matrix curvature = pass->curvature_product(problem.W, problem.kernel, E, {});
  CHECK((pass->curvature_product(problem.W, kernel, E, {}) - curvature).norm() <= 1e-6 * curvature.norm());
  CHECK(pass->route_text(2, kernel).find("own: tiles over pairs") == 0);
}

TEST_CASE("what a user kernel throws comes out of the sweep") {
  const PairProblem problem = random_problem(600, 3, 2, "linear", true, 9);
  const Samples X(problem.X);
  auto pass = cpu_backend().pair_pass(X, problem.gamma);
  bool made = false;
  const auto value = [&made](double b) { return made ? throw std::domain_error("no") : b; };
  const KernelSum kernel = {user_kernel("thrower", PairForm::dot, value, [](double) { return 1.0; })};
  made = true;

  CHECK_THROWS_AS(pass->sums(problem.W, kernel, {}), std::domain_error);
}
