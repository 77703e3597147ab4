// SPDX-License-Identifier: MIT
// One Φ by tiles, as a share of the dgemm rate measured beside it, counting n²·d floating-point operations (each
// unordered pair once); the polynomial kernel's exact route and a Gaussian's low-rank one against their tiles.
#include <benchmark/benchmark.h>

#include <chrono>
#include <memory>

#include "linalg/products/dgemm_rate.hpp"
#include "linalg/subspace.hpp"
#include "ritz/base/random.hpp"
#include "ritz/pairs/backend.hpp"

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

struct Problem {
  RowMatrix X;
  Matrix W;
  Samples samples;
  std::unique_ptr<PairPass> pass;
  KernelSum kernel;
  RunContext context;

  Problem(Index n, Index d, const std::string& text)
      : X(Rng(1, "data").normal_matrix(n, d)),
        W(orthonormalise(Rng(1, "W").normal_matrix(d, 10)).basis),
        samples(X),
        pass(cpu_backend().pair_pass(samples, supervised_gamma(balanced_labels(n, 10)))),
        kernel(parse_kernel(text)) {}
  double seconds(RouteChoice route) {
    pass->force_route(route);
    return seconds_of([&] { benchmark::DoNotOptimize(pass->sums(W, kernel, context)); });
  }
};

void phi_of(benchmark::State& state, const std::string& kernel) {
  const Index n = state.range(0), d = state.range(1);
  Problem problem(n, d, kernel);

  double best = 1e300, ceiling = 0;
  for (auto _ : state) {
    state.PauseTiming();
    ceiling = std::max(ceiling, dgemm_rate(problem.context, 3));
    state.ResumeTiming();
    best = std::min(best, problem.seconds(RouteChoice::tiled));
  }
  const double rate = double(n) * double(n) * double(d) / best;
  state.counters["GFLOP/s"] = rate / 1e9;
  state.counters["dgemm GFLOP/s"] = ceiling / 1e9;
  state.counters["of dgemm"] = rate / ceiling;
}

// ΦW and F without Φ, and one product with the second derivative, against Φ itself.
void gradient_of(benchmark::State& state, const std::string& kernel) {
  Problem problem(state.range(0), state.range(1), kernel);
  double sums = 1e300, gradient = 1e300, curvature = 1e300, five = 1e300;
  const Matrix E = Rng(1, "E").normal_matrix(state.range(1), 50);
  for (auto _ : state) {
    sums = std::min(sums, problem.seconds(RouteChoice::tiled));
    const auto product = [&](Index columns) {
      return seconds_of([&] {
        benchmark::DoNotOptimize(
            problem.pass->curvature_product(problem.W, problem.kernel, E.leftCols(columns), problem.context));
      });
    };
    for (int r = 0; r < 3; ++r) {
      gradient =
          std::min(gradient, seconds_of([&] {
                     benchmark::DoNotOptimize(problem.pass->gradient(problem.W, problem.kernel, problem.context));
                   }));
      curvature = std::min(curvature, product(10));
      five = std::min(five, product(50));
    }
  }
  state.counters["sums s"] = sums;
  state.counters["gradient s"] = gradient;
  state.counters["curvature s"] = curvature;
  state.counters["five curvatures s"] = five;
  state.counters["sums/gradient"] = sums / gradient;
}

// Φ in mixed precision against Φ in double, and its error as the pass measures it.
void mixed_of(benchmark::State& state, const std::string& kernel) {
  Problem problem(state.range(0), state.range(1), kernel);
  double full = 1e300, mixed = 1e300;
  for (auto _ : state) {
    problem.pass->set_accuracy({Precision::full, 0});
    full = std::min(full, problem.seconds(RouteChoice::tiled));
    problem.pass->set_accuracy({Precision::mixed, 0});
    problem.seconds(RouteChoice::tiled);  // measures its error the first time
    mixed = std::min(mixed, problem.seconds(RouteChoice::tiled));
  }
  state.counters["double s"] = full;
  state.counters["mixed s"] = mixed;
  state.counters["speedup"] = full / mixed;
  state.counters["error"] = problem.pass->precision_error();
}

void polynomial_routes(benchmark::State& state) {
  Problem problem(state.range(0), state.range(1), "polynomial(degree=3,offset=1)");
  double tiled = 1e300, direct = 1e300;
  for (auto _ : state) {
    tiled = std::min(tiled, problem.seconds(RouteChoice::tiled));
    for (int r = 0; r < 3; ++r) direct = std::min(direct, problem.seconds(RouteChoice::direct));
  }
  state.counters["tiled s"] = tiled;
  state.counters["direct s"] = direct;
  state.counters["speedup"] = tiled / direct;
}

// Samples near a subspace of ten dimensions, as projected images are: a wide Gaussian has low rank there.
void low_rank(benchmark::State& state, double error) {
  Problem problem(state.range(0), state.range(1), "gaussian(sigma=9)");
  double tiled = 1e300, low = 1e300;
  PairSums sums;
  for (auto _ : state) {
    problem.pass->set_accuracy({});
    tiled = std::min(tiled, problem.seconds(RouteChoice::tiled));
    problem.pass->set_accuracy({.approximate = error});
    problem.pass->force_route(RouteChoice::cheaper);
    sums = problem.pass->sums(problem.W, problem.kernel, problem.context);  // the pivots; later ones start from them
    low = std::min(low, problem.seconds(RouteChoice::cheaper));
  }
  state.counters["tiled s"] = tiled;
  state.counters["low-rank s"] = low;
  state.counters["speedup"] = tiled / low;
  state.counters["error bound"] = sums.error.objective / std::abs(sums.objective);
  state.SetLabel(problem.pass->route_text(10, problem.kernel));
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

BENCHMARK_CAPTURE(gradient_of, gaussian, "gaussian(sigma=5)")
    ->Args({10000, 784})
    ->Args({2000, 50})
    ->Iterations(2)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

BENCHMARK_CAPTURE(mixed_of, gaussian, "gaussian(sigma=5)")
    ->Args({10000, 784})
    ->Args({4000, 100})
    ->Iterations(2)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

BENCHMARK(polynomial_routes)
    ->Args({10000, 784})
    ->Args({60000, 784})
    ->Iterations(1)
    ->Unit(benchmark::kSecond)
    ->UseRealTime();

BENCHMARK_CAPTURE(low_rank, error_1e4, 1e-4)
    ->Args({10000, 784})
    ->Args({30000, 784})
    ->Iterations(1)
    ->Unit(benchmark::kSecond)
    ->UseRealTime();
BENCHMARK_CAPTURE(low_rank, error_1e6, 1e-6)
    ->Args({10000, 784})
    ->Iterations(1)
    ->Unit(benchmark::kSecond)
    ->UseRealTime();

}  // namespace

BENCHMARK_MAIN();
