// SPDX-License-Identifier: MIT
// Scatter plots as self-contained SVG text: no fonts, scripts or files beside it.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "ritz/base/types.hpp"

namespace ritz {

// One coordinate system. `points` is n × 1 or n × 2. A single column is drawn as one strip a class, spread across the
// strip by a fixed pattern, so that dense places show.
struct ScatterPanel {
  Matrix points;
  std::string title;  // above the panel; may be empty
  std::string x_label, y_label;
};

struct ScatterPlot {
  Matrix points;                         // n × 1 or n × 2
  std::vector<int> classes;              // one a point, numbers from 0; empty: all the same
  std::vector<std::string> class_names;  // by number; "class 3" where there is none
  std::string title, subtitle;
  std::string x_label, y_label;
  std::string panel_title;              // of the first panel; useful with more than one
  std::vector<ScatterPanel> more = {};  // further views of the same points, to the right: before and after
  // Points joined by thin lines beneath them, where there are two columns and all points are drawn.
  std::vector<std::array<Index, 2>> lines = {};
  bool equal_scale = false;  // a unit is as long on both axes
  // Written beside the points where there are few enough to be read (kMostNamedPoints); empty: none. Otherwise the
  // names of the classes stand at their middles.
  std::vector<std::string> point_names = {};
  bool ordered = false;  // the classes are steps of a number: their colours go from dark to light
};

inline constexpr std::size_t kMostNamedPoints = 60;

// The whole SVG document; the same input gives the same text. Names are escaped, and cut where they do not fit. Points
// with a coordinate that is NaN, infinite or beyond 1e150 are left out, and of more than 8,000 points every m-th of
// each class is drawn: the caption says so. Throws bad_shape when a panel has not one row a point or not one or two
// columns, bad_data for a negative class.
std::string scatter_svg(const ScatterPlot& plot);

}  // namespace ritz
