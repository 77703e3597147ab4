// SPDX-License-Identifier: MIT
#include "report/plot/line_plot.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/fail.hpp"
#include "report/plot/svg.hpp"

namespace ritz {
namespace {

using namespace svg;

constexpr double kTickSize = 11, kLegendSize = 12, kLegendRow = 20;
constexpr std::size_t kMostVertices = 2000;  // points of a series: several a pixel
constexpr std::size_t kMostMarked = 25;      // beyond this markers hide the line
constexpr std::size_t kMostNamed = 18;       // rows of the legend that fit beside the panel
constexpr double kNameWidth = 240;

struct Point {
  double x, y;       // shares of the panel
  double low, high;  // of the error bar
  bool after_gap;
};
struct Drawn {
  std::string name;
  std::vector<Point> points;
  bool joined, bars;
  int number;
  std::string colour;  // empty: that of the number
};

bool drawable(double value, AxisScale scale) {
  return std::abs(value) <= kLargestDrawn && (scale == AxisScale::linear || value >= kSmallestDrawn);
}

double placed(double value, AxisScale scale) {
  return scale == AxisScale::linear ? value : scale == AxisScale::log2 ? std::log2(value) : std::log10(value);
}

std::string power_text(double exponent, AxisScale scale) {
  constexpr double kPlainFrom = 1e-3, kPlainTo = 99'999;
  const double base = scale == AxisScale::log2 ? 2 : 10;
  const double value = std::pow(base, exponent);
  if (value < kPlainFrom || value > kPlainTo) return fmt::format("{:g}{}", base, superscript(int(exponent)));
  if (value >= 1) return grouped(Index(std::llround(value)));
  return base == 2 ? fmt::format("1/{:g}", 1 / value) : fmt::format("{:g}", value);
}

struct Tick {
  double share;
  std::string text;
};

// One direction: where values lie, from 0 to 1, and the numbers beside it.
struct Scale {
  AxisScale kind = AxisScale::linear;
  Axis axis;
  std::vector<Tick> ticks;
  double share(double value) const { return axis.share(placed(value, kind)); }
};

// Powers where several are in sight, and 1, 2, 5 of each decade where few are.
std::vector<Tick> power_ticks(const Axis& axis, AxisScale kind) {
  constexpr double kMostTicks = 9, kFewDecades = 3.2;
  std::vector<Tick> ticks;
  const double every = std::max(1.0, std::ceil((axis.high - axis.low) / kMostTicks));
  for (double k = std::ceil(axis.low / every) * every; k <= axis.high; k += every)
    ticks.push_back({axis.share(k), power_text(k == 0 ? 0 : k, kind)});
  if (kind == AxisScale::log10 && axis.high - axis.low < kFewDecades) {
    for (double k = std::floor(axis.low); k <= axis.high; ++k)
      for (const double factor : {2.0, 5.0}) {
        const double place = k + std::log10(factor);
        const double value = factor * std::pow(10, k);
        if (place < axis.low || place > axis.high) continue;
        const std::string text = std::abs(k) <= 3
                                     ? value >= 1 ? grouped(Index(std::llround(value))) : fmt::format("{:g}", value)
                                     : fmt::format("{:g}·10{}", factor, superscript(int(k)));
        ticks.push_back({axis.share(place), text});
      }
  }
  std::ranges::sort(ticks, {}, &Tick::share);
  return ticks;
}

struct Extent {
  std::optional<double> smallest, largest;
  bool whole = true;  // dimensions, iterations: nothing lies between them
  void add(double value) {
    smallest = smallest ? std::min(*smallest, value) : value;
    largest = largest ? std::max(*largest, value) : value;
    whole &= value == std::floor(value);
  }
};

Scale fitting_scale(AxisScale kind, const Extent& of) {
  const auto& [smallest, largest, whole] = of;
  Scale scale{kind, {}, {}};
  if (smallest) scale.axis = fitting_axis(placed(*smallest, kind), placed(*largest, kind));
  if (kind == AxisScale::linear && smallest && whole && *largest > *smallest)
    scale.axis.step = std::max(1.0, std::ceil(scale.axis.step));
  if (kind != AxisScale::linear && smallest && scale.axis.high - scale.axis.low < 1) {
    // Less than one power in sight: a whole one gives the ticks something to say.
    const double middle = 0.5 * (scale.axis.low + scale.axis.high);
    scale.axis.low = std::min(std::floor(middle), scale.axis.low);
    scale.axis.high = std::max(std::ceil(middle + 1e-9), scale.axis.high);
  }
  if (kind != AxisScale::linear)
    scale.ticks = power_ticks(scale.axis, kind);
  else
    for (const double value : tick_values(scale.axis))
      scale.ticks.push_back({scale.axis.share(value), tick_text(value, scale.axis)});
  return scale;
}

void check_lengths(const LinePlot& plot) {
  for (const LineSeries& series : plot.series)
    if (series.x.size() != series.y.size() || (!series.error.empty() && series.error.size() != series.y.size()))
      fail(ErrorCode::bad_shape,
           "the series '{}' has {} x, {} y and {} errors; x and y must be as many, errors too or none", series.name,
           series.x.size(), series.y.size(), series.error.size());
}

// The plot as it will be drawn, in shares of the panel.
class Layout {
 public:
  explicit Layout(const LinePlot& plot) : plot_(plot) {
    Extent x, y;
    for (const LineSeries& series : plot.series)
      for (std::size_t i = 0; i < series.x.size(); ++i) {
        if (!shown(series, i)) continue;
        x.add(series.x[i]);
        for (const double end : {series.y[i], series.y[i] - error(series, i), series.y[i] + error(series, i)})
          if (drawable(end, plot.y_scale)) y.add(end);
      }
    x_ = fitting_scale(plot.x_scale, x);
    y_ = fitting_scale(plot.y_scale, y);
    for (std::size_t s = 0; s < plot.series.size(); ++s) add_series(plot.series[s], int(s));
    for (const Tick& tick : y_.ticks) tick_width_ = std::max(tick_width_, text_width(tick.text, kTickSize));
  }

  const Scale& x() const { return x_; }
  const Scale& y() const { return y_; }
  const std::vector<Drawn>& series() const { return series_; }
  double tick_width() const { return tick_width_; }
  std::string caption() const {
    if (all_ == 0) return "no points";
    if (left_out_ == 0) return "";
    return fmt::format("{} of {} points not drawn: not finite, or not positive on a logarithmic axis",
                       grouped(left_out_), grouped(all_));
  }

 private:
  bool shown(const LineSeries& series, std::size_t i) const {
    return drawable(series.x[i], plot_.x_scale) && drawable(series.y[i], plot_.y_scale);
  }
  static double error(const LineSeries& series, std::size_t i) {
    const double size = series.error.empty() ? 0 : std::abs(series.error[i]);
    return size <= kLargestDrawn ? size : 0;  // 0 for NaN too
  }

  void add_series(const LineSeries& series, int number) {
    Drawn drawn{series.name, {}, series.joined, !series.error.empty(), number, series.colour};
    const std::size_t every = std::max<std::size_t>(1, (series.x.size() + kMostVertices - 1) / kMostVertices);
    bool gap = true;
    for (std::size_t i = 0; i < series.x.size(); ++i) {
      ++all_;
      if (!shown(series, i)) {
        ++left_out_;
        gap = true;
        continue;
      }
      if (i % every != 0 && i + 1 != series.x.size()) continue;
      const auto end = [&](double value) {  // of a bar; what cannot be placed ends at the frame
        return drawable(value, plot_.y_scale) ? std::clamp(y_.share(value), 0.0, 1.0) : 0.0;
      };
      const double e = error(series, i);
      drawn.points.push_back(
          {x_.share(series.x[i]), y_.share(series.y[i]), end(series.y[i] - e), end(series.y[i] + e), gap});
      gap = false;
    }
    series_.push_back(std::move(drawn));
  }

  const LinePlot& plot_;
  Scale x_, y_;
  std::vector<Drawn> series_;
  Index all_ = 0, left_out_ = 0;
  double tick_width_ = 0;
};

struct LineFrame {
  double left, top, width, height;
  double x(double share) const { return left + share * width; }
  double y(double share) const { return top + (1 - share) * height; }
};

// The last colours of the palette, black and yellow, stay with the texts and off the white ground.
constexpr int kLineColours = 6;
std::string_view line_colour(int s) { return colour_of(s % kLineColours); }
Shape line_shape(int s) { return Shape(s % kShapes); }
std::string_view dashes(int s) {
  constexpr std::array<std::string_view, 4> kDashes = {"", "7 4", "2 3", "9 3 2 3"};
  return kDashes[std::size_t(s / kLineColours) % kDashes.size()];
}

void open_line(Out out, int s) {
  fmt::format_to(out,
                 R"(<path fill="none" stroke="{}" stroke-width="2" stroke-linejoin="round" stroke-linecap="round")",
                 line_colour(s));
  if (!dashes(s).empty()) fmt::format_to(out, R"( stroke-dasharray="{}")", dashes(s));
}

void open_markers(Out out, const Drawn& series) {
  fmt::format_to(out, R"(<g fill="{}" stroke="#FFFFFF" stroke-width="1">)",
                 series.colour.empty() ? line_colour(series.number) : std::string_view(series.colour));
}

void put_grid(Out out, const LineFrame& frame, const Layout& layout) {
  fmt::format_to(out, R"(<g stroke="#E8E8E8" stroke-width="1">)");
  for (const Tick& tick : layout.x().ticks)
    fmt::format_to(out, R"(<path d="M{:.1f} {:.1f}V{:.1f}"/>)", frame.x(tick.share), frame.top, frame.y(0));
  for (const Tick& tick : layout.y().ticks)
    fmt::format_to(out, R"(<path d="M{:.1f} {:.1f}H{:.1f}"/>)", frame.left, frame.y(tick.share), frame.x(1));
  fmt::format_to(
      out, "</g>\n<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:g}\" height=\"{:g}\" fill=\"none\" stroke=\"#B8B8B8\"/>\n",
      frame.left, frame.top, frame.width, frame.height);
  double free_from = -1e9;  // a number that would touch the last one is left out, its grid line stays
  for (const Tick& tick : layout.x().ticks) {
    const double half = 0.5 * text_width(tick.text, kTickSize), x = frame.x(tick.share);
    if (x - half < free_from) continue;
    free_from = x + half + 6;
    put_text(out, x, frame.y(0) + 17, tick.text, {.size = kTickSize, .colour = "#595959", .anchor = "middle"});
  }
  for (const Tick& tick : layout.y().ticks)
    put_text(out, frame.left - 7, frame.y(tick.share) + 4, tick.text,
             {.size = kTickSize, .colour = "#595959", .anchor = "end"});
}

void put_line(Out out, const LineFrame& frame, const Drawn& series) {
  if (!series.joined || series.points.size() < 2) return;
  open_line(out, series.number);
  fmt::format_to(out, " d=\"");
  for (const Point& point : series.points)
    fmt::format_to(out, "{}{:.1f} {:.1f}", point.after_gap ? 'M' : 'L', frame.x(point.x), frame.y(point.y));
  fmt::format_to(out, "\"/>\n");
}

void put_bars(Out out, const LineFrame& frame, const Drawn& series) {
  if (!series.bars) return;
  constexpr double kCap = 3.5;
  fmt::format_to(out, R"(<g class="bars" stroke="{}" stroke-width="1.3" stroke-opacity="0.75">)",
                 line_colour(series.number));
  for (const Point& point : series.points)
    fmt::format_to(out, R"(<path d="M{0:.1f} {1:.1f}V{2:.1f}M{3:.1f} {1:.1f}h{4:g}M{3:.1f} {2:.1f}h{4:g}"/>)",
                   frame.x(point.x), frame.y(point.low), frame.y(point.high), frame.x(point.x) - kCap, 2 * kCap);
  fmt::format_to(out, "</g>\n");
}

void put_markers(Out out, const LineFrame& frame, const Drawn& series) {
  const bool alone = !series.joined || series.points.size() == 1;
  if (series.points.size() > kMostMarked && !alone) return;
  constexpr double kRadius = 4;
  open_markers(out, series);
  for (const Point& point : series.points)
    put_marker(out, line_shape(series.number), frame.x(point.x), frame.y(point.y),
               series.points.size() > kMostMarked ? 0.6 * kRadius : kRadius);
  fmt::format_to(out, "</g>\n");
}

class LineLegend {
 public:
  explicit LineLegend(const Layout& layout) {
    for (const Drawn& series : layout.series())
      if (!series.name.empty()) entries_.push_back(&series);
    for (std::size_t e = 0; e < std::min(entries_.size(), kMostNamed); ++e)
      width_ = std::max(width_, std::min(kNameWidth, text_width(entries_[e]->name, kLegendSize)));
  }
  double width() const { return entries_.empty() ? 0 : kSample + 8 + width_; }

  void put(Out out, double left, double top) const {
    if (entries_.empty()) return;
    fmt::format_to(out, "<g class=\"legend\">\n");
    for (std::size_t e = 0; e < entries_.size(); ++e) {
      const double y = top + (double(e) + 0.5) * kLegendRow;
      if (e + 1 == kMostNamed && entries_.size() > kMostNamed) {
        put_text(out, left + kSample + 8, y + 4, fmt::format("and {} more", entries_.size() - e),
                 {.size = kLegendSize});
        break;
      }
      const Drawn& series = *entries_[e];
      if (series.joined) {
        open_line(out, series.number);
        fmt::format_to(out, " d=\"M{:.1f} {:.1f}h{:g}\"/>", left, y, kSample);
      }
      if (series.points.size() <= kMostMarked || !series.joined) {
        open_markers(out, series);
        put_marker(out, line_shape(series.number), left + 0.5 * kSample, y, 4);
        fmt::format_to(out, "</g>");
      }
      put_text(out, left + kSample + 8, y + 4, series.name, {.size = kLegendSize}, width_ + 1);
    }
    fmt::format_to(out, "</g>\n");
  }

 private:
  static constexpr double kSample = 28;  // of the line, before the name
  std::vector<const Drawn*> entries_;
  double width_ = 0;
};

}  // namespace

std::string line_svg(const LinePlot& plot) {
  check_lengths(plot);
  const Layout layout(plot);
  const LineLegend legend(layout);
  const Heading heading{plot.title, plot.subtitle};
  const std::string caption = layout.caption();

  constexpr double kGap = 24;
  const LineFrame frame{kMargin + layout.tick_width() + 8 + (plot.y_label.empty() ? 0 : 22),
                        kMargin + heading.height() + (heading.height() > 0 ? 12 : 0), plot.width, plot.height};
  const double below = frame.y(0) + (plot.x_label.empty() ? 22 : 44);
  const double right = frame.x(1) + (legend.width() > 0 ? kGap + legend.width() : 0);
  const double width = std::max(std::ceil(right + kMargin), heading.width()),
               height = std::ceil(below + (caption.empty() ? 0 : 22) + 14);

  std::string svg;
  const Out out = std::back_inserter(svg);
  open_document(out, width, height, heading);
  put_grid(out, frame, layout);
  fmt::format_to(out, "<g class=\"series\">\n");
  for (const Drawn& series : layout.series()) put_line(out, frame, series);
  for (const Drawn& series : layout.series()) put_bars(out, frame, series);
  for (const Drawn& series : layout.series()) put_markers(out, frame, series);
  fmt::format_to(out, "</g>\n");
  put_text(out, frame.x(0.5), frame.y(0) + 38, plot.x_label, {.size = 12, .anchor = "middle"}, plot.width);
  put_text(out, frame.left - layout.tick_width() - 18, frame.y(0.5), plot.y_label,
           {.size = 12, .anchor = "middle", .turn = -90}, plot.height);
  legend.put(out, frame.x(1) + kGap, frame.top);
  put_text(out, frame.left, below + 14, caption, {.size = 11, .colour = "#767676"}, width - kMargin - frame.left);
  svg += "</svg>\n";
  return svg;
}

}  // namespace ritz
