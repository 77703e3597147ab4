// SPDX-License-Identifier: MIT
// Line plots as self-contained SVG text: no fonts, scripts or files beside it.
#pragma once

#include <string>
#include <vector>

namespace ritz {

enum class AxisScale { linear, log2, log10 };

struct LineSeries {
  std::string name;           // in the legend; may be empty
  std::vector<double> x, y;   // as many of each; joined in the order given
  std::vector<double> error;  // half-length of the bar at each y; empty: no bars
  bool joined = true;         // false: markers only
  std::string colour{};       // of the markers, "#111111"; empty: the next of the palette
  void add(double at, double value) { x.push_back(at), y.push_back(value); }
};

struct LinePlot {
  std::vector<LineSeries> series;
  std::string title, subtitle;
  std::string x_label, y_label;
  AxisScale x_scale = AxisScale::linear, y_scale = AxisScale::linear;
  double width = 560, height = 380;  // of the panel, without numbers and legend
};

// The whole SVG document; the same input gives the same text. Names are escaped, and cut where they do not fit. Values
// that are NaN, infinite, beyond 1e150 or, on a logarithmic axis, not positive are left out, the line is broken there,
// and the caption says how many. A series of more than 2,000 points is thinned, one of more than 25 has no markers.
// Throws bad_shape when x, y and error of a series differ in length.
std::string line_svg(const LinePlot& plot);

}  // namespace ritz
