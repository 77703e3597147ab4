// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "algorithms/ism/parts.hpp"
#include "model/kernel_list.hpp"
#include "support/ism_problem.hpp"

using namespace ritz;
using namespace ritz::testing;

namespace {

const std::vector<Solver> kSolvers = {Solver::ism, Solver::plain, Solver::dg, Solver::sm, Solver::gm, Solver::best};

std::string name_of(Solver solver) { return TextForm<Solver>::print(solver); }

ism::Result solve(const Owned& owned, Solver solver, Index q, int restarts = 0, int threads = 2,
                  const Matrix& start = {}) {
  RunContext context;
  context.threads = threads;
  return ism::solve(owned.problem, {.dimension = q, .solver = solver, .restarts = restarts}, context, start);
}

double naive_objective(const Owned& owned, const Matrix& W) {
  PairProblem naive = owned.pairs;
  naive.W = W;
  return naive_sums(naive).objective;
}

// Class means a few deviations apart: a problem with one clear maximum.
Owned clear_problem(std::string_view kernel, std::uint64_t seed, Index n = 60, Index d = 5) {
  PairProblem pairs = random_problem(n, d, 2, kernel, true, seed);
  for (Index i = 0; i < n; ++i) pairs.X(i, pairs.gamma.classes[std::size_t(i)]) += 1.5;
  return Owned(std::move(pairs));
}

std::size_t column(const Trace& trace, const std::string& name) {
  const auto found = std::ranges::find(trace.columns, name);
  REQUIRE(found != trace.columns.end());
  return std::size_t(found - trace.columns.begin());
}

}  // namespace

TEST_CASE("every solver returns an orthonormal W with its own F, not below the start") {
  for (const std::string& kernel : kKernels)
    for (const Solver solver : kSolvers) {
      const std::string name = name_of(solver);
      CAPTURE(kernel);
      CAPTURE(name);
      const Owned owned = clear_problem(kernel, 5);

      const ism::Result result = solve(owned, solver, 2);

      CHECK((result.W.transpose() * result.W - Matrix::Identity(2, 2)).norm() <= 1e-12);
      const double F = naive_objective(owned, result.W), size = std::abs(F) + std::abs(result.start_objective);
      CHECK(std::abs(result.summary.objective - F) <= 1e-9 * size);
      CHECK(std::abs(result.certificate.objective - F) <= 1e-9 * size);
      if (solver != Solver::plain && solver != Solver::dg) CHECK(F >= result.start_objective - 1e-9 * size);
      const Trace& trace = result.summary.trace;
      CHECK(int(trace.rows()) == result.summary.iterations);
      for (const std::string each : {"iteration", "objective", "measure", "seconds", "residual"})
        for (std::size_t row = 0; row < trace.rows(); ++row) CHECK(std::isfinite(trace.at(row, column(trace, each))));
    }
}

TEST_CASE("the solvers that converge are stationary and agree with ISM's maximum") {
  for (const std::string& kernel : kKernels) {
    CAPTURE(kernel);
    const Owned owned = clear_problem(kernel, 6);
    const double F = solve(owned, Solver::ism, 2).summary.objective;

    for (const Solver solver : {Solver::ism, Solver::sm, Solver::gm, Solver::best}) {
      const std::string name = name_of(solver);
      CAPTURE(name);
      const ism::Result result = solve(owned, solver, 2);
      CHECK(result.summary.converged());
      CHECK(result.certificate.first_order <= 1.1e-6);
      CHECK(std::abs(result.summary.objective - F) <= 1e-3 * std::abs(F));
    }
  }
}

TEST_CASE("the Hessian product is the derivative of the projected gradient") {
  for (const std::string& kernel : kKernels) {
    CAPTURE(kernel);
    const Owned owned = clear_problem(kernel, 7);
    const RunContext context;
    auto pass = cpu_backend().pair_pass(owned.X, owned.pairs.gamma);
    const Matrix W = solve(owned, Solver::gm, 2).W;  // stationary: there the derivative needs no connection
    const PairSums sums = pass->sums(W, owned.pairs.kernel, context);
    Rng rng(1, "tangent");
    const Matrix E = ism::outside(W, rng.normal_matrix(5, 2));

    const Matrix product = ism::TangentHessian(owned.problem, *pass, sums.phi, W)(E, context);

    const double h = 1e-5;
    const auto gradient = [&](double t) {
      const Matrix V = W + t * E;
      return Matrix(2 * pass->sums(V, owned.pairs.kernel, context).phi.times(V));
    };
    const Matrix inside = W.transpose() * sums.phi.times(W);
    const Matrix difference = ism::outside(W, (gradient(h) - gradient(-h)) / (2 * h) - 2 * E * inside);
    CHECK((product - difference).norm() <= 1e-6 * (difference.norm() + sums.phi.dense().norm()));
  }
}

TEST_CASE("the curvature takes no more products than it may, and says so where these are too few") {
  const Owned owned = clear_problem("gaussian(sigma=0.8)", 7);
  const RunContext context;
  auto pass = cpu_backend().pair_pass(owned.X, owned.pairs.gamma);
  const Matrix W = solve(owned, Solver::gm, 2).W;
  const PairSums sums = pass->sums(W, owned.pairs.kernel, context);
  const ism::TangentHessian hessian(owned.problem, *pass, sums.phi, W);

  double left = 1000;
  const double value = hessian.largest(left, context).value, spent = 1000 - left;
  CHECK(spent > 0);
  CHECK(spent < 1000);
  double enough = spent;
  CHECK(hessian.largest(enough, context).value == value);
  CHECK(enough == 0);
  double few = spent - 1;
  CHECK_THROWS_AS(hessian.largest(few, context), Error);
  CHECK(few == 0);

  // A fit of some sweeps over many pairs: the products would take longer (180 columns of DNA: 0.2 s of them, 0.03 s of
  // the fit).
  const Owned larger = clear_problem("gaussian(sigma=2)", 8, 1500, 40);
  const ism::Result unasked = solve(larger, Solver::best, 2);
  CHECK(unasked.summary.iterations < 100);
  CHECK(!std::isfinite(unasked.certificate.curvature));
  CHECK(unasked.certificate.curvature_note.find("curvature always") != std::string::npos);
}

TEST_CASE("the trust region converges superlinearly: the last step gains more digits than the first ones") {
  const Owned owned = clear_problem("gaussian(sigma=0.8)", 8);

  const ism::Result result = solve(owned, Solver::gm, 2);

  const Trace& trace = result.summary.trace;
  CHECK(result.summary.converged());
  CHECK(trace.rows() <= 20);
  REQUIRE(trace.rows() >= 2);
  const std::size_t residual = column(trace, "residual");
  CHECK(trace.at(trace.rows() - 1, residual) <= 0.05 * trace.at(trace.rows() - 2, residual));
}

TEST_CASE("the trust region and ISM never let F fall, nor does the Stiefel search below its start") {
  for (const std::string& kernel : kKernels) {
    CAPTURE(kernel);
    const Owned owned(random_problem(50, 6, 2, kernel, false, 12));
    for (const Solver solver : {Solver::ism, Solver::gm, Solver::best, Solver::sm}) {
      const std::string name = name_of(solver);
      CAPTURE(name);
      const ism::Result result = solve(owned, solver, 2);
      double floor = result.start_objective;
      const Trace& trace = result.summary.trace;
      for (std::size_t row = 0; row < trace.rows(); ++row) {
        CHECK(trace.at(row, 1) >= floor - 1e-11 * std::abs(floor));
        if (solver != Solver::sm) floor = trace.at(row, 1);
      }
      CHECK(result.summary.objective >= floor - 1e-11 * std::abs(floor));
    }
  }
}

TEST_CASE("best climbs off a saddle point where ISM stays, and says so") {
  // β² with every sample mirrored in the second feature within its class: F(θ) = (a·cos²θ + b·sin²θ)² with a and b the
  // differences of the classes' second moments. At W = e₁ the gradient vanishes and Φ = diag(2a², 0) keeps ISM there,
  // yet F″ = 4a(b − a) > 0 for b > a.
  const Index n = 80;
  Rng rng(3, "saddle");
  PairProblem pairs;
  pairs.X.resize(n, 2);
  std::vector<std::string> labels;
  for (Index i = 0; i < n; i += 2) {
    const bool wide = i % 4 == 0;
    const double x = (wide ? 1 : 0.5) * rng.normal(), y = (wide ? 3 : 0.3) * rng.normal();
    pairs.X.row(i) << x, y;
    pairs.X.row(i + 1) << x, -y;
    labels.insert(labels.end(), 2, wide ? "wide" : "narrow");
  }
  pairs.gamma = supervised_gamma(make_labels(labels));
  pairs.kernel = parse_kernel("polynomial(degree=2,offset=0)");
  const Owned owned(pairs);
  Matrix start(2, 1);
  start << 1, 0;

  const ism::Result ism_only = solve(owned, Solver::ism, 1, 0, 2, start);
  const ism::Result best = solve(owned, Solver::best, 1, 0, 2, start);

  REQUIRE(ism_only.certificate.first_order <= 1e-6);
  REQUIRE(ism_only.certificate.curvature > 0);
  CHECK(best.summary.objective > 1.01 * ism_only.summary.objective);
  CHECK(best.certificate.curvature <= 1e-6 * best.certificate.phi_norm);
  REQUIRE(best.summary.used.contains("polish"));
  CHECK(best.summary.used.at("polish").find("saddle point") != std::string::npos);
}

TEST_CASE("dimension growth leaves every column stationary among those orthogonal to the earlier ones") {
  const Owned owned = clear_problem("gaussian(sigma=0.8)", 9);

  const ism::Result one = solve(owned, Solver::dg, 1), all = solve(owned, Solver::dg, 3);

  CHECK(one.certificate.first_order <= 1.1e-6);  // of one column it is gradient ascent
  // The first column of three is that of one: it lies in the span of W.
  CHECK((all.W * (all.W.transpose() * one.W) - one.W).norm() <= 1e-8);
  const Trace& trace = all.summary.trace;
  const std::size_t columns = column(trace, "columns");
  for (std::size_t row = 1; row < trace.rows(); ++row) {
    CHECK(trace.at(row, columns) >= trace.at(row - 1, columns));
    if (trace.at(row, columns) == trace.at(row - 1, columns))
      CHECK(trace.at(row, 1) >= trace.at(row - 1, 1) * (1 - 1e-11));
  }
  CHECK(trace.at(trace.rows() - 1, columns) == 3);
}

TEST_CASE("the iteration limit holds over all parts of a solver") {
  const Owned owned(random_problem(60, 6, 3, "gaussian(sigma=0.3)", true, 3));
  for (const Solver solver : kSolvers) {
    const std::string name = name_of(solver);
    CAPTURE(name);
    RunContext context;
    const ism::Result result =
        ism::solve(owned.problem, {.dimension = 3, .tolerance = 0, .max_iterations = 4, .solver = solver}, context);
    CHECK(result.summary.iterations <= 4);
    CHECK_FALSE(result.summary.converged());
    CHECK((result.W.transpose() * result.W - Matrix::Identity(3, 3)).norm() <= 1e-12);
  }
}

TEST_CASE("restarts keep the best result, and more of them never lose it") {
  // A random Γ and a narrow kernel: many local maxima.
  int won = 0;
  for (const std::uint64_t seed : {21, 22, 23, 24}) {
    const Owned owned(random_problem(40, 6, 2, "gaussian(sigma=0.12)", false, seed));
    double last = solve(owned, Solver::ism, 2).summary.objective;
    for (const int restarts : {1, 4}) {
      const ism::Result result = solve(owned, Solver::ism, 2, restarts);
      CHECK(result.summary.objective >= last - 1e-7 * std::abs(last));
      CHECK(std::abs(naive_objective(owned, result.W) - result.summary.objective) <= 1e-9 * std::abs(last));
      REQUIRE(result.summary.notes.size() == 1);
      const bool random = result.summary.used.at("start").starts_with("random start");
      CHECK(random == result.summary.notes[0].starts_with("random start"));
      won += random;
      last = result.summary.objective;
    }
  }
  CHECK(won > 0);
}

TEST_CASE("every solver gives the same bits for 1 and 3 threads") {
  const Owned owned(random_problem(300, 6, 2, "gaussian(sigma=0.8)", true, 9));
  for (const Solver solver : kSolvers) {
    const std::string name = name_of(solver);
    CAPTURE(name);
    const auto bits = [&](int threads) {
      RunContext context;
      context.threads = threads;
      return ism::solve(owned.problem,
                        {.dimension = 2,
                         .max_iterations = 4,
                         .solver = solver,
                         .restarts = 1,
                         .curvature = solver == Solver::best ? Effort::always : Effort::never},
                        context);
    };
    const ism::Result one = bits(1), many = bits(3);
    CHECK((many.W.array() == one.W.array()).all());
    CHECK(many.summary.objective == one.summary.objective);
    if (solver == Solver::best) CHECK(many.certificate.inequality_bound == one.certificate.inequality_bound);
  }
}

TEST_CASE("an interrupted solver keeps the best W so far") {
  const Owned owned(random_problem(60, 5, 3, "gaussian(sigma=0.3)", false, 2));
  for (const Solver solver : kSolvers) {
    const std::string name = name_of(solver);
    CAPTURE(name);
    std::atomic<bool> cancel = false;
    RunContext context;
    context.cancel = &cancel;
    context.observer = [&](const Progress& progress) {
      if (progress.iteration == 2) cancel = true;
      return Next::go_on;
    };

    const ism::Result result =
        ism::solve(owned.problem, {.dimension = 3, .tolerance = 0, .solver = solver, .restarts = 3}, context);

    CHECK(result.summary.termination == Termination::interrupted);
    CHECK((result.W.transpose() * result.W - Matrix::Identity(3, 3)).norm() <= 1e-12);
    CHECK(std::abs(naive_objective(owned, result.W) - result.summary.objective) <=
          1e-9 * std::abs(result.summary.objective));
  }
}

TEST_CASE("the inequality's bound is the sum over pairs that defines it, and holds only at maxima") {
  for (const std::string& kernel : kKernels) {
    CAPTURE(kernel);
    const Owned owned(random_problem(270, 3, 2, kernel, true, 31));  // more than one tile
    const Matrix gamma = owned.pairs.gamma.factor.dense(), Z = owned.pairs.X * owned.pairs.W;
    double bound = 0;
    for (Index i = 0; i < 270; ++i)
      for (Index j = 0; j < 270; ++j) {
        double dot = 0, difference = 0;
        for (const KernelTerm& term : owned.pairs.kernel) {
          const bool is_dot = form_of(term.kernel) == PairForm::dot;
          const double scale =
              term.sample_scale ? (*term.sample_scale)[std::size_t(i)] * (*term.sample_scale)[std::size_t(j)] : 1;
          const double beta = is_dot ? Z.row(i).dot(Z.row(j)) : (Z.row(i) - Z.row(j)).squaredNorm();
          (is_dot ? dot : difference) +=
              term.weight * scale * scale *
              std::visit([&](const auto& k) { return k.curvature(scale * beta); }, *term.kernel);
        }
        const auto &a = owned.pairs.X.row(i), &b = owned.pairs.X.row(j);
        bound += 2 * std::abs(gamma(i, j)) *
                 (std::abs(dot) * a.squaredNorm() * b.squaredNorm() +
                  std::abs(difference) * std::pow((a - b).squaredNorm(), 2));
      }
    const auto pass = ism::make_pass(owned.problem, {}, {});
    CHECK(pass->curvature_bound(owned.pairs.W, owned.pairs.kernel, {}) == doctest::Approx(bound).epsilon(1e-9));
  }
  // A wide kernel bends little: the inequality holds, and then the curvature must be negative.
  const Owned wide = clear_problem("gaussian(sigma=40)", 4);
  const ism::Result result = solve(wide, Solver::ism, 2);
  REQUIRE(result.certificate.inequality_holds.has_value());
  CHECK(*result.certificate.inequality_holds);
  CHECK(result.certificate.inequality_gap >= result.certificate.inequality_bound);
  CHECK(result.certificate.curvature < 0);
  // Not asked for: not computed.
  RunContext context;
  CHECK_FALSE(
      ism::solve(wide.problem, {.dimension = 2, .curvature = Effort::never}, context).certificate.inequality_holds);
}

TEST_CASE("stopping on eigenvalues is refused for solvers that compute none") {
  const Owned owned = clear_problem("linear", 1);
  RunContext context;
  for (const Solver solver : {Solver::dg, Solver::sm, Solver::gm, Solver::best})
    CHECK_THROWS_AS(ism::solve(owned.problem, {.dimension = 2, .stop = StopOn::eigenvalues, .solver = solver}, context),
                    Error);
}
