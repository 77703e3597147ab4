// SPDX-License-Identifier: MIT
#include "report/plot/svg_marker.hpp"

#include <fmt/format.h>

namespace ritz::svg {

void put_marker(Out out, Shape shape, double x, double y, double r) {
  switch (shape) {
    case Shape::circle:
      fmt::format_to(out, R"(<circle cx="{:.1f}" cy="{:.1f}" r="{:.2f}"/>)", x, y, r);
      break;
    case Shape::square: {
      const double a = 0.9 * r;
      fmt::format_to(out, R"(<rect x="{:.1f}" y="{:.1f}" width="{:.2f}" height="{:.2f}"/>)", x - a, y - a, 2 * a,
                     2 * a);
      break;
    }
    case Shape::triangle:
      fmt::format_to(out, R"(<path d="M{:.1f} {:.1f}l{:.2f} {:.2f}h{:.2f}z"/>)", x, y - 1.25 * r, 1.25 * r, 2.1 * r,
                     -2.5 * r);
      break;
    case Shape::diamond: {
      const double a = 1.3 * r;
      fmt::format_to(out, R"(<path d="M{0:.1f} {1:.1f}l{2:.2f} {2:.2f}l{3:.2f} {2:.2f}l{3:.2f} {3:.2f}z"/>)", x, y - a,
                     a, -a);
      break;
    }
    case Shape::cross:
    case Shape::plus: {
      const double a = 1.2 * r, w = 0.4 * r;
      fmt::format_to(
          out,
          R"(<path d="M{:.1f} {:.1f}h{:.2f}v{:.2f}h{:.2f}v{:.2f}h{:.2f}v{:.2f}h{:.2f}v{:.2f}h{:.2f}v{:.2f}h{:.2f}z")",
          x - w, y - a, 2 * w, a - w, a - w, 2 * w, w - a, a - w, -2 * w, w - a, w - a, -2 * w, a - w);
      if (shape == Shape::cross) fmt::format_to(out, " transform=\"rotate(45 {:.1f} {:.1f})\"", x, y);
      fmt::format_to(out, "/>");
      break;
    }
  }
}

void open_marker_group(Out out, int c, double opacity, double radius) {
  constexpr double kRoomyRadius = 2.2;
  fmt::format_to(out, R"(<g fill="{}" fill-opacity="{:.2f}")", colour_of(c), opacity);
  // Yellow needs an edge on white; others take a thin white one, which parts neighbours where there is room for it.
  if (colour_of(c) == "#F0E442")
    fmt::format_to(out, R"( stroke="#8A8000" stroke-width="{:.2f}")", 0.2 * radius);
  else if (radius >= kRoomyRadius)
    fmt::format_to(out, R"( stroke="#FFFFFF" stroke-width="0.6")");
  fmt::format_to(out, ">");
}

}  // namespace ritz::svg
