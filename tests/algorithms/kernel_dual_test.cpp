// SPDX-License-Identifier: MIT
#include "algorithms/kernel_dual.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <utility>

#include "algorithms/kernel_dual/stiffness.hpp"
#include "linalg/subspace.hpp"
#include "oracles/csdp/kernel_program.hpp"
#include "ritz/base/random.hpp"
#include "support/csdp.hpp"
#include "support/drawn_dual.hpp"
#include "support/errors.hpp"
#include "support/npkl_case.hpp"
#include "support/npkl_facts.hpp"

using namespace ritz;
using namespace ritz::kernel_dual;
using namespace ritz::test;

namespace {

double relative(double a, double b) { return std::abs(a - b) / std::abs(b); }

struct Expected {
  const char* name;
  Index n;
  const char* loss;
  double penalty;
  Capacity capacity;
  double objective;
};

// What the page prints for the linear loss is max ⟨A, K⟩ − capacity, A = C·ΣtT − L: the primal without its constant.
double page_objective(const Problem& problem, double primal) {
  const auto* linear = std::get_if<LinearLoss>(&problem.loss);
  return linear ? problem.weight * linear->penalty * problem.targets.sum() - primal : primal;
}

}  // namespace

TEST_CASE("the optimum and the gap of every reference case") {
  const Expected table[] = {
      {"tiny8", 8, "linear", 0.5, budget(2, 1), 1.552970177213},
      {"tiny8", 8, "linear", 0.5, budget(2, 1.5), 1.250869647501},
      {"tiny8", 8, "linear", 0.5, budget(2, 2), 1.165652690170},
      {"tiny8", 8, "linear", 0.5, budget(2, 3), 1.112393185986},
      {"tiny8", 8, "linear", 0.5, budget(2, 4), 1.093181279833},
      {"tiny8", 8, "linear", 0.5, ridge(0.5), 0.679373097050},
      {"tiny8", 8, "square-hinge", 1, budget(1), 4.447429511243},
      {"tiny8", 8, "square-hinge", 1, budget(8), 2.243711199},
      {"tiny8", 8, "square-hinge", 1, ridge(0.1), 1.903500569},
      {"tiny8", 8, "hinge", 1, budget(1), 10.301364464796},
      {"tiny8", 8, "hinge", 1, budget(8), 7.195533177172},
      {"tiny8", 8, "hinge", 1, ridge(0.1), 2.759961754838},
      {"tiny8", 8, "square", 1, budget(1), 4.447429511244593},
      {"tiny8", 8, "square", 1, ridge(0.1), 1.9035005690985884},
      {"iris30", 30, "square-hinge", 1, budget(1), 29.480967844},
      {"iris30", 30, "square-hinge", 1, budget(30), 18.073027734},
      {"iris30", 30, "square-hinge", 1, ridge(0.1), 16.510213364},
      {"mid_heart", 270, "square-hinge", 1, ridge(0.01), 70.408089},
      {"mid_heart", 270, "hinge", 1, ridge(0.01), 87.460457},
      {"mid_heart", 270, "square-hinge", 1, budget(270), 113.381028},
      {"mid_heart", 270, "linear", 0.1, budget(1, 1), 0.094896764424},
      {"mid_iris", 150, "square-hinge", 1, ridge(0.01), 29.932553},
      {"mid_wine", 178, "square-hinge", 1, ridge(0.01), 40.487098},
  };
  for (const Expected& expected : table) {
    CAPTURE(expected.name);
    CAPTURE(expected.loss);
    CAPTURE(expected.capacity.value);
    CAPTURE(expected.capacity.power);
    const auto problem = pairs_case(expected.name, expected.n, expected.loss, expected.penalty, expected.capacity);
    if (!problem) return;
    RunContext context;
    Options options;
    options.tolerance = 1e-8;

    const Result result = solve(*problem, options, context);

    CHECK(relative(page_objective(*problem, result.primal), expected.objective) < 1e-6);
    CHECK(result.gap >= -1e-10 * std::abs(result.primal));
    CHECK(result.relative_gap < 1e-6);
  }
}

TEST_CASE("an evaluation is the dual's value and gradient for every loss and capacity") {
  Rng random(1, "test.kernel_dual.alpha");
  for (const AnyLoss& loss : every_loss(1))
    for (const Capacity& capacity : kCapacities)
      for (const double identity : {0.0, 1.5}) {
        CAPTURE(loss_name(loss));
        CAPTURE(capacity.power);
        CAPTURE(identity);
        const RunContext context = alone();
        const Problem problem = drawn({.identity = identity}, loss, capacity, 3);
        Dual dual(problem, context);
        const Vector alpha = inner_alpha(problem, random);

        const Evaluation at = dual.evaluate(alpha, 1e-9, context);

        CHECK(at.dual == doctest::Approx(dual_by_definition(problem, alpha)).epsilon(1e-10));
        CHECK(at.dual_plain == doctest::Approx(at.dual).epsilon(1e-12));
        constexpr double h = 1e-5;
        for (Index k = 0; k < alpha.size(); ++k) {
          Vector up = alpha, down = alpha;
          up(k) += h, down(k) -= h;
          const double difference = (dual_by_definition(problem, up) - dual_by_definition(problem, down)) / (2 * h);
          CHECK(std::abs(at.gradient(k) - difference) <= 1e-5 * (1 + std::abs(difference)));
        }
      }
}

TEST_CASE("the curvature is the change of the gradient") {
  Rng random(2, "test.kernel_dual.alpha");
  bool both[2] = {false, false};
  for (const char* name : {"square-hinge", "square", "hinge"})
    for (const Capacity& capacity : {ridge(0.5, 1.5), ridge(0.5, 2), budget(3, 1.5), budget(3, 2)})
      for (const double identity : {0.0, 2.5}) {
        CAPTURE(name);
        CAPTURE(capacity.power);
        CAPTURE(identity);
        const RunContext context = alone();
        const Problem problem = drawn({.identity = identity}, make_loss(name, 1), capacity, 5);
        Dual dual(problem, context);
        const Vector alpha = inner_alpha(problem, random), v = random.normal_matrix(alpha.size(), 1);
        const Evaluation at = dual.evaluate(alpha, 1e-9, context);
        both[at.spectrum.side == Side::negative] = true;

        const Vector bend = dual.curvature(at, v, context);

        constexpr double h = 1e-6;
        const Vector difference = (dual.evaluate(alpha - h * v, 1e-9, context).gradient -
                                   dual.evaluate(alpha + h * v, 1e-9, context).gradient) /
                                  (2 * h);
        CHECK((bend - difference).cwiseAbs().maxCoeff() <= 1e-5 * (1 + difference.cwiseAbs().maxCoeff()));
      }
  CHECK(both[0]);
  CHECK(both[1]);
}

TEST_CASE("the primal value of any alpha is above the dual value of any other") {
  Rng random(3, "test.kernel_dual.alpha");
  for (const AnyLoss& loss : every_loss(0.7))
    for (const Capacity& capacity : kCapacities)
      for (const double identity : {0.0, 2.5}) {
        CAPTURE(loss_name(loss));
        CAPTURE(capacity.power);
        const RunContext context = alone();
        const Problem problem = drawn({.identity = identity}, loss, capacity, 7);
        Dual dual(problem, context);
        double lowest = std::numeric_limits<double>::infinity(), highest = -lowest;
        for (int trial = 0; trial < 12; ++trial) {
          const Evaluation at = dual.evaluate(inner_alpha(problem, random), 1e-9, context);
          lowest = std::min(lowest, at.primal);
          highest = std::max(highest, at.dual);
        }
        CHECK(lowest >= highest - 1e-10 * (1 + std::abs(highest)));
      }
}

TEST_CASE("the kernel that is returned has the primal value that is claimed") {
  for (const AnyLoss& loss : every_loss(1))
    for (const Capacity& capacity : {ridge(0.5, 1.5), ridge(0.5, 2), ridge(0.5, 3), budget(3, 1), budget(3, 2)}) {
      CAPTURE(loss_name(loss));
      CAPTURE(capacity.power);
      RunContext context = alone();
      const Problem problem = drawn({}, loss, capacity, 9);
      Options options;
      options.tolerance = 1e-3;

      const Result result = solve(problem, options, context);

      CHECK(result.primal == doctest::Approx(primal_by_definition(problem, result.kernel)).epsilon(1e-9));
      CHECK(result.gap == doctest::Approx(result.primal - result.dual));
      CHECK(result.kernel.weights.minCoeff() >= 0);
      if (capacity.form == Capacity::Form::budget)
        CHECK(result.kernel.weights.array().pow(capacity.power).sum() <= capacity.value * (1 + 1e-9));
    }
}

TEST_CASE("the gap bounds the distance to the optimum that CSDP finds, also where it is wide") {
  if (!test::csdp_installed()) return;
  for (const AnyLoss& loss : every_loss(1))
    for (const Capacity& capacity : {ridge(0.3), budget(4), budget(4, 1)})
      for (const std::uint64_t seed : {1, 2, 3}) {
        CAPTURE(loss_name(loss));
        CAPTURE(capacity.power);
        CAPTURE(int(capacity.form));
        CAPTURE(seed);
        RunContext context = alone();
        const Problem problem = drawn({.n = 3 + 3 * Index(seed), .pairs = 8}, loss, capacity, seed);
        const ConicSolution exact = solve_conic(as_conic(problem, context), {}, context);
        REQUIRE(usable(exact.status));
        const double rounding = 1e-6 * (1 + std::abs(exact.objective));
        for (const double tolerance : {1e-1, 1e-2, 1e-6}) {
          CAPTURE(tolerance);
          Options options;
          options.tolerance = tolerance;

          const Result result = solve(problem, options, context);

          CHECK(result.summary.termination == Termination::converged);
          CHECK(result.relative_gap <= tolerance);
          CHECK(result.dual <= exact.objective + rounding);
          CHECK(result.primal >= exact.objective - rounding);
          CHECK(std::abs(result.primal - exact.objective) <= result.gap + rounding);
        }
      }
}

TEST_CASE("a loose block gives a lower bound of the dual and a true primal value") {
  const RunContext context = alone();
  Problem problem = drawn({.n = 620, .pairs = 300}, make_loss("square-hinge", 1), ridge(1), 11);
  problem.base.identity = -0.2;
  const Vector alpha = Vector::Ones(problem.targets.size()), values = eigenvalues_at(problem, alpha);
  for (const Capacity& capacity : {ridge(0.5), budget(50), ridge(0.5, 1.5), ridge(0.5, 3)}) {
    CAPTURE(capacity.power);
    problem.capacity = capacity;
    const double exact = dual_by_definition(problem, alpha, values);
    for (const double allowed : {10.0, 0.1, 1e-6}) {
      CAPTURE(allowed);
      Dual dual(problem, context);

      const Evaluation at = dual.evaluate(alpha, allowed, context);

      REQUIRE(at.spectrum.method == "block");
      CHECK(at.dual - dual.missing(at, context) <= exact + 1e-10 * std::abs(exact));
      CHECK(at.dual_plain >= exact - 1e-10 * std::abs(exact));
      if (allowed <= 1e-6) CHECK(at.dual == doctest::Approx(exact).epsilon(1e-6));
      SymFactor kernel;
      kernel.basis = at.spectrum.vectors.leftCols(at.spectrum.count);
      kernel.weights = at.scale * at.spectrum.values.head(at.spectrum.count).array().pow(1 / (capacity.power - 1));
      CHECK(at.primal == doctest::Approx(primal_by_definition(problem, kernel)).epsilon(1e-9));
    }
  }
}

TEST_CASE("J rises in every step of the fixed gradient step") {
  const RunContext context = alone();
  for (const char* name : {"square-hinge", "square", "hinge"}) {
    CAPTURE(name);
    const Problem problem = drawn({}, make_loss(name, 1), ridge(0.2), 13);
    Dual dual(problem, context);
    const double step = 1 / dual.lipschitz(context);
    const Interval box = std::visit([](const auto& each) { return each.dual_domain(); }, problem.loss);
    Vector alpha = Vector::Constant(problem.targets.size(), 1.0);
    double before = -std::numeric_limits<double>::infinity();
    for (int k = 0; k < 60; ++k) {
      const Evaluation at = dual.evaluate(alpha, 1e-9, context);
      CHECK(at.dual >= before - 1e-12 * std::abs(before));
      before = at.dual;
      alpha = (alpha + step * at.gradient).cwiseMax(box.low).cwiseMin(box.high);
    }
  }
}

TEST_CASE("the Lipschitz constant bounds the curvature, and is that of disjoint pairs") {
  const RunContext context = alone();
  const Problem problem = drawn({}, make_loss("square-hinge", 2), ridge(0.2), 17);
  Dual dual(problem, context);
  Rng random(4, "test.kernel_dual.alpha");
  for (int trial = 0; trial < 10; ++trial) {
    const Evaluation at = dual.evaluate(inner_alpha(problem, random), 1e-9, context);
    const Vector v = random.normal_matrix(at.alpha.size(), 1);
    CHECK(v.dot(dual.curvature(at, v, context)) <= dual.lipschitz(context) * v.squaredNorm());
  }
  // Each pair counts twice: w = 2, ‖M‖² = 1/2, so that the page's 1/G + 1/C is multiplied by 2.
  Problem disjoint = problem;
  disjoint.measurements = pair_entries(8, {{0, 1, 1}, {2, 3, -1}, {4, 5, 1}});
  disjoint.targets = Vector::Ones(3);
  CHECK(Dual(disjoint, context).lipschitz(context) == doctest::Approx(2 * (1 / 0.2 + 1 / 2.0)).epsilon(0.03));
}

TEST_CASE("the solvers agree") {
  for (const char* name : {"square-hinge", "hinge", "square"}) {
    CAPTURE(name);
    RunContext context = alone();
    const Problem problem = drawn({.n = 20, .pairs = 30}, make_loss(name, 1), ridge(0.3), 19);
    std::vector<double> found;
    for (const Solver solver : {Solver::automatic, Solver::newton, Solver::lbfgsb, Solver::gradient}) {
      Options options;
      options.solver = solver;
      options.tolerance = 1e-5;
      options.max_iterations = 20'000;
      const Result result = solve(problem, options, context);
      CAPTURE(result.summary.used.at("solver"));
      CHECK(result.relative_gap <= (solver == Solver::newton && std::string(name) == "hinge" ? 1e-3 : 1e-5));
      found.push_back(result.primal);
      CHECK(result.complete);
    }
    for (const double primal : found) CHECK(relative(primal, found[0]) <= 2e-3);
    CHECK(relative(found[2], found[0]) <= 2e-5);
    CHECK(relative(found[3], found[0]) <= 2e-5);
  }
}

TEST_CASE("solvers that cannot take a problem say so") {
  RunContext context = alone();
  Options options;
  options.solver = Solver::newton;
  const auto loss = make_loss("square-hinge", 1);
  CHECK(test::complaint([&] { solve(drawn({}, loss, ridge(1, 3), 1), options, context); }).says("at most 2"));
  options.solver = Solver::gradient;
  CHECK(test::complaint([&] { solve(drawn({}, loss, ridge(1, 3), 1), options, context); }).says("power 2"));
  CHECK(test::complaint([&] { solve(drawn({}, loss, budget(1), 1), options, context); }).says("needs a ridge"));
  CHECK(test::complaint([&] { solve(drawn({}, loss, ridge(1, 1), 1), options, context); }).says("needs a budget"));
  CHECK(test::complaint([&] { solve(drawn({}, loss, ridge(0), 1), options, context); }).says("must be positive"));
  Problem wrong = drawn({}, loss, ridge(1), 1);
  wrong.targets.conservativeResize(wrong.targets.size() - 1);
  CHECK(test::complaint([&] { solve(wrong, options, context); }).says("targets"));
}

TEST_CASE("without a positive eigenvalue the kernel is zero, with every power") {
  // The linear loss at the case's C has λmax(A) < 0; its graph is the union of 2 nearest neighbours.
  const auto known = test::npkl_case("nopos6");
  if (!known) return;
  const Index n = known->n;
  Matrix S = Matrix::Zero(n, n);
  for (Index i = 0; i < n; ++i) {
    std::vector<std::pair<double, Index>> others;
    for (Index j = 0; j < n; ++j)
      if (j != i) others.emplace_back(known->squared_distance(i, j), j);
    std::sort(others.begin(), others.end());
    for (int k = 0; k < 2; ++k) S(i, others[std::size_t(k)].second) = S(others[std::size_t(k)].second, i) = 1;
  }
  test::Rows edges;
  for (Index i = 0; i < n; ++i)
    for (Index j = i + 1; j < n; ++j)
      if (S(i, j) > 0) edges.push_back({double(i), double(j)});
  std::vector<SignedPair> pairs;
  for (const auto& row : known->pairs) pairs.push_back({Index(row[0]), Index(row[1]), row[2]});
  for (const double power : {1.0, 1.5, 2.0, 3.0, 4.0})
    for (const Capacity::Form form : {Capacity::Form::ridge, Capacity::Form::budget}) {
      if (power == 1 && form == Capacity::Form::ridge) continue;
      CAPTURE(power);
      CAPTURE(int(form));
      Problem problem;
      problem.base.sparse = -test::case_laplacian(n, edges);
      problem.measurements = pair_entries(n, pairs);
      problem.targets = Vector::Ones(Index(pairs.size()));
      problem.weight = 2;
      problem.loss = make_loss("linear", known->facts["C"]);
      problem.capacity = {form, 2.0, power};
      RunContext context = alone();

      const Result result = solve(problem, {}, context);

      CHECK(result.kernel.weights.size() == 0);
      CHECK(result.kernel.basis.rows() == n);
      CHECK(std::abs(page_objective(problem, result.primal)) <= 1e-14);
      CHECK(std::abs(result.gap) <= 1e-14);
      CHECK(result.summary.converged());
      const Vector values = Eigen::SelfAdjointEigenSolver<Matrix>(result.matrix.dense()).eigenvalues();
      CHECK(values(n - 1) == doctest::Approx(-0.013922105181).epsilon(1e-8));
    }
}

TEST_CASE("the hinge is the linear loss where no pair reaches its target") {
  const auto hinge = pairs_case("tiny8", 8, "hinge", 1, budget(1));
  const auto linear = pairs_case("tiny8", 8, "linear", 1, budget(1));
  if (!hinge || !linear) return;
  RunContext context = alone();

  const Result by_hinge = solve(*hinge, {}, context), by_linear = solve(*linear, {}, context);

  CHECK(by_hinge.best.measured.maxCoeff() <= 1);
  CHECK(by_hinge.best.alpha == Vector::Ones(hinge->targets.size()));
  CHECK((by_hinge.kernel.dense() - by_linear.kernel.dense()).cwiseAbs().maxCoeff() <= 1e-12);
  CHECK(by_hinge.evaluations == 1);
}

TEST_CASE("an isolated vertex with a self-loop of weight one is another problem") {
  const auto known = test::npkl_case("iris30");
  auto problem = pairs_case("iris30", 30, "square-hinge", 1, budget(30));
  if (!known || !problem) return;
  Matrix L = known->laplacian();
  for (Index i = 0; i < 30; ++i) L(i, i) = 1;
  problem->base.sparse = (-L).sparseView();
  RunContext context = alone();

  CHECK(relative(solve(*problem, {}, context).primal, 18.323568666) < 1e-6);
}

TEST_CASE("a budget that does not bind is noticed") {
  const auto problem = pairs_case("mid_heart", 270, "square-hinge", 1, budget(270.0 * 270));
  if (!problem) return;
  RunContext context = alone();

  const Result result = solve(*problem, {}, context);

  CHECK(result.summary.termination == Termination::stalled);
  CHECK(result.summary.message.find("does not bind") != std::string::npos);
  CHECK(std::isfinite(result.primal));
  CHECK(std::isfinite(result.dual));
  CHECK(result.kernel.basis.allFinite());
  CHECK(result.kernel.weights.allFinite());
}

TEST_CASE("a kernel within a subspace is the kernel of the projected problem") {
  Rng random(5, "test.kernel_dual.within");
  for (const Capacity& capacity : {ridge(0.3), budget(0.1), ridge(0.3, 1.5)})
    for (const AnyLoss& loss : every_loss(1)) {
      CAPTURE(loss_name(loss));
      CAPTURE(capacity.power);
      RunContext context = alone();
      Problem problem = drawn({.n = 14, .pairs = 16}, loss, capacity, 23);
      const Result full = solve(problem, {}, context);
      const Matrix W = orthonormalise(random.normal_matrix(14, 5)).basis;
      problem.within = W;

      const Result result = solve(problem, {}, context);

      CHECK(result.relative_gap <= 1e-6);
      CHECK(result.primal >= full.dual);
      const Matrix K = result.kernel.dense();
      CHECK((W * (W.transpose() * K * W) * W.transpose() - K).norm() <= 1e-10 * (1 + K.norm()));
      // The same problem in coordinates of the subspace: ⟨M, WQWᵀ⟩ = ⟨WᵀMW, Q⟩, dense measurements of Q.
      std::vector<std::vector<EntryTerm>> rows;
      for (Index k = 0; k < problem.targets.size(); ++k) {
        const Vector entries = problem.measurements.adjoint(Vector::Unit(problem.targets.size(), k), context);
        Matrix M = Matrix::Zero(14, 14);
        for (Index s = 0; s < entries.size(); ++s) {
          const auto [i, j] = problem.measurements.slot_list()[std::size_t(s)];
          M(i, j) = M(j, i) = entries(s);
        }
        const Matrix small = W.transpose() * M * W;
        rows.emplace_back();
        for (Index i = 0; i < 5; ++i)
          for (Index j = 0; j < 5; ++j) rows.back().push_back({i, j, small(i, j)});
      }
      Problem projected = problem;
      projected.within = RowMatrix();
      projected.base = {Matrix(W.transpose() * problem.base.dense() * W).sparseView(), {}, 0};
      projected.measurements = Measurements(5, rows);
      const Result reference = solve(projected, {}, context);
      CHECK(std::abs(result.primal - reference.primal) <= result.gap + reference.gap + 1e-9);
    }
}

TEST_CASE("a solution has the same bits for any number of threads") {
  for (const Index n : {Index(40), Index(640)})
    for (const Capacity& capacity : {ridge(0.3), budget(20, 1)}) {
      if (n == 640 && capacity.power == 1) continue;
      CAPTURE(n);
      CAPTURE(capacity.power);
      const Problem problem = drawn({.n = n, .pairs = n}, make_loss("square-hinge", 1), capacity, 29);
      Options options;
      options.tolerance = 1e-3;
      RunContext context = alone();
      const Result one = solve(problem, options, context);
      for (const int threads : {2, 7}) {
        context.threads = threads;
        const Result many = solve(problem, options, context);
        CHECK(one.primal == many.primal);
        CHECK(one.dual == many.dual);
        CHECK(one.best.alpha == many.best.alpha);
        CHECK(one.kernel.basis == many.kernel.basis);
        CHECK(one.kernel.weights == many.kernel.weights);
      }
    }
}

TEST_CASE("an interrupted run keeps its best") {
  for (const Capacity& capacity : {ridge(0.05), budget(10, 1)}) {
    CAPTURE(capacity.power);
    const Problem problem = drawn({.n = 30, .pairs = 40}, make_loss("hinge", 1), capacity, 31);
    std::atomic<bool> cancel = false;
    RunContext context = alone();
    context.cancel = &cancel;
    Options options;
    options.tolerance = 1e-12;
    context.observer = [&](const Progress& progress) {
      if (progress.iteration == 2) cancel = true;
      return Next::go_on;
    };

    const Result result = solve(problem, options, context);

    CHECK(result.summary.termination == Termination::interrupted);
    CHECK(result.summary.iterations == 2);
    CHECK(result.primal == doctest::Approx(primal_by_definition(problem, result.kernel)).epsilon(1e-9));
    CHECK(result.gap >= 0);
    CHECK(result.matrix.size() == 30);
  }
}

TEST_CASE("a problem without measurements has the base's kernel") {
  RunContext context = alone();
  for (const Capacity& capacity : {ridge(0.5), budget(2), budget(2, 1), ridge(0.5, 3)}) {
    CAPTURE(capacity.power);
    Problem problem = drawn({.n = 6, .laplacian = false}, make_loss("square-hinge", 1), capacity, 37);
    problem.measurements = Measurements(6, {});
    problem.targets = Vector(0);

    const Result result = solve(problem, {}, context);

    CHECK(result.summary.converged());
    CHECK(result.relative_gap <= 1e-6);
    CHECK(result.primal < 0);
  }
}

namespace {

// Everybody joined with everybody: P = nI − 11ᵀ, whose factor is as full as can be.
SparseRows joined_by_all(Index n) {
  const Matrix P = double(n) * Matrix::Identity(n, n) - Matrix::Ones(n, n);
  return P.sparseView();
}

}  // namespace

TEST_CASE("a_stiffness_is_solved_by_its_factor") {
  const Index n = 40;
  const SparseRows P = joined_by_all(n);
  RowMatrix R = Rng(3, "stiffness").normal_matrix(n, 3);
  R.rowwise() -= R.colwise().mean().eval();

  const auto stiffness = stiffness_of(P, RunContext{});

  REQUIRE(stiffness->factored());
  CHECK((stiffness->solve(R) - R / double(n)).norm() < 1e-12 * R.norm());
}

TEST_CASE("the_making_of_a_factor_can_be_interrupted") {  // Eigen's went on for minutes after Ctrl-C
  std::atomic<bool> cancel = true;
  RunContext context;
  context.cancel = &cancel;

  CHECK_THROWS_AS(stiffness_of(joined_by_all(600), context), Interrupted);
  CHECK(!unfactored_stiffness(joined_by_all(600))->factored());
}
