// SPDX-License-Identifier: MIT
// Markers and colours of the series and classes of a plot.
#pragma once

#include <array>
#include <string_view>

#include "report/plot/svg_text.hpp"

namespace ritz::svg {

// Okabe & Ito's colours, told apart with every common colour blindness; the strongest on white come first.
inline constexpr std::array<std::string_view, 8> kPalette = {"#0072B2", "#E69F00", "#009E73", "#CC79A7",
                                                             "#56B4E9", "#D55E00", "#000000", "#F0E442"};
enum class Shape { circle, square, triangle, diamond, cross, plus };
inline constexpr int kShapes = 6;

inline std::string_view colour_of(int c) { return kPalette[std::size_t(c) % kPalette.size()]; }
// The next shape once all colours have been used.
inline Shape shape_of(int c) { return Shape(c / int(kPalette.size()) % kShapes); }

// Sizes of equal visual weight: about the same area for each shape.
void put_marker(Out out, Shape shape, double x, double y, double r);
// Opens a <g> for markers of class c.
void open_marker_group(Out out, int c, double opacity, double radius);

}  // namespace ritz::svg
