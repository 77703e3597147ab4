// SPDX-License-Identifier: MIT
// The parts of SVG documents.
#pragma once

#include <array>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "ritz/base/types.hpp"

namespace ritz::svg {

// --- text: escaped, measured without a font, cut where it does not fit ----------------------------------------------

using Out = std::back_insert_iterator<std::string>;

inline constexpr double kMargin = 24;  // around every picture

std::string escaped(std::string_view text);  // for XML; what it does not accept is replaced
double text_width(std::string_view text, double size);
std::string fitted(std::string_view text, double width, double size);  // cut, with an ellipsis, where it is wider
std::string grouped(Index count);                                      // 60000 -> "60,000"

struct TextStyle {
  double size;
  std::string_view colour = "#333333";
  std::string_view anchor = "start";
  std::string_view weight = "normal";
  double turn = 0;    // degrees
  bool halo = false;  // a white edge, for text on top of points
};

// Cut to `width`; the full text shows as a tooltip then.
void put_text(Out out, double x, double y, std::string_view text, const TextStyle& style, double width = 1e9);

struct Heading {
  std::string_view title, subtitle;
  double height() const { return (title.empty() ? 0 : 24) + (subtitle.empty() ? 0 : 20); }
  double width() const;  // of a document in which neither is cut
};
// Opens the document: white ground, title and subtitle at the top. The caller closes </svg>.
void open_document(Out out, double width, double height, const Heading& heading);

// --- axes with round ticks ------------------------------------------------------------------------------------------

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

// --- markers and colours of the series and classes ------------------------------------------------------------------

// Okabe & Ito's colours, told apart with every common colour blindness; the strongest on white come first.
inline constexpr std::array<std::string_view, 8> kPalette = {"#0072B2", "#E69F00", "#009E73", "#CC79A7",
                                                             "#56B4E9", "#D55E00", "#000000", "#F0E442"};
enum class Shape { circle, square, triangle, diamond, cross, plus };
inline constexpr int kShapes = 6;

// For what has an order: dark to light, told apart in print, too.
inline constexpr std::array<std::string_view, 5> kOrdered = {"#352A87", "#1F78B4", "#21A585", "#9BC53D", "#E8B71A"};

inline std::string_view colour_of(int c) { return kPalette[std::size_t(c) % kPalette.size()]; }
// The next shape once all colours have been used.
inline Shape shape_of(int c) { return Shape(c / int(kPalette.size()) % kShapes); }

// Sizes of equal visual weight: about the same area for each shape.
void put_marker(Out out, Shape shape, double x, double y, double r);
// Opens a <g> for markers of class c; `colour` in place of the class's own.
void open_marker_group(Out out, int c, double opacity, double radius, std::string_view colour = {});

}  // namespace ritz::svg
