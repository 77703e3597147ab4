// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>
#include <rapidcheck.h>

#include "pairs/bandwidth.hpp"
#include "ritz/data/io.hpp"
#include "support/data_folder.hpp"
#include "support/pair_problem.hpp"

using namespace ritz;
using namespace ritz::testing;

namespace {

PairSums sums_with(const PairProblem& problem, double approximate, RouteChoice choice, int threads = 2) {
  const Samples X(problem.X);
  auto pass = cpu_backend().pair_pass(X, problem.gamma);
  pass->force_route(choice);
  pass->set_accuracy({.approximate = approximate});
  RunContext context;
  context.threads = threads;
  return pass->sums(problem.W, problem.kernel, context);
}

double spectral_norm(const Matrix& symmetric) {
  return Eigen::SelfAdjointEigenSolver<Matrix>(symmetric).eigenvalues().cwiseAbs().maxCoeff();
}

// Wide and narrow kernels, so that the rank is anything between 1 and n; sums with terms that stay exact.
const std::vector<std::string> kKernels = {"gaussian(sigma=0.4)",
                                           "gaussian(sigma=8)",
                                           "multiquadric(offset=0.1)",
                                           "multiquadric(offset=4)",
                                           "2*gaussian(sigma=2)+0.3*multiquadric(offset=2)",
                                           "gaussian(sigma=3)+0.5*rbf-relative+0.1*polynomial(degree=2)+squared"};

}  // namespace

TEST_CASE("the errors reported with a low-rank kernel are upper bounds of the true ones") {
  for (const std::string& kernel : kKernels) {
    CAPTURE(kernel);
    CHECK(rc::check(kernel, [&] {
      const Index n = *rc::gen::inRange<Index>(2, 150), d = *rc::gen::inRange<Index>(1, 6);
      const PairProblem problem =
          random_problem(n, d, *rc::gen::inRange<Index>(1, d + 1), kernel, *rc::gen::arbitrary<bool>(),
                         *rc::gen::inRange<std::uint64_t>(0, 1000000));

      const PairSums sums = sums_with(problem, *rc::gen::element(0.1, 1e-3, 1e-6, 1e-9), RouteChoice::direct);

      const NaiveSums naive = naive_sums(problem);
      const Matrix difference = sums.phi.dense() - naive.phi;
      RC_ASSERT(std::abs(sums.objective - naive.objective) <= sums.error.objective + 1e-12 * naive.size);
      RC_ASSERT(spectral_norm(0.5 * (difference + difference.transpose())) <= sums.error.phi + 1e-12 * naive.phi_size);
    }));
  }
}

TEST_CASE("the error of the objective is within the request for one positive definite kernel") {
  for (const double asked : {1e-2, 1e-5, 1e-9}) {
    const PairProblem problem = random_problem(600, 5, 2, "gaussian(sigma=2)", true, 9);

    const PairSums sums = sums_with(problem, asked, RouteChoice::direct);

    const double exact = sums_with(problem, 0, RouteChoice::tiled).objective;
    CHECK(sums.error.objective > 0);
    CHECK(sums.error.objective <= asked * std::abs(exact));
    CHECK(std::abs(sums.objective - exact) <= asked * std::abs(exact));
  }
}

TEST_CASE("a low-rank kernel leaves out something, and exact sums report no error") {
  const PairProblem problem = random_problem(600, 5, 2, "gaussian(sigma=2)", true, 9);

  const PairSums rough = sums_with(problem, 0.05, RouteChoice::direct);
  const PairSums exact = sums_with(problem, 0, RouteChoice::direct);

  CHECK(rough.objective != exact.objective);  // otherwise the bounds above were never put to the test
  CHECK(exact.error.objective == 0);
  CHECK(exact.error.phi == 0);
}

TEST_CASE("objective and gradient of a low-rank kernel are those of its sums") {
  for (const std::string& kernel : kKernels) {
    CAPTURE(kernel);
    const PairProblem problem = random_problem(300, 5, 2, kernel, false, 4);
    const Samples X(problem.X);
    const RunContext context;
    const auto fresh = [&] {
      auto pass = cpu_backend().pair_pass(X, problem.gamma);
      pass->force_route(RouteChoice::direct);
      pass->set_accuracy({.approximate = 1e-4});
      return pass;
    };

    const PairSums sums = fresh()->sums(problem.W, problem.kernel, context);
    const PairGradient gradient = fresh()->gradient(problem.W, problem.kernel, context);

    CHECK(fresh()->objective(problem.W, problem.kernel, context) == doctest::Approx(sums.objective).epsilon(1e-10));
    CHECK(gradient.objective == sums.objective);
    CHECK(gradient.error.objective == sums.error.objective);
    CHECK((gradient.phi_W - sums.phi.times(problem.W)).norm() <= 1e-12 * gradient.phi_W.norm());
  }
}

TEST_CASE("low-rank sums have the same bits for 1, 2 and 7 threads, also from a warm start") {
  const PairProblem problem = random_problem(1500, 9, 3, "gaussian(sigma=2)+multiquadric(offset=3)", true, 5);
  const Samples X(problem.X);
  const Matrix moved = orthonormalise(problem.W + 0.05 * Rng(2, "step").normal_matrix(9, 3)).basis;
  const auto second = [&](int threads) {
    auto pass = cpu_backend().pair_pass(X, problem.gamma);
    pass->force_route(RouteChoice::direct);
    pass->set_accuracy({.approximate = 1e-5});
    RunContext context;
    context.threads = threads;
    pass->sums(problem.W, problem.kernel, context);
    return pass->sums(moved, problem.kernel, context);
  };

  const PairSums one = second(1);

  for (const int threads : {2, 7}) {
    const PairSums many = second(threads);
    CHECK(many.objective == one.objective);
    CHECK(many.error.objective == one.error.objective);
    CHECK((many.phi.dense().array() == one.phi.dense().array()).all());
  }
}

TEST_CASE("where a low-rank kernel would cost more, exact tiles are used and the route says so") {
  // In nine dimensions a narrow Gaussian has full rank.
  const PairProblem problem = random_problem(700, 9, 9, "gaussian(sigma=0.2)", true, 5);
  const Samples X(problem.X);
  auto pass = cpu_backend().pair_pass(X, problem.gamma);
  pass->set_accuracy({.approximate = 1e-6});
  const RunContext context;

  const PairSums sums = pass->sums(problem.W, problem.kernel, context);

  CHECK(sums.error.objective == 0);
  CHECK(sums.objective == sums_with(problem, 0, RouteChoice::tiled).objective);
  CHECK(pass->route_text(9, problem.kernel).find("tiles over pairs") != std::string::npos);
}

TEST_CASE("where it costs less, a low-rank kernel is used and the route gives rank and error") {
  const PairProblem problem = random_problem(2000, 30, 2, "gaussian(sigma=2)", true, 5);
  const Samples X(problem.X);
  auto pass = cpu_backend().pair_pass(X, problem.gamma);
  pass->set_accuracy({.approximate = 1e-6});
  const RunContext context;

  const PairSums sums = pass->sums(problem.W, problem.kernel, context);

  CHECK(sums.error.objective > 0);
  CHECK(pass->route_text(2, problem.kernel).find("low-rank kernel of") != std::string::npos);
}

TEST_CASE("sparse samples give the low-rank sums of the dense matrix they stand for") {
  PairProblem problem = random_problem(400, 6, 2, "gaussian(sigma=2)", true, 11);
  const RowMatrix mask = (Rng(1, "mask").normal_matrix(400, 6).array() > 0.3).cast<double>().matrix();
  const RowMatrix raw = problem.X.cwiseProduct(mask);
  const SparseRows sparse = raw.sparseView();
  const Vector mean = raw.colwise().mean(), factor = Vector::LinSpaced(6, 0.5, 2.0);
  problem.X = (raw.rowwise() - mean.transpose()) * factor.asDiagonal();
  const Samples X(sparse, mean, factor);
  auto pass = cpu_backend().pair_pass(X, problem.gamma);
  pass->force_route(RouteChoice::direct);
  pass->set_accuracy({.approximate = 1e-10});

  const PairSums sums = pass->sums(problem.W, problem.kernel, RunContext{});

  const NaiveSums naive = naive_sums(problem);
  CHECK(std::abs(sums.objective - naive.objective) <= sums.error.objective + 1e-12 * naive.size);
  CHECK((sums.phi.dense() - naive.phi).norm() <= 1e-8 * naive.phi_size);
}

TEST_CASE("on the reference sets the reported errors bound the true ones, with as many columns as it takes") {
  struct Set {
    std::string samples, labels;
    Index q;
  };
  const RunContext context;
  for (const Set& set : {Set{"ism/wine.csv", "ism/wine.labels", 3}, Set{"ism/cancer.csv", "ism/cancer.labels", 2},
                         Set{"ism/face_624x960.csv", "ism/face.identity.labels", 4}}) {
    const auto samples = test::data_file(set.samples), labels = test::data_file(set.labels);
    if (!samples || !labels) continue;
    CAPTURE(set.samples);
    RowMatrix X = read_dataset(*samples, {}, {}).dense();
    X.rowwise() -= X.colwise().mean();
    X.array().rowwise() /= (X.colwise().squaredNorm() / double(X.rows())).array().max(1e-300).sqrt();
    const Samples standardised(X);
    const Gamma gamma = supervised_gamma(read_labels(*labels, {}));
    const Matrix W = orthonormalise(X.transpose() * gamma.factor.basis.leftCols(set.q)).basis;
    for (const std::string kernel : {"gaussian(sigma=median)", "multiquadric(offset=20)", "multiquadric"})
      for (const double asked : {1e-3, 1e-7}) {
        CAPTURE(kernel);
        const KernelSum resolved = resolve_bandwidths(parse_kernel(kernel), standardised, context).kernel;
        auto exact = cpu_backend().pair_pass(standardised, gamma),
             approximate = cpu_backend().pair_pass(standardised, gamma);
        approximate->force_route(RouteChoice::direct);
        approximate->set_accuracy({.approximate = asked});

        const PairSums truth = exact->sums(W, resolved, context), sums = approximate->sums(W, resolved, context);

        // With its default offset the multiquadric has full rank on these sets: exact sums, by tiles.
        if (kernel != "multiquadric") CHECK(sums.error.objective > 0);
        CHECK(sums.error.objective <= asked * std::abs(truth.objective));
        CHECK(std::abs(sums.objective - truth.objective) <= sums.error.objective);
        CHECK(spectral_norm(sums.phi.dense() - truth.phi.dense()) <= sums.error.phi);
      }
  }
}
