// SPDX-License-Identifier: MIT
#include "tasks/forecast_time.hpp"

#include "base/stopwatch.hpp"
#include "ritz/base/random.hpp"

namespace ritz {

Dataset probe_samples(Index rows, Index columns, Index classes, const Dataset* data) {
  if (data) {
    // Drawn: where classes take turns, rows evenly spread would all be of one.
    rows = std::min(rows, data->rows());
    Dataset probe = select_rows(*data, Rng(0, "forecast/rows").sample(data->rows(), rows));
    if (probe.labels.size() > 0) {  // classes that are left
      std::vector<std::string> names;
      for (const int label : probe.labels.of) names.push_back(probe.labels.names[std::size_t(label)]);
      probe.labels = make_labels(names);
      return probe;
    }
    std::vector<std::string> names;
    for (Index i = 0; i < rows; ++i) names.push_back(std::to_string(i % std::max<Index>(2, classes)));
    probe.labels = make_labels(names);
    return probe;
  }
  Rng rng(0, "forecast");
  const Index k = std::max<Index>(2, classes);
  const Matrix centers = 2 * rng.normal_matrix(k, columns);
  RowMatrix X(rows, columns);
  std::vector<std::string> names;
  for (Index i = 0; i < rows; ++i) {
    for (Index j = 0; j < columns; ++j) X(i, j) = (rng.normal() + centers(i % k, j)) / std::sqrt(1 + double(j));
    names.push_back(std::to_string(i % k));
  }
  Dataset probe;
  probe.samples = std::move(X);
  probe.feature_names = numbered_names("x", columns);
  probe.labels = make_labels(names);
  probe.source = "the forecast's samples";
  return probe;
}

SecondsForecast timed(Index rows, const std::function<void(Index rows, RunContext& context)>& fit, double otherwise,
                      const RunContext& context) {
  constexpr Index kFirst = 100;
  constexpr double kMoment = 0.3, kBearable = 1, kMost = 4;  // seconds: go on after less; give up after more
  struct Run {
    double rows, seconds;
  };
  std::vector<Run> runs;
  bool cut = false;
  const auto seconds_of = [&](Index n) {
    RunContext inner = context;
    inner.observer = nullptr;
    inner.world = nullptr;
    inner.deadline = std::min(context.deadline,
                              std::chrono::steady_clock::now() + std::chrono::milliseconds((long long)(1000 * kMost)));
    const Stopwatch watch;
    try {
      fit(n, inner);
    } catch (const Interrupted& interrupted) {
      if (interrupted.why != Interrupted::Why::time_limit || context.deadline < std::chrono::steady_clock::now()) throw;
    }
    return std::max(watch.seconds(), 1e-5);
  };
  for (Index n = std::min(rows, kFirst);; n = std::min(rows, 2 * n)) {
    try {
      double seconds = seconds_of(n);
      if (runs.empty() && seconds > kMoment && seconds < kBearable)  // it woke threads and libraries, too
        seconds = std::min(seconds, seconds_of(n));
      runs.push_back({double(n), seconds});
    } catch (const Error&) {
      if (runs.empty()) return {otherwise, otherwise / 10, otherwise * 10, "a guess: no small fit could be done"};
      break;
    }
    cut = runs.back().seconds > kMost;
    // Much of what a small fit takes may not grow at all: a second one tells.
    if (n == rows || runs.back().seconds > (runs.size() == 1 ? kBearable : kMoment)) break;
  }
  const Run last = runs.back();
  SecondsForecast found;
  if (last.rows == double(rows) && !cut) {
    found = {last.seconds, last.seconds / 2, last.seconds * 2, fmt::format("a fit to {} such rows took that", rows)};
    return found;
  }
  const double times = double(rows) / last.rows;
  // One or two fits tell little of the growth, and far from them the formula knows more.
  constexpr double kFar = 10;
  if (runs.size() <= 2 && times > kFar)
    return {std::max(otherwise, last.seconds), std::max(otherwise / 10, last.seconds),
            std::max(otherwise, last.seconds) * 10,
            fmt::format("by a formula: a fit to {} rows takes {} already", last.rows, seconds_text(last.seconds))};
  constexpr double kLeast = 1, kUsual = 2, kSteepest = 3;
  double power = kUsual;
  if (runs.size() > 1) {
    const Run& before = runs[runs.size() - 2];
    power = std::log(last.seconds / before.seconds) / std::log(last.rows / before.rows);
  }
  power = std::clamp(power, kLeast, kSteepest);
  found.seconds = last.seconds * std::pow(times, power);
  // What a power of the rows more or less makes of it, and the chance of the steps that a loop needs.
  constexpr double kChance = 2, kPower = 0.5;
  found.low = std::max(last.seconds, found.seconds / (kChance * std::pow(times, kPower)));
  found.high = found.seconds * kChance * std::pow(times, kPower);
  found.how = fmt::format("by {} to at most {} rows, growing as the power {:.2g} of them",
                          counted(Index(runs.size()), "fit"), last.rows, power);
  return found;
}

void add_seconds(ForecastReport& report, const SecondsForecast& forecast) {
  report.lines.add("time", "about {}, likely {} to {}; {}", seconds_text(forecast.seconds), seconds_text(forecast.low),
                   seconds_text(forecast.high), forecast.how);
  report.result["seconds"] = forecast.seconds;
  report.result["seconds_range"] = {forecast.low, forecast.high};
}

}  // namespace ritz
