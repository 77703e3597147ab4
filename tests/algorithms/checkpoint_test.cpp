// SPDX-License-Identifier: MIT
// Every state that a method keeps is whole: from each of them the rest of the run gives the same bits.
#include "ritz/base/checkpoint.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "algorithms/kernel_dual.hpp"
#include "linalg/subspace.hpp"
#include "ritz/algorithms/center.hpp"
#include "ritz/algorithms/isometry.hpp"
#include "ritz/algorithms/kdac.hpp"
#include "ritz/algorithms/npkl.hpp"
#include "ritz/algorithms/unfold.hpp"
#include "ritz/base/random.hpp"

using namespace ritz;

namespace {

template <class Result>
std::string bits(Result result) {
  result.summary.seconds.clear();
  Trace& trace = result.summary.trace;
  for (std::size_t r = 0; r < trace.rows(); ++r) trace.values[r * trace.columns.size() + 3] = 0;  // seconds
  Archive archive;
  archive(result);
  return archive.take();
}

// solve(context) gives a result; goes on from at most so many of the states that it left.
template <class Solve>
void check_states(const Solve& solve, std::size_t most = 25) {
  RunContext plain;
  plain.threads = 1;
  const std::string expected = bits(solve(plain));
  std::vector<std::string> written;
  Checkpoint checkpoint([&](const std::string& bytes) { written.push_back(bytes); }, 0);
  RunContext recorded = plain;
  recorded.checkpoint = &checkpoint;
  CHECK(bits(solve(recorded)) == expected);
  REQUIRE(written.size() > 1);
  const std::size_t step = std::max<std::size_t>(1, written.size() / most);
  for (std::size_t k = 0; k < written.size(); k += step) {
    CAPTURE(k);
    CAPTURE(written.size());
    Checkpoint later([](const std::string&) {}, 0);
    later.restore(written[k]);
    RunContext context = plain;
    context.checkpoint = &later;
    CHECK(bits(solve(context)) == expected);
    CHECK(later.stages() + later.iterations() > 0);
  }
}

RowMatrix drawn(Index n, Index d) {
  RowMatrix X = Rng(7, "checkpoint_test").normal_matrix(n, d);
  for (Index i = 0; i < n; ++i) X(i, i % 3) += 3;
  return X;
}

Labels dealt(Index n, int classes) {
  Labels labels;
  for (Index i = 0; i < n; ++i) labels.of.push_back(int(i) % classes);
  for (int c = 0; c < classes; ++c) labels.names.push_back(std::to_string(c));
  return labels;
}

Graph ring(Index n) {  // each with the next two
  Graph graph{n, {}};
  for (Index i = 0; i < n; ++i)
    for (const Index step : {1, 2}) graph.edges.push_back({std::min(i, (i + step) % n), std::max(i, (i + step) % n)});
  std::sort(graph.edges.begin(), graph.edges.end());
  return graph;
}

}  // namespace

TEST_CASE("the states of every solver of a subspace are whole") {
  const RowMatrix X = drawn(60, 6);
  const Samples samples(X);
  const ism::Problem problem{samples, supervised_gamma(dealt(60, 3)), parse_kernel("gaussian(sigma=2)")};
  ism::Options options{.dimension = 2, .tolerance = 1e-9, .max_iterations = 40};
  const auto check = [&] {
    check_states([&](RunContext& context) { return ism::solve(problem, options, context); }, 12);
  };
  for (const Solver solver : {Solver::ism, Solver::plain, Solver::dg, Solver::sm, Solver::gm, Solver::best}) {
    CAPTURE(int(solver));
    options.solver = solver;
    check();
  }
  options.restarts = 2;
  check();
  options.accuracy.approximate = 1e-3;
  options.solver = Solver::ism;
  check();
  options.accuracy = {.precision = Precision::mixed};
  check();
}

TEST_CASE("the states of rounds of clusters are whole") {
  const RowMatrix X = drawn(60, 5);
  const Samples samples(X);
  const kdac::Problem problem{samples, parse_kernel("gaussian(sigma=1.5)"), {dealt(60, 3)}, 0.05};
  const kdac::Options options{.clusters = 2, .restarts = 1, .round_tolerance = 1e-5, .max_rounds = 12};
  check_states([&](RunContext& context) { return kdac::solve(problem, options, context).found; }, 12);
}

TEST_CASE("the states of every solver of a kernel are whole") {
  const Index n = 40;
  const Graph graph = ring(n);
  Matrix L = 4 * Matrix::Identity(n, n);
  for (const auto& [i, j] : graph.edges) L(i, j) = L(j, i) = -1;
  const Sparse laplacian = (L / 4).sparseView();
  PairSet pairs{n, {}, {}, {}};
  for (Index i = 0; i + 7 < n; i += 2) pairs.pairs.push_back({i, i + 7, i % 3 == 0 ? 1 : -1});
  npkl::Options options;
  options.tolerance = 1e-9;
  options.max_iterations = 30;
  const auto check = [&] {
    check_states([&](RunContext& context) {
      kernel_dual::Problem dual = npkl::make_problem(laplacian, pairs, options);
      return kernel_dual::solve(dual, {.solver = options.solver, .tolerance = 1e-9, .max_iterations = 30}, context);
    });
  };
  for (const auto solver : {npkl::Solver::newton, npkl::Solver::lbfgsb, npkl::Solver::gradient}) {
    CAPTURE(int(solver));
    options.solver = solver;
    check();
  }
  options.solver = npkl::Solver::automatic;
  options.power = 1;
  options.budget = 20;
  options.loss = "hinge";
  check();
}

TEST_CASE("the states of every unfolding are whole") {
  unfold::Problem problem;
  problem.start = drawn(30, 3);
  problem.graph = ring(30);
  problem.squared.resize(Index(problem.graph.edges.size()));
  for (Index e = 0; e < problem.squared.size(); ++e) {
    const auto [i, j] = problem.graph.edges[std::size_t(e)];
    problem.squared(e) = (problem.start.row(i) - problem.start.row(j)).squaredNorm();
  }
  const auto check = [&](const unfold::Options& options) {
    check_states([&](RunContext& context) { return unfold::solve(problem, options, context); }, 10);
  };
  check({.method = unfold::Method::mvu, .dim = 2});
  check({.method = unfold::Method::mve, .dim = 2});
  check({.method = unfold::Method::spe, .dim = 2, .rounds = 8});
  unfold::Options bounded{.method = unfold::Method::mve, .dim = 2};
  bounded.budget = 60;
  check(bounded);
}

TEST_CASE("the states of the search for few measurements are whole") {
  const RowMatrix X = drawn(40, 7);
  const isometry::Problem problem{X};
  struct Kept {
    Matrix psi;
    Index pairs = 0;
    int sweeps = 0;
    Summary summary;
    void keep(Archive& archive) { archive(psi, pairs, sweeps, summary); }
  };
  const auto check = [&](auto solve) {
    check_states(
        [&](RunContext& context) {
          isometry::Result found = solve(context);
          return Kept{found.psi, found.working_pairs, found.sweeps, found.summary};
        },
        15);
  };
  isometry::Options options;
  options.distortion = 0.3;
  check([&](RunContext& context) { return isometry::solve(problem, options, context); });
  options.rank = 2;
  check([&](RunContext& context) { return isometry::solve(problem, options, context); });
  options.rank = 0;
  options.method = isometry::Method::numax;
  check([&](RunContext& context) { return isometry::solve(problem, options, context); });
  options.method = isometry::Method::automatic;
  check([&](RunContext& context) { return isometry::solve_nested(problem, {1, 2, 3}, options, context); });
  const RowMatrix many = drawn(900, 6);  // several levels of points
  const isometry::Problem levels{many};
  check([&](RunContext& context) { return isometry::solve(levels, options, context); });
}

TEST_CASE("the states of every centre are whole") {
  std::vector<Matrix> bases;
  for (Index i = 0; i < 12; ++i)
    bases.push_back(
        orthonormalise(Matrix::Identity(9, 3) + 0.4 * Rng(std::uint64_t(i), "centres").normal_matrix(9, 3)).basis);
  const center::Collection all = center::make_collection(bases);
  center::Options options;
  for (const auto solver : {center::Solver::newton, center::Solver::subgradient, center::Solver::renard}) {
    CAPTURE(int(solver));
    options.solver = solver;
    options.max_iterations = 30;
    check_states([&](RunContext& context) { return center::solve(all, 2, options, {}, context); }, 15);
  }
  for (const auto method : {center::Method::median, center::Method::karcher})
    check_states([&](RunContext& context) { return center::solve_average(all, 2, method, options, context); }, 15);
}
