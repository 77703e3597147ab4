// SPDX-License-Identifier: MIT
// The methods of the eigen engine side by side, around the numbers of plan_eigen.
#include <benchmark/benchmark.h>

#include "linalg/eigen.hpp"
#include "ritz/base/random.hpp"

namespace {

using namespace ritz;

// A Gaussian kernel matrix of points in the plane: a decaying spectrum, as most of ours are.
Matrix kernel_matrix(Index n, std::uint64_t seed = 1) {
  const Matrix x = Rng(seed, "bench").normal_matrix(2, n);
  Matrix k(n, n);
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < n; ++i) k(i, j) = std::exp(-0.5 * (x.col(i) - x.col(j)).squaredNorm());
  return k;
}

// Without gaps: the hard case for every iteration.
Matrix random_symmetric(Index n) {
  const Matrix m = Rng(1, "bench").normal_matrix(n, n);
  return 0.5 * (m + m.transpose());
}

void run(benchmark::State& state, const Matrix& matrix, Index k) {
  const auto method = EigenMethod(state.range(0));
  const DenseOperator op{matrix};
  const RunContext context{.threads = 1};
  EigenPairs pairs;
  for (auto _ : state) pairs = EigenSolver{method}(op, {Count{k}}, context);
  state.SetLabel(std::string(to_string(method)) + (pairs.complete ? "" : " INCOMPLETE"));
  state.counters["products"] = double(pairs.products);
}

void kernel(benchmark::State& state) { run(state, kernel_matrix(state.range(1)), state.range(2)); }
void no_gaps(benchmark::State& state) { run(state, random_symmetric(state.range(1)), state.range(2)); }

// A loop whose operator moves by a relative 1e-3 from step to step.
void loop(benchmark::State& state) {
  const auto method = EigenMethod(state.range(0));
  const Index n = state.range(1), k = state.range(2);
  const DenseOperator first{kernel_matrix(n)};
  const DenseOperator second{0.999 * first.matrix + 0.001 * kernel_matrix(n, 2)};
  const RunContext context{.threads = 1};
  EigenSolver solver(method);
  solver(first, {Count{k}}, context);
  EigenPairs pairs;
  bool at_first = true;
  for (auto _ : state) {
    pairs = solver(at_first ? second : first, {Count{k}}, context);
    at_first = !at_first;
  }
  state.SetLabel(std::string(to_string(method)) + " -> " + solver.last_plan().reason);
  state.counters["products"] = double(pairs.products);
}

void sizes(benchmark::internal::Benchmark* bench) {
  for (const long n : {200, 400, 800, 1600})
    for (const long k : {3, 20})
      for (const EigenMethod method : {EigenMethod::dense, EigenMethod::lanczos, EigenMethod::subspace})
        bench->Args({long(method), n, k});
  bench->Unit(benchmark::kMillisecond);
}

BENCHMARK(kernel)->Apply(sizes);
BENCHMARK(no_gaps)->Apply(sizes);
BENCHMARK(loop)->Apply(sizes);

}  // namespace

BENCHMARK_MAIN();
