// SPDX-License-Identifier: MIT
// Alternative clustering on the paper's face and WebKB sets with its settings, from scaled samples to labels, beside
// the seconds that it reports (Table 1, ISM from the spectral start: 1.5 s and 231 s). Without the data folder
// (RITZ_DATA) each line says what is missing.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <chrono>

#include "linalg/products/dgemm_rate.hpp"
#include "metrics/clustering.hpp"
#include "reproduce/data_folder.hpp"
#include "ritz/algorithms/kdac.hpp"
#include "ritz/data/io.hpp"
#include "ritz/data/preprocess.hpp"

using namespace ritz;

namespace {

struct Set {
  std::string samples, given, truth, kernel;
  Scaling scale;
  double lambda;
  kdac::Options how;
  double paper;  // seconds
};

void recluster(benchmark::State& state, const Set& set) {
  RunContext context;
  double best = 1e300, ceiling = 0;
  kdac::Result found;
  Labels truth;
  Index n = 0;
  try {
    Dataset data = read_dataset(data_file(fmt::format("ism/{}.csv", set.samples)), {}, context);
    apply_scaling(learn_scaling(data, set.scale), data.dense());
    const Samples X(data.dense());
    truth = read_labels(data_file(fmt::format("ism/{}.labels", set.truth)), context);
    const kdac::Problem problem{X,
                                parse_kernel(set.kernel),
                                {read_labels(data_file(fmt::format("ism/{}.labels", set.given)), context)},
                                set.lambda};
    n = X.rows();
    for (auto _ : state) {
      state.PauseTiming();
      ceiling = std::max(ceiling, dgemm_rate(context, 3));
      state.ResumeTiming();
      const auto start = std::chrono::steady_clock::now();
      found = kdac::solve(problem, set.how, context);
      best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
  } catch (const Error& error) {
    state.SkipWithError(error.what());
    return;
  }
  const Summary& summary = found.found.summary;
  state.counters["paper s"] = set.paper;
  state.counters["best s"] = best;
  state.counters["times faster"] = set.paper / best;
  state.counters["cost"] = found.cost;
  state.counters["NMI"] = normalised_mutual_information(found.found.labels, truth.of);
  state.counters["rounds"] = double(summary.iterations);
  for (const auto& [phase, seconds] : summary.seconds) state.counters[phase] = seconds;
  // Products that the machine could make in that time, n × n by n × n: what an O(n³) method would get.
  state.counters["dgemm n^3"] = best * ceiling / (2 * double(n) * double(n) * double(n));
  state.SetLabel(std::string(to_string(summary.termination)));
}

void face_given_pose(benchmark::State& state) {
  recluster(state, {"face_624x20",
                    "face.pose",
                    "face.identity",
                    "gaussian(sigma=3.17149)",
                    Scaling::standard,
                    1,
                    {.clusters = 4, .dimension = 17, .curvature = Effort::never},
                    1.5});
}
void webkb(benchmark::State& state) {
  recluster(state, {"webkb",
                    "webkb.university",
                    "webkb.topic",
                    "gaussian(sigma=18.742)",
                    Scaling::center,
                    0.057,
                    {.clusters = 4, .dimension = 4, .curvature = Effort::never},
                    231});
}

BENCHMARK(face_given_pose)->Iterations(20)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(webkb)->Iterations(1)->Unit(benchmark::kSecond)->UseRealTime();

}  // namespace

BENCHMARK_MAIN();
