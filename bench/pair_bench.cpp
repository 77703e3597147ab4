// SPDX-License-Identifier: MIT
// One Φ by tiles, as a share of the dgemm rate measured beside it, counting n²·d floating-point operations (each
// unordered pair once).
#include <benchmark/benchmark.h>

#include <chrono>

#include "ritz/app/machine.hpp"
#include "ritz/backends/backend.hpp"
#include "ritz/linalg/subspace.hpp"

using namespace ritz;

namespace {

double seconds_of(const auto& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

Labels balanced_labels(Index n, int classes) {
  std::vector<std::string> texts;
  for (Index i = 0; i < n; ++i) texts.push_back(std::to_string(i % classes));
  return make_labels(texts);
}

void phi_of(benchmark::State& state, const std::string& kernel) {
  const Index n = state.range(0), d = state.range(1), q = 10;
  Rng rng(1, "data");
  const RowMatrix X = rng.normal_matrix(n, d);
  const Matrix W = orthonormalise(rng.normal_matrix(d, q)).basis;
  const Samples samples(X);
  auto pass = cpu_backend().pair_pass(samples, supervised_gamma(balanced_labels(n, 10)));
  pass->force_route(RouteChoice::tiled);
  const KernelSum sum = parse_kernel(kernel);
  const RunContext context;

  double best = 1e300, ceiling = 0;
  for (auto _ : state) {
    state.PauseTiming();
    ceiling = std::max(ceiling, dgemm_rate(context, 3));
    state.ResumeTiming();
    best = std::min(best, seconds_of([&] { benchmark::DoNotOptimize(pass->sums(W, sum, context)); }));
  }
  const double rate = double(n) * double(n) * double(d) / best;
  state.counters["GFLOP/s"] = rate / 1e9;
  state.counters["dgemm GFLOP/s"] = ceiling / 1e9;
  state.counters["of dgemm"] = rate / ceiling;
}

BENCHMARK_CAPTURE(phi_of, gaussian, "gaussian(sigma=5)")
    ->Args({10000, 784})
    ->Args({4000, 784})
    ->Args({4000, 100})
    ->Iterations(5)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK_CAPTURE(phi_of, multiquadric, "multiquadric")
    ->Args({10000, 784})
    ->Iterations(5)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

}  // namespace

BENCHMARK_MAIN();
