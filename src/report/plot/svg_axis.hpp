// SPDX-License-Identifier: MIT
// Axes with round ticks.
#pragma once

#include <string>
#include <vector>

namespace ritz::svg {

inline constexpr double kLargestDrawn = 1e150;    // the axis arithmetic must not overflow
inline constexpr double kSmallestDrawn = 1e-150;  // nor vanish: less than this is drawn as zero

struct Axis {
  double low = 0, high = 1, step = 0.2;
  double share(double value) const { return (value - low) / (high - low); }
};

Axis fitting_axis(double smallest, double largest);  // with a little room at both ends
std::vector<double> tick_values(const Axis& axis);
std::string tick_text(double value, const Axis& axis);
std::string superscript(int number);  // -3 -> "⁻³"

}  // namespace ritz::svg
