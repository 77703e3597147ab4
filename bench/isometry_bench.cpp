// SPDX-License-Identifier: MIT
// A sweep over all pairs against the rate of sgemm and dgemm in the same run, and whole searches beside the seconds
// that the paper reports on its hardware. Without the data folder (RITZ_DATA) a line says so.
#include <benchmark/benchmark.h>

#include <chrono>
#include <cmath>

#include "linalg/products/dgemm_rate.hpp"
#include "reproduce/data_folder.hpp"
#include "ritz/algorithms/isometry.hpp"
#include "ritz/base/error.hpp"
#include "ritz/base/random.hpp"
#include "ritz/data/io.hpp"
#include "ritz/pairs/backend.hpp"

using namespace ritz;

namespace {

// Two products a pair, d and r long.
void sweep(benchmark::State& state) {
  const Index n = state.range(0), d = state.range(1), r = state.range(2);
  RunContext context;
  const RowMatrix X = Rng(1, "bench").normal_matrix(n, d);
  const auto meter = backend_or_cpu(context).distance_sweep(X, {}, context);
  const Matrix psi = isometry::random_measurements(d, r, context);
  const double rate = dgemm_rate(context);
  isometry::SweepRequest request;
  request.band = 0.95;  // few pairs beyond it, as in the later rounds of a search
  request.listed = 1000;
  double seconds = 0;
  for (auto _ : state) {
    const auto start = std::chrono::steady_clock::now();
    benchmark::DoNotOptimize(meter->sweep(psi, request, context));
    seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }
  const double done = double(n) * double(n - 1) * double(d + r) * double(state.iterations()) / seconds;
  state.counters["GFLOP/s"] = done / 1e9;
  state.counters["of dgemm"] = done / rate;  // single precision: up to 2
  state.counters["pairs/s"] = double(n) * double(n - 1) / 2 * double(state.iterations()) / seconds;
}
BENCHMARK(sweep)->Args({4000, 400, 50})->Args({4000, 400, 100})->Args({8000, 49, 16})->Unit(benchmark::kMillisecond);

void digits(benchmark::State& state, double distortion, double paper) {
  RunContext context;
  try {
    const RowMatrix all = read_matrix(data_file("isometry/mnist5_train_7x7_f32.npy"), context);
    const RowMatrix X = all.topRows(state.range(0));
    isometry::Options options;
    options.distortion = distortion;
    double seconds = 0;
    Index rank = 0;
    for (auto _ : state) {
      const auto start = std::chrono::steady_clock::now();
      rank = isometry::solve({X}, options, context).psi.rows();
      seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    }
    state.counters["rank"] = double(rank);
    state.counters["paper's NILE-Pro, s"] = paper;
    state.counters["times faster"] = paper * double(state.iterations()) / seconds;
  } catch (const Error& error) {
    state.SkipWithError(error.what());
  }
}
BENCHMARK_CAPTURE(digits, distortion_0_4, 0.4, 710)->Arg(500)->Unit(benchmark::kMillisecond)->Iterations(1);
BENCHMARK_CAPTURE(digits, distortion_0_2, 0.2, 751)->Arg(500)->Unit(benchmark::kMillisecond)->Iterations(1);
BENCHMARK_CAPTURE(digits, distortion_0_1, 0.1, 1285)->Arg(500)->Unit(benchmark::kMillisecond)->Iterations(1);

}  // namespace

BENCHMARK_MAIN();
