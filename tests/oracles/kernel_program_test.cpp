// SPDX-License-Identifier: MIT
#include "oracles/csdp/kernel_program.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "ritz/base/random.hpp"
#include "support/csdp.hpp"
#include "support/errors.hpp"
#include "support/npkl_facts.hpp"

using namespace ritz;
using ritz::test::complaint;
using ritz::test::NpklCase;

namespace {

ConicMeasurement distance(Index i, Index j, double target) { return {{{i, i, 1}, {j, j, 1}, {i, j, -1}}, target, 1}; }

// Pairs count twice and should have t K_ij = 1; the base is −L.
ConicKernelProblem pairs_problem(const NpklCase& from, ConicLoss loss, double C) {
  ConicKernelProblem problem{.base = -from.laplacian(), .loss = loss, .penalty = C};
  for (const auto& pair : from.pairs)
    problem.measurements.push_back({{{Index(pair[0]), Index(pair[1]), pair[2] / 2}}, 1, 2});
  return problem;
}

ConicKernelProblem unfolding(const NpklCase& from, double C) {
  ConicKernelProblem problem{
      .base = Matrix::Identity(from.n, from.n).array() - 1 / double(from.n), .loss = ConicLoss::square, .penalty = C};
  for (const auto& edge : from.edges) {
    const Index i = Index(edge[0]), j = Index(edge[1]);
    problem.measurements.push_back(distance(i, j, from.squared_distance(i, j)));
  }
  return problem;
}

double inner(const ConicMeasurement& measurement, const Matrix& K) {
  double sum = 0;
  for (const auto& [row, column, value] : measurement.entries) sum += (row == column ? 1 : 2) * value * K(row, column);
  return sum;
}

// The kernel problem's objective, from its definition.
double objective_of(const ConicKernelProblem& problem, const Matrix& K) {
  double value = -problem.base.cwiseProduct(K).sum(), worst = 0;
  for (const ConicMeasurement& measurement : problem.measurements) {
    const double r = measurement.target - inner(measurement, K), over = std::max(r, 0.0);
    worst = std::max(worst, over);
    if (problem.slack != ConicSlack::each) continue;
    const double losses[] = {r, over, over * over / 2, r * r / 2};
    value += measurement.weight * problem.penalty * losses[int(problem.loss)];
  }
  if (problem.slack == ConicSlack::shared) value += problem.penalty * worst;
  if (problem.regulariser == ConicRegulariser::ridge) value += problem.strength / 2 * K.squaredNorm();
  return value;
}

// Solved, with a kernel that is one, in its budget, and worth what is claimed.
ConicSolution checked(ConicKernelProblem problem, ConicRegulariser regulariser, double strength) {
  problem.regulariser = regulariser;
  problem.strength = strength;
  const ConicSolution solution = solve_conic(problem, {}, {});
  CAPTURE(solution.message);
  // The last steps of CSDP differ between processors: of one entry it may call itself nearly done only.
  const bool nearly = solution.status == SdpStatus::nearly_solved && problem.base.rows() == 1;
  REQUIRE((solution.status == SdpStatus::solved || nearly));
  const double size = (1 + std::abs(solution.objective)) * (nearly ? 1000 : 1);
  CHECK(std::abs(solution.objective - solution.lower_bound) <= 1e-8 * size);
  CHECK(std::abs(objective_of(problem, solution.K) - solution.objective) <= 1e-7 * size);
  CHECK(Eigen::SelfAdjointEigenSolver<Matrix>(solution.K).eigenvalues()[0] >= -1e-6);
  if (regulariser == ConicRegulariser::trace) CHECK(solution.K.trace() <= strength * (1 + 1e-6));
  if (regulariser == ConicRegulariser::square_trace) CHECK(solution.K.squaredNorm() <= strength * (1 + 1e-6));
  return solution;
}

double optimum(const ConicKernelProblem& problem, ConicRegulariser regulariser, double strength) {
  return checked(problem, regulariser, strength).objective;
}

doctest::Approx near(double value) { return doctest::Approx(value).epsilon(1e-6); }

using enum ConicRegulariser;

}  // namespace

TEST_CASE("the linear loss has the closed forms B λ_max, √B ‖A₊‖ and ‖A₊‖²/2G") {
  if (!test::csdp_installed()) return;
  const Index n = 6;
  Matrix noise = Rng(2, "conic").normal_matrix(n, n);
  ConicKernelProblem problem{.base = 0.5 * (noise + noise.transpose()), .loss = ConicLoss::linear, .penalty = 0.7};
  Matrix A = problem.base;
  double constant = 0;
  for (Index i = 0; i + 1 < n; ++i) {
    const double t = i % 2 ? 1 : -1;
    problem.measurements.push_back({{{i, i + 1, t / 2}, {i, i, 0.1}}, 1.5, 2});
    A(i, i + 1) += 0.7 * t;
    A(i + 1, i) += 0.7 * t;
    A(i, i) += 2 * 0.7 * 0.1;
    constant += 2 * 0.7 * 1.5;
  }
  const Vector eigenvalues = Eigen::SelfAdjointEigenSolver<Matrix>(A).eigenvalues();
  const double positive = eigenvalues.cwiseMax(0).norm();

  CHECK(optimum(problem, trace, 3) == near(constant - 3 * eigenvalues[n - 1]));
  CHECK(optimum(problem, square_trace, 3) == near(constant - std::sqrt(3.0) * positive));
  CHECK(optimum(problem, ridge, 0.5) == near(constant - positive * positive / (2 * 0.5)));
}

TEST_CASE("one entry, where every loss can be solved by hand, agrees in both forms of the program") {
  if (!test::csdp_installed()) return;
  // minimise K + w loss(3 − 2K) over K >= 0, with C = 1, w = 5.
  ConicKernelProblem problem{
      .base = -Matrix::Identity(1, 1), .measurements = {{{{0, 0, 2}}, 3, 5}}, .regulariser = ConicRegulariser::none};
  const auto least = [&](auto value) {
    double best = value(0.0);
    for (int step = 0; step <= 200000; ++step) best = std::min(best, value(step * 1e-5));
    return best;
  };
  const double far = 4;  // budgets K <= 2 in both powers: tr K² <= 4, tr K <= 2
  for (const ConicLoss loss : {ConicLoss::linear, ConicLoss::hinge, ConicLoss::square_hinge, ConicLoss::square}) {
    CAPTURE(int(loss));
    problem.loss = loss;
    const double expected = least([&](double K) { return objective_of(problem, Matrix::Constant(1, 1, K)); });
    const auto agree = doctest::Approx(expected).epsilon(1e-5);
    CHECK(optimum(problem, trace, std::sqrt(far)) == agree);
    CHECK(optimum(problem, square_trace, far) == agree);
  }
}

TEST_CASE("tiny8: pairs with every loss have the known optima") {
  const auto from = test::npkl_case("tiny8");
  if (!from || !test::csdp_installed()) return;
  const double pairs = double(from->pairs.size());
  const auto linear = pairs_problem(*from, ConicLoss::linear, 0.5);

  // The page gives max <A, K>, without the constant 2 C m of the losses.
  CHECK(2 * 0.5 * pairs - optimum(linear, trace, 2) == near(from->expected("linear_p1_B2")));
  CHECK(2 * 0.5 * pairs - optimum(linear, square_trace, 2) == near(from->expected("linear_p2_B2")));
  CHECK(2 * 0.5 * pairs - optimum(linear, ridge, 0.5) == near(from->expected("linear_p2_G0.5")));
  const struct {
    const char* name;
    ConicLoss loss;
  } losses[] = {{"hinge", ConicLoss::hinge}, {"sqhinge", ConicLoss::square_hinge}, {"square", ConicLoss::square}};
  for (const auto& [name, loss] : losses) {
    CAPTURE(name);
    const auto problem = pairs_problem(*from, loss, 1);
    CHECK(optimum(problem, square_trace, 1) == near(from->expected(std::string(name) + "_B1")));
    CHECK(optimum(problem, square_trace, 8) == near(from->expected(std::string(name) + "_B8")));
    CHECK(optimum(problem, ridge, 0.1) == near(from->expected(std::string(name) + "_G0.1")));
  }
}

TEST_CASE("iris30: pairs on a graph with isolated vertices have the known optima") {
  const auto from = test::npkl_case("iris30");
  if (!from || !test::csdp_installed()) return;
  const auto problem = pairs_problem(*from, ConicLoss::square_hinge, 1);
  CHECK(optimum(problem, square_trace, 30) == near(18.073027734));
  CHECK(optimum(problem, ridge, 0.1) == near(16.510213364));
}

TEST_CASE("both forms of the program agree where no budget binds") {
  if (!test::csdp_installed()) return;
  const Index n = 5;
  Rng rng(3, "conic");
  for (const ConicLoss loss : {ConicLoss::hinge, ConicLoss::square_hinge, ConicLoss::square}) {
    CAPTURE(int(loss));
    const Matrix G = rng.normal_matrix(n, 2);
    ConicKernelProblem problem{.base = -Matrix::Identity(n, n) - G * G.transpose(), .loss = loss, .penalty = 2};
    for (int k = 0; k < 6; ++k) {
      const Index i = rng.below(n), j = rng.below(n);
      problem.measurements.push_back(
          {{{i, j, rng.normal()}, {j, i, rng.normal()}}, rng.normal() + 2, 0.5 + rng.uniform()});
    }
    CHECK(optimum(problem, trace, 200) == near(optimum(problem, square_trace, 40000)));
  }
}

TEST_CASE("nopos6: no positive eigenvalue gives the kernel 0") {
  auto from = test::npkl_case("nopos6");
  if (!from || !test::csdp_installed()) return;
  from->edges = {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {0, 2}, {3, 5}};  // 2 neighbours of points on a line
  const auto problem = pairs_problem(*from, ConicLoss::linear, 0.05);
  for (const auto regulariser : {trace, square_trace, ridge}) {
    const ConicSolution solution = checked(problem, regulariser, 1);
    CHECK(solution.objective == near(2 * 0.05));  // the constant of the loss
    CHECK(solution.K.norm() < 1e-4);
  }
}

TEST_CASE("arc20: unfolding with distances that may give, and with hard ones, has the known optima") {
  const auto from = test::npkl_case("arc20");
  if (!from || !test::csdp_installed()) return;
  auto problem = unfolding(*from, 1);
  CHECK(optimum(problem, square_trace, 20) == near(from->expected("mvu C=1 B=20")));
  CHECK(optimum(problem, square_trace, 2000) == near(from->expected("mvu C=1 B=2000")));
  CHECK(optimum(problem, ridge, 0.01) == near(from->expected("mvu C=1 G=0.01")));

  // Coloured: A₀ = HYH with 1 for equal labels.
  auto coloured = problem;
  const std::vector<int> labels = from->facts["labels"];
  for (Index i = 0; i < from->n; ++i)
    for (Index j = 0; j < from->n; ++j) coloured.base(i, j) = double(labels[std::size_t(i)] == labels[std::size_t(j)]);
  coloured.base = (problem.base * coloured.base * problem.base).eval();
  CHECK(optimum(coloured, square_trace, 20) == near(from->expected("cmvu C=1 B=20")));

  problem.centred = true;
  problem.slack = ConicSlack::none;
  const ConicSolution hard = checked(problem, ConicRegulariser::none, 1);
  CHECK(hard.K.trace() == doctest::Approx(double(from->facts["expected"]["mvu hard"]["trK"])).epsilon(1e-6));
  CHECK(hard.K.rowwise().sum().norm() < 1e-9);
  for (const auto& measurement : problem.measurements)
    CHECK(inner(measurement, hard.K) == doctest::Approx(measurement.target).epsilon(1e-6));
}

TEST_CASE("a trace budget means the same for a centred kernel, whose program leaves one point out") {
  const auto from = test::npkl_case("arc20");
  if (!from || !test::csdp_installed()) return;
  auto problem = unfolding(*from, 1);
  const double free = optimum(problem, trace, 20);
  problem.centred = true;
  const ConicSolution solution = checked(problem, trace, 20);
  CHECK(solution.objective == near(free));
  CHECK(solution.K.rowwise().sum().norm() < 1e-9);
}

TEST_CASE("spe12: one slack for all triples has the known optima") {
  const auto from = test::npkl_case("spe12");
  if (!from || !test::csdp_installed()) return;
  const Matrix W = from->weights();
  const Matrix H = Matrix::Identity(from->n, from->n).array() - 1 / double(from->n);
  ConicKernelProblem problem{.base = H * W * H, .slack = ConicSlack::shared};
  for (Index i = 0; i < from->n; ++i)
    for (Index j = 0; j < from->n; ++j)
      for (Index k = 0; k < from->n; ++k)
        if (j != i && W(i, j) == 0 && W(i, k) == 1)  // <T_ij − T_ik, K> >= −ξ
          problem.measurements.push_back({{{j, j, 1}, {i, j, -1}, {k, k, -1}, {i, k, 1}}, 0, 1});
  REQUIRE(problem.measurements.size() == 264);
  problem.penalty = 0.01;
  CHECK(optimum(problem, square_trace, 12) == near(from->facts["expected"]["C=0.01 B=12"]["conic"]));
  problem.penalty = 1;
  CHECK(optimum(problem, square_trace, 12) == near(from->facts["expected"]["C=1 B=12"]["conic"]));
}

TEST_CASE("the shared slack agrees with its definition when the kernel is the matrix variable") {
  if (!test::csdp_installed()) return;
  // maximise K₀₀ − C max(0, K₀₀ − K₁₁) with tr K <= 2: C < 1/2 lets K₁₁ be 0.
  ConicKernelProblem problem{.base = Matrix::Zero(2, 2), .slack = ConicSlack::shared};
  problem.base(0, 0) = 1;
  problem.measurements = {{{{0, 0, -1}, {1, 1, 1}}, 0, 1}, {{{0, 0, -1}, {1, 1, 1}}, -0.5, 1}};
  problem.penalty = 0.25;
  CHECK(optimum(problem, trace, 2) == near(-2 + 0.25 * 2));
  problem.penalty = 3;
  CHECK(optimum(problem, trace, 2) == near(-1));
}

TEST_CASE("constraints that contradict each other and an objective without bound are told") {
  if (!test::csdp_installed()) return;
  ConicKernelProblem problem{
      .base = Matrix::Identity(3, 3), .slack = ConicSlack::none, .regulariser = ConicRegulariser::none};
  problem.centred = true;
  problem.measurements = {distance(0, 1, 1)};  // point 2 is free
  const ConicSolution unbounded = solve_conic(problem, {}, {});
  CHECK(unbounded.status == SdpStatus::dual_infeasible);
  CHECK(unbounded.message.find("no bound") != std::string::npos);

  problem.measurements = {distance(0, 1, 1), distance(0, 2, 1), distance(1, 2, 25)};  // the triangle inequality
  const ConicSolution contradictory = solve_conic(problem, {}, {});
  CHECK(contradictory.status == SdpStatus::primal_infeasible);
  CHECK(contradictory.K.size() == 0);
}

TEST_CASE("a kernel problem that makes no sense is refused in one sentence") {
  const auto told = [](auto change) {
    ConicKernelProblem problem{.base = Matrix::Identity(3, 3), .measurements = {distance(0, 1, 1)}};
    change(problem);
    return complaint([&] { solve_conic(problem, {}, {}); });
  };
  CHECK(told([](auto& p) { p.base = Matrix::Zero(2, 3); }).code == ErrorCode::bad_shape);
  CHECK(told([](auto& p) { p.base(0, 0) = kUnknown; }).code == ErrorCode::not_finite);
  CHECK(told([](auto& p) { p.measurements = {distance(0, 3, 1)}; }).says("(3, 3) of a 3 x 3 kernel"));
  CHECK(told([](auto& p) { p.measurements[0].target = kUnknown; }).code == ErrorCode::not_finite);
  CHECK(told([](auto& p) { p.measurements[0].weight = 0; }).says("weight is 0"));
  CHECK(told([](auto& p) { p.penalty = -1; }).says("penalty is -1"));
  CHECK(told([](auto& p) { p.strength = 0; }).says("ridge is 0"));
  CHECK(told([](auto& p) { p.slack = ConicSlack::none; }).says("hard equalities"));
  CHECK(told([](auto& p) { p.base = Matrix::Identity(101, 101); }).code == ErrorCode::unsupported);
  CHECK(told([](auto& p) {
          p.regulariser = ConicRegulariser::none;
          p.measurements.clear();
        }).says("no bound"));
  CHECK(told([](auto& p) {
          p.centred = true;
          p.measurements = {{{{0, 1, 0.5}}, 1, 2}};
        }).code == ErrorCode::bad_data);
}

TEST_CASE("a problem of the dual solver is the same one here: the optimum lies within its bounds") {
  if (!test::csdp_installed()) return;
  Rng rng(4, "conic");
  const Index n = 7;
  const kernel_dual::Capacity capacities[] = {{kernel_dual::Capacity::Form::ridge, 0.2, 2},
                                              {kernel_dual::Capacity::Form::budget, 3, 2},
                                              {kernel_dual::Capacity::Form::budget, 3, 1}};
  for (const std::string& loss : loss_names())
    for (const auto& capacity : capacities) {
      if (capacity.power == 1 && loss != "linear") continue;  // no smooth dual
      CAPTURE(loss);
      CAPTURE(capacity.power);
      const Matrix G = rng.normal_matrix(n, n);
      std::vector<std::vector<EntryTerm>> rows;
      for (int k = 0; k < 8; ++k) rows.push_back({{rng.below(n), rng.below(n), rng.normal()}, {0, 1, rng.normal()}});
      kernel_dual::Problem problem;
      problem.base.sparse = Matrix(0.3 * (G + G.transpose())).sparseView();
      problem.measurements = Measurements(n, rows);
      problem.targets = rng.normal_matrix(8, 1);
      problem.weight = 1.5;
      problem.loss = make_loss(loss, 0.8);
      problem.capacity = capacity;
      RunContext context;

      const ConicKernelProblem conic = as_conic(problem, context);
      const double optimum = checked(conic, conic.regulariser, conic.strength).objective;
      const auto dual = kernel_dual::solve(problem, {}, context);

      const double slack = 1e-7 * (1 + std::abs(optimum));
      CHECK(dual.dual <= optimum + slack);
      CHECK(dual.primal >= optimum - slack);
      CHECK(dual.gap <= 1e-5 * (1 + std::abs(optimum)));
    }
}

TEST_CASE("powers that no semidefinite program of ours has are refused") {
  kernel_dual::Problem problem;
  problem.base.sparse = SparseRows(2, 2);
  problem.measurements = pair_entries(2, {{0, 1, 1}});
  problem.targets = Vector::Ones(1);
  problem.capacity.power = 1.5;
  CHECK(complaint([&] { as_conic(problem, {}); }).says("power is 1.5"));
}
