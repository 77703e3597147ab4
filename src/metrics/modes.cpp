// SPDX-License-Identifier: MIT
#include "metrics/modes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "metrics/statistics.hpp"

namespace ritz {

namespace {

// Sorted. A run of equal values fills half of the way to the nearer neighbour, on both sides.
std::vector<double> laid_out(std::vector<double> values) {
  std::ranges::sort(values);
  std::vector<double> out = values;
  const std::size_t n = values.size();
  for (std::size_t begin = 0, end = 0; begin < n; begin = end) {
    while (end < n && values[end] == values[begin]) ++end;
    if (end - begin == 1) continue;
    const double left = begin > 0 ? values[begin] - values[begin - 1] : std::numeric_limits<double>::infinity(),
                 right = end < n ? values[end] - values[begin] : std::numeric_limits<double>::infinity();
    const double width = std::min(left, right);
    if (!std::isfinite(width)) continue;  // all are equal
    for (std::size_t i = begin; i < end; ++i) out[i] += width * ((double(i - begin) + 0.5) / double(end - begin) - 0.5);
  }
  return out;
}

// E₂(λ) − E₁(λ) of sorted values, in one pass: an interval ends at a value and begins at this one or an earlier one.
double gain(const std::vector<double>& x, double lambda) {
  const double share = 1 / double(x.size());
  double in_first = 0, in_second = 0, first = 0, second = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double way = i == 0 ? 0 : lambda * (x[i] - x[i - 1]);
    in_second = std::max(first, in_second - way) + share;
    in_first = std::max(0.0, in_first - way) + share;
    first = std::max(first, in_first);
    second = std::max(second, in_second);
  }
  return second - first;
}

}  // namespace

double second_peak(std::vector<double> values) {
  constexpr int kFinest = 60;
  const std::vector<double> x = laid_out(std::move(values));
  if (x.empty() || !(x.back() > x.front())) return 0;
  double most = 0;
  for (int i = -4; i <= kFinest; ++i) most = std::max(most, gain(x, std::exp2(i / 4.0) / (x.back() - x.front())));
  return most;
}

double second_peak_p(const std::vector<double>& values, Rng random) {
  constexpr int kDraws = 199;
  constexpr std::size_t kFewest = 8;
  std::vector<double> different = values;
  std::ranges::sort(different);
  if (std::size_t(std::unique(different.begin(), different.end()) - different.begin()) < kFewest) return 1;
  std::vector<double> drawn(kDraws), uniform(values.size());
  for (double& each : drawn) {
    for (double& value : uniform) value = random.uniform();
    each = second_peak(uniform);
  }
  const double scale = deviation(drawn) * std::sqrt(6) / std::numbers::pi;
  const double at = mean(drawn) - std::numbers::egamma * scale;
  return -std::expm1(-std::exp(-(second_peak(values) - at) / scale));
}

}  // namespace ritz
