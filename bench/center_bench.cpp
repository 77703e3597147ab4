// SPDX-License-Identifier: MIT
// The centre of the paper's collections beside its own solver, and of ten thousand subspaces.
#include <benchmark/benchmark.h>

#include <chrono>
#include <cmath>

#include "data/subspace_models.hpp"
#include "linalg/subspace.hpp"
#include "ritz/algorithms/center.hpp"
#include "ritz/base/parallel.hpp"

using namespace ritz;

namespace {

void beside_subgradient(benchmark::State& state) {
  RunContext context;
  Rng rng(1, "bench/center");
  const bool arc = state.range(0) == 1;
  const DrawnSubspaces drawn = arc ? draw_arc({}, rng) : draw_nested_ball({}, rng);
  const center::Collection all = center::make_collection(drawn.bases);
  center::Options theirs;
  theirs.solver = center::Solver::subgradient;
  const auto start = std::chrono::steady_clock::now();
  const center::Result slow = center::solve(all, 3, theirs, {}, context);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  center::Result ours;
  for (auto _ : state) ours = center::solve(all, 3, {}, {}, context);
  state.counters["subgradient s"] = seconds;
  state.counters["subgradient gap"] = slow.gap;
  state.counters["gap"] = ours.gap;
  state.counters["eigendecompositions"] = ours.evaluations;
  state.SetLabel(arc ? "arc" : "nested ball");
}
BENCHMARK(beside_subgradient)->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);

// Subspaces of dimension 5 to 20 around 5 common dimensions of R^500.
void many_subspaces(benchmark::State& state) {
  RunContext context;
  constexpr Index n = 500, k = 5;
  Rng rng(2, "bench/center");
  const Matrix common = orthonormalise(rng.normal_matrix(n, k)).basis;
  center::Collection all;
  Index rows = 0;
  for (Index i = 0; i < state.range(0); ++i) all.begin.push_back(rows += k + rng.below(16));
  all.vectors.resize(rows, n);
  for_each_tile(all.size(), context, [&](Index i) {
    Rng own(3, "bench/center", std::uint64_t(i) << 20);
    Matrix X = own.normal_matrix(n, all.dimension(i)) / std::sqrt(double(n));
    X.leftCols(k) = common + 0.5 * X.leftCols(k);
    all.vectors.middleRows(all.begin[std::size_t(i)], X.cols()) = orthonormalise(X).basis.transpose();
  });
  center::Result found;
  for (auto _ : state) found = center::solve(all, k, {}, {}, context);
  state.counters["gap"] = found.gap;
  state.counters["working set"] = double(found.working);
}
BENCHMARK(many_subspaces)->Arg(1000)->Arg(10000)->Unit(benchmark::kSecond)->Iterations(1);

}  // namespace

BENCHMARK_MAIN();
