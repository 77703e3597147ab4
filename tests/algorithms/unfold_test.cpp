// SPDX-License-Identifier: MIT
#include "ritz/algorithms/unfold.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <cmath>

#include "algorithms/kernel_dual.hpp"
#include "oracles/csdp/kernel_program.hpp"
#include "ritz/base/random.hpp"
#include "support/csdp.hpp"
#include "support/npkl_case.hpp"

using namespace ritz;

namespace {

double relative(double a, double b) { return std::abs(a - b) / std::abs(b); }

Graph case_graph(Index n, const std::string& path) {
  Graph graph{n, {}};
  for (const auto& row : test::number_rows(path))
    graph.edges.push_back({std::min(Index(row[0]), Index(row[1])), std::max(Index(row[0]), Index(row[1]))});
  std::sort(graph.edges.begin(), graph.edges.end());
  return graph;
}

std::optional<unfold::Problem> arc() {
  const auto points = test::case_file("arc20.X.csv");
  const auto edges = test::case_file("arc20.edges.csv");
  if (!points || !edges) return std::nullopt;
  const auto rows = test::number_rows(*points);
  unfold::Problem problem;
  problem.start.resize(Index(rows.size()), Index(rows[0].size()));
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t j = 0; j < rows[0].size(); ++j) problem.start(Index(i), Index(j)) = rows[i][j];
  problem.graph = case_graph(problem.start.rows(), *edges);
  problem.squared.resize(Index(problem.graph.edges.size()));
  for (Index e = 0; e < problem.squared.size(); ++e) {
    const auto [i, j] = problem.graph.edges[std::size_t(e)];
    problem.squared(e) = (problem.start.row(i) - problem.start.row(j)).squaredNorm();
  }
  problem.labels.assign(20, 0);
  for (std::size_t i = 10; i < 20; ++i) problem.labels[i] = 1;
  return problem;
}

// A ring of random points in three dimensions, and some chords.
unfold::Problem random_problem(Index n, std::uint64_t seed) {
  Rng rng(seed, "unfold_test");
  unfold::Problem problem;
  problem.start = rng.normal_matrix(n, 3);
  problem.graph.vertices = n;
  for (Index i = 0; i < n; ++i) {
    const Index next = (i + 1) % n, chord = (i + 2 + Index(seed) % (n / 2)) % n;
    problem.graph.edges.push_back({std::min(i, next), std::max(i, next)});
    if (i % 2 == 0 && chord != i) problem.graph.edges.push_back({std::min(i, chord), std::max(i, chord)});
    problem.labels.push_back(int(i % 3));
  }
  std::sort(problem.graph.edges.begin(), problem.graph.edges.end());
  problem.graph.edges.erase(std::unique(problem.graph.edges.begin(), problem.graph.edges.end()),
                            problem.graph.edges.end());
  problem.squared.resize(Index(problem.graph.edges.size()));
  for (Index e = 0; e < problem.squared.size(); ++e) {
    const auto [i, j] = problem.graph.edges[std::size_t(e)];
    problem.squared(e) = (problem.start.row(i) - problem.start.row(j)).squaredNorm();
  }
  return problem;
}

}  // namespace

TEST_CASE("the optimum of the arc's unfoldings") {
  const auto problem = arc();
  if (!problem) return;
  struct Expected {
    unfold::Method method;
    double penalty, budget, ridge, objective;
  };
  const Expected table[] = {
      {unfold::Method::mvu, 1, 20, 0, -10.873961580660}, {unfold::Method::mvu, 1, 2000, 0, -63.432844949480},
      {unfold::Method::mvu, 1, 0, 0.01, -70.534193163},  {unfold::Method::mvu, 100, 2000, 0, -53.8586031586851},
      {unfold::Method::cmvu, 1, 20, 0, -42.053742561},   {unfold::Method::cmvu, 1, 0, 0.01, -3347.41938008}};
  for (const Expected& expected : table) {
    CAPTURE(expected.penalty);
    CAPTURE(expected.budget);
    CAPTURE(expected.ridge);
    unfold::Options options;
    options.method = expected.method;
    options.penalty = expected.penalty;
    options.budget = expected.budget;
    options.ridge = expected.ridge;
    options.tolerance = 1e-8;
    RunContext context;

    const unfold::Result result = unfold::solve(*problem, options, context);

    CHECK(relative(result.objective, expected.objective) < 1e-6);
    CHECK(result.gap >= -1e-9 * std::abs(result.objective));
    CHECK(result.relative_gap < 1e-6);
  }
}

TEST_CASE("without a capacity the arc unfolds to the trace of the hard problem") {
  const auto problem = arc();
  if (!problem) return;
  unfold::Options options;
  options.penalty = 1e6;
  options.tolerance = 1e-5;
  RunContext context;

  const unfold::Result result = unfold::solve(*problem, options, context);

  CHECK(relative(result.trace, 75.8229077) < 1e-3);
  CHECK(result.relative_gap < 1e-3);
}

TEST_CASE("structure preserving embedding reaches the optimum of all triples") {
  const auto edges = test::case_file("spe12.edges.csv");
  if (!edges) return;
  struct Expected {
    double penalty, objective;
  };
  for (const Expected& expected : {Expected{0.01, -10.634673041506}, {0.1, -10.629464213}, {1, -10.629464213}}) {
    CAPTURE(expected.penalty);
    unfold::Problem problem;
    problem.graph = case_graph(12, *edges);
    unfold::Options options;
    options.method = unfold::Method::spe;
    options.penalty = expected.penalty;
    options.budget = 12;
    options.tolerance = 1e-7;
    options.rounds = 100;
    RunContext context;

    const unfold::Result result = unfold::solve(problem, options, context);

    CHECK(relative(result.objective, expected.objective) < 1e-6);
    CHECK(result.gap >= -1e-9);
    CHECK(result.relative_gap < 2e-6);
  }
}

TEST_CASE("without a capacity the bounds enclose the optimum that CSDP finds") {
  if (!test::csdp_installed()) return;
  for (const unfold::Method method : {unfold::Method::mvu, unfold::Method::cmvu})
    for (const std::uint64_t seed : {1, 2, 3}) {
      CAPTURE(seed);
      const unfold::Problem problem = random_problem(12, seed);
      unfold::Options options;
      options.method = method;
      options.penalty = 5;
      options.tolerance = 1e-5;
      RunContext context;

      const unfold::Result found = unfold::solve(problem, options, context);
      const kernel_dual::Result truth = solve_by_csdp(unfold::dual_problem(problem, options, context), 1e-9, context);

      CHECK(found.summary.converged());
      CHECK(found.dual <= truth.primal + 1e-6 * std::abs(truth.primal));
      CHECK(found.objective >= truth.dual - 1e-6 * std::abs(truth.dual));
      CHECK(relative(found.objective, truth.primal) < 2e-5);
    }
}

TEST_CASE("a bound is never above the optimum, however early the search is stopped") {
  for (const std::uint64_t seed : {4, 5, 6, 7}) {
    CAPTURE(seed);
    const unfold::Problem problem = random_problem(40, seed);
    unfold::Options options;
    options.tolerance = 1e-6;
    RunContext context;
    const unfold::Result best = unfold::solve(problem, options, context);
    REQUIRE(best.relative_gap < 1e-4);  // enclosed is enough: 1e-6 is not promised
    for (const int steps : {1, 10, 60}) {
      options.max_iterations = steps;

      const unfold::Result early = unfold::solve(problem, options, context);

      CHECK(early.dual <= best.objective + 1e-9 * std::abs(best.objective));
      CHECK(early.objective >= best.dual - 1e-9 * std::abs(best.dual));
    }
  }
}

TEST_CASE("the objective of an unfolding never rises, and ends below that of the samples") {
  const unfold::Problem problem = random_problem(60, 8);
  unfold::Options options;
  options.penalty = 1;
  RunContext context;

  const unfold::Result found = unfold::solve(problem, options, context);

  const Trace& trace = found.summary.trace;
  for (std::size_t row = 1; row < trace.rows(); ++row) CHECK(trace.at(row, 1) <= trace.at(row - 1, 1));
  RowMatrix centred = problem.start.rowwise() - problem.start.colwise().mean();
  CHECK(found.objective < -centred.squaredNorm());
}

TEST_CASE("a large graph without a capacity has the same bits for any number of threads") {
  const unfold::Problem problem = random_problem(3000, 9);
  unfold::Options options;
  options.max_iterations = 60;
  RunContext one, two;
  one.threads = 1;
  two.threads = 2;

  const unfold::Result a = unfold::solve(problem, options, one), b = unfold::solve(problem, options, two);

  CHECK(a.embedding == b.embedding);
  CHECK(a.dual == b.dual);
}

TEST_CASE("the end of the time keeps the best fit of mve, and begins none after it") {
  const unfold::Problem problem = random_problem(60, 5);
  unfold::Options options;
  options.method = unfold::Method::mve;
  options.penalty = 1;
  RunContext context;
  double before = kUnknown;
  int rounds = 0;
  context.observer = [&](const Progress& progress) {
    if (progress.path.ends_with("fit")) return Next::go_on;
    ++rounds;
    before = progress.objective;
    context.deadline = std::chrono::steady_clock::now();  // of all fits to come
    return Next::go_on;
  };

  const unfold::Result found = unfold::solve(problem, options, context);

  CHECK(found.summary.termination == Termination::time_limit);
  CHECK(rounds == 1);
  CHECK(found.objective <= before);
  CHECK(found.objective == found.summary.objective);
}

TEST_CASE("a fit on the way ends where little of its progress is left") {
  const unfold::Problem problem = random_problem(300, 5);
  RunContext context;
  const kernel_dual::Problem dual = unfold::dual_problem(problem, {}, context);
  kernel_dual::Options whole, part;
  whole.settled = part.settled = 1e-5;
  part.enough = 0.1;

  const kernel_dual::Result all = kernel_dual::solve_factored(dual, whole, context, problem.start);
  const kernel_dual::Result some = kernel_dual::solve_factored(dual, part, context, problem.start);

  CHECK(some.evaluations < all.evaluations);
  CHECK(some.primal >= all.primal);
  CHECK(some.primal < 0.5 * all.primal);  // negative: the most of what can be gained
}

TEST_CASE("an interrupt before the first step leaves the samples as the embedding, whatever was to come first") {
  const std::atomic<bool> cancelled = true;
  RunContext context;
  context.cancel = &cancelled;
  for (const Index n : {60, 5200}) {  // from 5000 on smooth vectors come first
    const unfold::Problem problem = random_problem(n, 8);
    for (const unfold::Method method : {unfold::Method::mvu, unfold::Method::cmvu, unfold::Method::mve}) {
      unfold::Options options;
      options.method = method;
      options.penalty = 1;

      const unfold::Result found = unfold::solve(problem, options, context);

      CHECK(found.summary.termination == Termination::interrupted);
      CHECK(found.embedding.rows() == n);
      CHECK(found.embedding.norm() > 0);
      CHECK(std::isfinite(found.objective));
      CHECK(found.measured.size() == problem.squared.size());
    }
  }
}
