// SPDX-License-Identifier: MIT
// Text in SVG documents: escaped, measured without a font, cut where it does not fit.
#pragma once

#include <iterator>
#include <string>
#include <string_view>

#include "ritz/base/types.hpp"

namespace ritz::svg {

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
  double turn = 0;  // degrees
};

// Cut to `width`; the full text shows as a tooltip then.
void put_text(Out out, double x, double y, std::string_view text, const TextStyle& style, double width = 1e9);

struct Heading {
  std::string_view title, subtitle;
  double height() const { return (title.empty() ? 0 : 24) + (subtitle.empty() ? 0 : 20); }
};
// Opens the document: white ground, title and subtitle at the top. The caller closes </svg>.
void open_document(Out out, double width, double height, const Heading& heading);

}  // namespace ritz::svg
