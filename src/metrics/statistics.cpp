// SPDX-License-Identifier: MIT
#include "metrics/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>

#include "ritz/base/types.hpp"

namespace ritz {

double mean(std::span<const double> values) {
  return values.empty() ? kUnknown : std::accumulate(values.begin(), values.end(), 0.0) / double(values.size());
}

double deviation(std::span<const double> values) {
  const double middle = mean(values);
  double squares = 0;
  for (const double value : values) squares += (value - middle) * (value - middle);
  return values.empty() ? kUnknown : std::sqrt(squares / double(values.size()));
}

std::vector<double> finite(std::span<const double> values) {
  std::vector<double> kept;
  std::ranges::copy_if(values, std::back_inserter(kept), [](double value) { return std::isfinite(value); });
  return kept;
}

double quantile(std::span<const double> sorted, double share) {
  const double place = share * double(sorted.size() - 1);
  const auto below = std::size_t(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (place - double(below)) * (sorted[above] - sorted[below]);
}

}  // namespace ritz
