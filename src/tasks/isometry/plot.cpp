// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "report/plot/line_plot.hpp"
#include "report/plot/svg_axis.hpp"
#include "report/plot/svg_text.hpp"
#include "tasks/isometry/task.hpp"

namespace ritz::isometry {

namespace {

std::string ratio_svg(const IsometryResult& found, double distortion) {
  using namespace svg;
  constexpr double kWidth = 620, kHeight = 300, kLeft = 70;
  const std::vector<Index>& counts = found.fit.sweep.histogram;
  const double step = counts.empty() ? 1 : (found.highest_bin - found.lowest_bin) / double(counts.size());
  // As far as there is something to see: the band, and all ratios.
  const double low = std::min(1 - distortion, found.fit.sweep.lowest),
               high = std::max(1 + distortion, found.fit.sweep.highest);
  const Axis across = fitting_axis(low, high);
  double most = 1;
  for (const Index count : counts) most = std::max(most, double(count));
  const Heading heading{"Distances kept by the measurements", ""};
  const std::string subtitle =
      fmt::format("{} measurements of {} features; ratios of {} pairs lie in [{:.3f}, {:.3f}]", found.fit.psi.rows(),
                  found.d, grouped(found.fit.sweep.pairs), found.fit.sweep.lowest, found.fit.sweep.highest);
  const Heading whole{heading.title, subtitle};
  const double top = kMargin + whole.height() + 26, left = kMargin + kLeft;
  const double width = left + kWidth + kMargin, height = top + kHeight + 60;
  std::string svg;
  const Out out = std::back_inserter(svg);
  open_document(out, width, height, whole);
  const auto x = [&](double value) { return left + kWidth * across.share(value); };
  const auto y = [&](double share) { return top + kHeight * (1 - share); };
  // The band.
  fmt::format_to(
      out,
      R"(<rect class="band" x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}" fill="#009E73" fill-opacity="0.10"/>)",
      x(1 - distortion), y(1), x(1 + distortion) - x(1 - distortion), kHeight);
  fmt::format_to(out, "\n<g class=\"bars\" fill=\"#0072B2\">\n");
  for (std::size_t b = 0; b < counts.size(); ++b) {
    if (counts[b] == 0) continue;
    const double from = std::max(found.lowest_bin + step * double(b), across.low),
                 to = std::min(from + step, across.high), share = double(counts[b]) / most;
    if (to <= from) continue;
    // A bin that holds something is never invisible.
    const double tall = std::max(share * kHeight, 0.8);
    fmt::format_to(out, R"(<rect x="{:.1f}" y="{:.1f}" width="{:.2f}" height="{:.1f}"/>)", x(from), y(0) - tall,
                   std::max(x(to) - x(from) - 0.3, 0.4), tall);
  }
  fmt::format_to(out, "\n</g>\n");
  for (const double edge : {1 - distortion, 1.0, 1 + distortion}) {
    fmt::format_to(out,
                   R"(<path d="M{0:.1f} {1:.1f}V{2:.1f}" stroke="{3}" stroke-width="1.4" stroke-dasharray="{4}"/>)",
                   x(edge), y(1), y(0), edge == 1.0 ? "#767676" : "#D55E00", edge == 1.0 ? "3 3" : "none");
    put_text(out, x(edge), y(1) - 6, edge == 1.0 ? "1" : fmt::format("{:g}", edge),
             {.size = 11, .colour = edge == 1.0 ? "#595959" : "#D55E00", .anchor = "middle"});
  }
  fmt::format_to(out, R"(<path d="M{:.1f} {:.1f}H{:.1f}" stroke="#595959" stroke-width="1"/>)", x(across.low), y(0),
                 x(across.high));
  for (const double value : tick_values(across))
    put_text(out, x(value), y(0) + 17, tick_text(value, across), {.size = 11, .colour = "#595959", .anchor = "middle"});
  put_text(out, left + 0.5 * kWidth, y(0) + 40, "squared distance after / before", {.size = 12, .anchor = "middle"});
  for (const double share : {0.0, 0.5, 1.0})
    put_text(out, left - 7, y(share) + 4, grouped(Index(std::llround(share * most))),
             {.size = 11, .colour = "#595959", .anchor = "end"});
  put_text(out, left - 58, y(0.5), "pairs", {.size = 12, .anchor = "middle", .turn = -90});
  svg += "</svg>\n";
  return svg;
}

std::string rank_svg(const IsometryResult& found) {
  LinePlot plot;
  plot.title = "Measurements against distortion";
  plot.subtitle = fmt::format("all pairs of {} samples, {} features", found.n, found.d);
  plot.x_label = "distortion of squared distances";
  plot.y_label = "measurements";
  LineSeries own{"smallest rank found", {}, {}, {}}, pca{"principal components", {}, {}, {}};
  for (const RankAt& each : found.sweep) {
    own.x.push_back(each.distortion);
    own.y.push_back(double(each.rank));
    pca.x.push_back(each.distortion);
    pca.y.push_back(double(each.principal));
  }
  plot.series = {own, pca};
  return line_svg(plot);
}

}  // namespace

std::string plot_svg(const IsometryResult& found, double distortion) {
  return found.sweep.empty() ? ratio_svg(found, distortion) : rank_svg(found);
}

}  // namespace ritz::isometry
