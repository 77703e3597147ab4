// SPDX-License-Identifier: MIT
// Powers of two that bring numbers of any size near 1, so that their squares are numbers. A product with one is exact.
#pragma once

#include <algorithm>
#include <cmath>

namespace ritz {

// Times `largest` > 0 it lies in [1, 2), or as near as a number can bring it; 1 for 0.
inline double power_scale(double largest) {
  return largest > 0 && std::isfinite(largest) ? std::ldexp(1.0, std::min(1023, -std::ilogb(largest))) : 1.0;
}

// The same, and 1 where `largest` is plain: neither it nor products of two such numbers have squares out of range.
inline double plain_scale(double largest) {
  constexpr double kPlain = 1e60;
  return largest < kPlain && largest > 1 / kPlain ? 1.0 : power_scale(largest);
}

}  // namespace ritz
