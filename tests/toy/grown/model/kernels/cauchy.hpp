// SPDX-License-Identifier: MIT
// A kernel that the library does not have, with a width from the data: one file, as docs/extend/kernel.md says.
#pragma once

#include "ritz/model/kernel.hpp"

namespace ritz {

struct Cauchy {  // 1 / (1 + β/w²)
  static constexpr std::string_view name = "cauchy";
  static constexpr PairForm form = PairForm::difference;
  static constexpr int trend = -1;
  static constexpr bool positive = true;
  static constexpr bool per_sample = false;
  Bandwidth width;

  RITZ_INLINE double value(double beta) const { return 1 / (1 + rate() * beta); }
  RITZ_INLINE double slope(double beta) const { return -rate() * value(beta) * value(beta); }
  RITZ_INLINE double curvature(double beta) const { return -2 * rate() * slope(beta) * value(beta); }
  static constexpr auto fields() {
    return std::tuple{field("width", &Cauchy::width, "distance at which the kernel has halved")};
  }

 private:
  RITZ_INLINE double rate() const { return 1 / (width.value * width.value); }
};

}  // namespace ritz
