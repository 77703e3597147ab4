// SPDX-License-Identifier: MIT
#include "report/plot/bar_plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/plot/svg.hpp"

namespace ritz {

std::string bar_svg(const BarPlot& plot) {
  using namespace svg;
  constexpr double kWidth = 460, kRow = 19, kThick = 13, kSize = 11, kMostNameWidth = 190, kNumberRoom = 56;
  const std::size_t count = std::min(plot.bars.size(), kMostBars);
  double most = plot.reference > 0 ? plot.reference : 0, name_width = 0;
  for (std::size_t b = 0; b < count; ++b) {
    if (std::abs(plot.bars[b].value) <= kLargestDrawn) most = std::max(most, plot.bars[b].value);
    name_width = std::max(name_width, std::min(kMostNameWidth, text_width(plot.bars[b].name, kSize)));
  }
  Axis axis = fitting_axis(0, most > 0 ? most : 1);
  axis.low = 0;
  const Heading heading{plot.title, plot.subtitle};
  const double left = kMargin + name_width + 10, top = kMargin + heading.height() + 12;
  const double bottom = top + kRow * double(std::max<std::size_t>(1, count));
  const double width = std::max(left + kWidth + kNumberRoom + kMargin, heading.width());
  const auto x = [&](double value) { return left + kWidth * axis.share(value); };

  std::string svg;
  const Out out = std::back_inserter(svg);
  open_document(out, width, bottom + 74, heading);
  for (const double value : tick_values(axis)) {
    fmt::format_to(out, R"(<path d="M{:.1f} {:.1f}V{:.1f}" stroke="#E8E8E8"/>)", x(value), top, bottom);
    put_text(out, x(value), bottom + 16, tick_text(value, axis),
             {.size = kSize, .colour = "#595959", .anchor = "middle"});
  }
  fmt::format_to(out, "<g class=\"bars\">\n");
  for (std::size_t b = 0; b < count; ++b) {
    const Bar& bar = plot.bars[b];
    const double y = top + kRow * (double(b) + 0.5), value = std::isfinite(bar.value) ? std::max(0.0, bar.value) : 0;
    fmt::format_to(out, R"(<rect x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:g}" fill="{}"/>)", left,
                   y - 0.5 * kThick, x(std::min(value, axis.high)) - left, kThick, colour_of(bar.marked ? 5 : 0));
    put_text(out, left - 8, y + 4, bar.name, {.size = kSize, .anchor = "end"}, kMostNameWidth);
    put_text(out, x(std::min(value, axis.high)) + 6, y + 4, fmt::format("{:.4g}", bar.value),
             {.size = kSize, .colour = "#595959"});
  }
  fmt::format_to(out, "</g>\n");
  if (plot.reference > 0)
    fmt::format_to(out, R"(<path d="M{:.1f} {:.1f}V{:.1f}" stroke="#333333" stroke-dasharray="4 3"/>)",
                   x(plot.reference), top, bottom);
  put_text(out, left + 0.5 * kWidth, bottom + 36, plot.value_label, {.size = 12, .anchor = "middle"});
  std::string caption = plot.bars.size() > count ? fmt::format("{} of {} drawn; ", count, plot.bars.size()) : "";
  if (plot.reference > 0 && !plot.reference_means.empty()) caption += "dashed: " + plot.reference_means + "; ";
  if (std::ranges::any_of(plot.bars, &Bar::marked)) caption += "orange: " + plot.marked_means + "; ";
  if (!caption.empty()) caption.resize(caption.size() - 2);
  put_text(out, kMargin, bottom + 58, caption, {.size = kSize, .colour = "#767676"}, width - 2 * kMargin);
  svg += "</svg>\n";
  return svg;
}

}  // namespace ritz
