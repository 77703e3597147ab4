// SPDX-License-Identifier: MIT
// Horizontal bars, each with its name, as self-contained SVG text.
#pragma once

#include <string>
#include <vector>

#include "ritz/base/types.hpp"

namespace ritz {

struct Bar {
  std::string name;
  double value;
  bool marked = false;  // drawn in another colour, which `marked_means` tells
};

struct BarPlot {
  std::vector<Bar> bars;  // from top to bottom
  std::string title, subtitle, value_label, marked_means;
  double reference = kUnknown;  // a dashed line at this value
  std::string reference_means;
};

inline constexpr std::size_t kMostBars = 60;

// The whole document; bars begin at 0, and values that are not finite or negative have none. Of more than kMostBars the
// first are drawn, and the caption says so.
std::string bar_svg(const BarPlot& plot);

}  // namespace ritz
