// SPDX-License-Identifier: MIT
// Unfolding, graph excluded, beside the general solver CSDP on the same problem, and beside the seconds that the paper
// reports on its hardware. Without the data folder (RITZ_DATA) or CSDP each line says what is missing.
#include <benchmark/benchmark.h>

#include <chrono>
#include <cmath>
#include <numeric>

#include "oracles/csdp/kernel_program.hpp"
#include "pairs/neighbours.hpp"
#include "reproduce/data_folder.hpp"
#include "ritz/algorithms/unfold.hpp"
#include "ritz/base/random.hpp"
#include "ritz/data/io.hpp"
#include "ritz/data/synthetic.hpp"

using namespace ritz;

namespace {

double seconds_of(const auto& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// Centred, mean squared norm 1, joined to k neighbours or as many as connect the graph.
unfold::Problem problem_of(RowMatrix X, Index k, bool connect, const RunContext& context) {
  X.rowwise() -= X.colwise().mean().eval();
  X /= std::sqrt(X.squaredNorm() / double(X.rows()));
  unfold::Problem problem;
  problem.graph = connect ? connected_neighbour_graph(X, k, GraphKind::union_, context).graph
                          : neighbour_graph(nearest_neighbours(X, k, context), GraphKind::union_);
  problem.squared.resize(Index(problem.graph.edges.size()));
  for (Index e = 0; e < problem.squared.size(); ++e) {
    const auto [i, j] = problem.graph.edges[std::size_t(e)];
    problem.squared(e) = (X.row(i) - X.row(j)).squaredNorm();
  }
  problem.start = std::move(X);
  return problem;
}

RowMatrix roll(Index n) { return generate("swiss-roll", {.samples = n, .features = 0, .noise = -1}, 0).data.dense(); }

void report(benchmark::State& state, const unfold::Result& found, double ours, double theirs, const char* whose) {
  state.counters[whose] = theirs;
  state.counters["times faster"] = theirs / ours;
  state.counters["objective"] = found.objective;
  state.counters["relative gap"] = found.relative_gap;
  state.counters["evaluations"] = found.evaluations;
  state.counters["rounds"] = found.rounds;
  state.SetLabel(std::string(to_string(found.summary.termination)));
}

// The same problem by us and by the general solver: seconds of both, and how far the objectives lie apart.
void beside_csdp(benchmark::State& state, Index n, const unfold::Options& options) {
  RunContext context;
  try {
    const unfold::Problem problem = problem_of(roll(n), 5, true, context);
    unfold::Result found;
    double ours = 1e300;
    for (auto _ : state) ours = std::min(ours, seconds_of([&] { found = unfold::solve(problem, options, context); }));
    unfold::Options general = options;
    general.solver = unfold::Solver::csdp;
    unfold::Result oracle;
    const double theirs = seconds_of([&] { oracle = unfold::solve(problem, general, context); });
    report(state, found, ours, theirs, "csdp s");
    state.counters["difference"] = std::abs(found.objective - oracle.objective) / std::abs(oracle.objective);
  } catch (const Error& error) {
    state.SkipWithError(error.what());
  }
}

// tr K² <= N, at a size that CSDP can do; maximum variance unfolding without a limit, at our default tolerance and at
// one that gives the objective six digits.
void budget_100(benchmark::State& state) { beside_csdp(state, 100, {.penalty = 1, .budget = 100}); }
void free_100(benchmark::State& state) { beside_csdp(state, 100, {}); }
void free_400(benchmark::State& state) { beside_csdp(state, 400, {}); }
void free_400_closer(benchmark::State& state) { beside_csdp(state, 400, {.tolerance = 1e-3}); }

void coloured(benchmark::State& state, RowMatrix X, const std::vector<int>& labels, double paper, RunContext& context) {
  unfold::Problem problem = problem_of(std::move(X), 5, false, context);
  problem.labels = labels;
  const unfold::Options options{
      .method = unfold::Method::cmvu, .penalty = 1, .budget = double(problem.graph.vertices), .tolerance = 1e-3};
  unfold::Result found;
  double best = 1e300;
  for (auto _ : state) best = std::min(best, seconds_of([&] { found = unfold::solve(problem, options, context); }));
  report(state, found, best, paper, "paper s");
}

void cmvu_senate(benchmark::State& state) {
  RunContext context;
  try {
    coloured(state, read_matrix(data_file("npkl/senate.csv"), context),
             read_labels(data_file("npkl/senate.labels"), context).of, 1.50, context);
  } catch (const Error& error) {
    state.SkipWithError(error.what());
  }
}

void cmvu_usps(benchmark::State& state) {
  constexpr Index kTest = 2007;  // the last rows
  RunContext context;
  try {
    const RowMatrix X = read_matrix(data_file("npkl/usps.u8.npy"), context);
    const std::vector<int> labels = read_labels(data_file("npkl/usps.labels"), context).of;
    coloured(state, X.bottomRows(kTest), {labels.end() - kTest, labels.end()}, 29, context);
  } catch (const Error& error) {
    state.SkipWithError(error.what());
  }
}

// As large as the paper's graph of Flickr users, with as many contacts each.
constexpr Index kFlickr = 3660, kContacts = 10;
unfold::Problem flickr_sized(RunContext& context) {
  RowMatrix X = Rng(0, "unfold_bench").normal_matrix(kFlickr, 8);
  for (Index i = 0; i < kFlickr; ++i) X(i, 0) += 4.0 * double(i % 4);
  return problem_of(std::move(X), kContacts, true, context);
}

void sparse_graph(benchmark::State& state, const unfold::Options& options, double paper) {
  RunContext context;
  try {
    const unfold::Problem problem = flickr_sized(context);
    unfold::Result found;
    double ours = 1e300;
    for (auto _ : state) ours = std::min(ours, seconds_of([&] { found = unfold::solve(problem, options, context); }));
    report(state, found, ours, paper, "paper s");
    state.counters["constraints"] = double(found.constraints);
  } catch (const Error& error) {
    state.SkipWithError(error.what());
  }
}
void mve_3660(benchmark::State& state) {
  sparse_graph(state, {.method = unfold::Method::mve, .penalty = 1, .budget = 10.0 * kFlickr}, 27.2 * 60);
}
void spe_3660(benchmark::State& state) { sparse_graph(state, {.method = unfold::Method::spe}, 196.4 * 60); }

BENCHMARK(budget_100)->Iterations(3)->Unit(benchmark::kMillisecond);
BENCHMARK(free_100)->Iterations(3)->Unit(benchmark::kMillisecond);
BENCHMARK(free_400)->Iterations(3)->Unit(benchmark::kSecond);
BENCHMARK(free_400_closer)->Iterations(3)->Unit(benchmark::kSecond);
BENCHMARK(cmvu_senate)->Unit(benchmark::kMillisecond);
BENCHMARK(cmvu_usps)->Unit(benchmark::kSecond)->Iterations(1);
BENCHMARK(mve_3660)->Unit(benchmark::kSecond)->Iterations(1);
BENCHMARK(spe_3660)->Unit(benchmark::kSecond)->Iterations(1);

}  // namespace

BENCHMARK_MAIN();
