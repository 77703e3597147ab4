// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <span>

namespace ritz {

// Interpolated between the two nearest of the sorted values (numpy's default); there is at least one.
inline double quantile(std::span<const double> sorted, double share) {
  const double place = share * double(sorted.size() - 1);
  const auto below = std::size_t(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (place - double(below)) * (sorted[above] - sorted[below]);
}

}  // namespace ritz
