// SPDX-License-Identifier: MIT
#include "ritz/app/scatter_plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <map>
#include <string_view>

#include "ritz/base/error.hpp"
#include "ritz/base/random.hpp"

namespace ritz {
namespace {

using Out = std::back_insert_iterator<std::string>;

constexpr Index kMostDrawn = 8000;         // beyond this a picture gains weight, not sight
constexpr double kLargestDrawn = 1e150;    // the axis arithmetic must not overflow
constexpr double kSmallestDrawn = 1e-150;  // nor vanish: less than this is drawn as zero
constexpr double kPanelSide = 400;
constexpr double kMargin = 24;
constexpr double kRowHeight = 19;  // of the legend
constexpr std::size_t kLegendRows = 20;
constexpr std::size_t kLegendColumns = 2;

// Bytes of the character that begins here, or 0 where it is not one that XML accepts: broken or overlong UTF-8, half a
// surrogate pair, a noncharacter.
std::size_t character_length(std::string_view text) {
  const auto byte = [&](std::size_t k) { return char32_t(static_cast<unsigned char>(text[k])); };
  const char32_t lead = byte(0);
  if (lead < 0x80) return 1;
  const std::size_t length = lead >> 5 == 0x6 ? 2 : lead >> 4 == 0xE ? 3 : lead >> 3 == 0x1E ? 4 : 0;
  if (length == 0 || length > text.size()) return 0;
  char32_t code = lead & (0x7Fu >> length);
  for (std::size_t k = 1; k < length; ++k) {
    if ((byte(k) & 0xC0) != 0x80) return 0;
    code = code << 6 | (byte(k) & 0x3F);
  }
  constexpr std::array<char32_t, 3> smallest = {0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  const bool noncharacter = code == 0xFFFE || code == 0xFFFF;
  return code < smallest[length - 2] || code > 0x10FFFF || surrogate || noncharacter ? 0 : length;
}

// One element a character; what XML does not accept is replaced, control characters become blanks.
std::vector<std::string> characters(std::string_view text) {
  std::vector<std::string> all;
  while (!text.empty()) {
    const std::size_t length = character_length(text);
    const bool control = static_cast<unsigned char>(text[0]) < 0x20 || text[0] == 0x7F;
    all.emplace_back(length == 0 ? "\xEF\xBF\xBD" : control ? " " : text.substr(0, length));
    text.remove_prefix(std::max<std::size_t>(1, length));
  }
  return all;
}

std::string escaped(std::string_view text) {
  std::string safe;
  for (const std::string& c : characters(text)) {
    if (c == "&")
      safe += "&amp;";
    else if (c == "<")
      safe += "&lt;";
    else if (c == ">")
      safe += "&gt;";
    else if (c == "\"")
      safe += "&quot;";
    else
      safe += c;
  }
  return safe;
}

// Estimated, as no font is at hand, for the widest of the usual ones: text must not run out of its place.
double character_width(const std::string& c, double size) {
  constexpr std::string_view kNarrow = "iljtfr.,:;'|!()[] ", kWide = "mwMW@%";
  constexpr unsigned char kFirstIdeographs = 0xE3;  // lead byte of U+3000 and beyond
  if (static_cast<unsigned char>(c[0]) >= kFirstIdeographs) return size;
  if (c.size() == 1 && kNarrow.find(c[0]) != kNarrow.npos) return 0.38 * size;
  if (c.size() == 1 && kWide.find(c[0]) != kWide.npos) return 0.95 * size;
  return (c[0] >= 'A' && c[0] <= 'Z' ? 0.72 : 0.62) * size;
}

double text_width(std::string_view text, double size) {
  double width = 0;
  for (const std::string& c : characters(text)) width += character_width(c, size);
  return width;
}

std::string fitted(std::string_view text, double width, double size) {
  if (text_width(text, size) <= width) return std::string(text);
  std::string cut;
  double used = size;
  for (const std::string& c : characters(text)) {
    used += character_width(c, size);
    if (used > width) break;
    cut += c;
  }
  return cut + "…";
}

struct TextStyle {
  double size;
  std::string_view colour = "#333333";
  std::string_view anchor = "start";
  std::string_view weight = "normal";
  double turn = 0;  // degrees
};

// The full text shows as a tooltip where it was cut.
void put_text(Out out, double x, double y, std::string_view text, const TextStyle& style, double width = 1e9) {
  if (text.empty()) return;
  constexpr double kBoldness = 1.16;  // bold letters are wider by this
  const std::string shown = fitted(text, style.weight == "normal" ? width : width / kBoldness, style.size);
  fmt::format_to(out, R"(<text x="{:.1f}" y="{:.1f}" font-size="{:g}" fill="{}")", x, y, style.size, style.colour);
  if (style.anchor != "start") fmt::format_to(out, R"( text-anchor="{}")", style.anchor);
  if (style.weight != "normal") fmt::format_to(out, R"( font-weight="{}")", style.weight);
  if (style.turn != 0) fmt::format_to(out, " transform=\"rotate({:g} {:.1f} {:.1f})\"", style.turn, x, y);
  fmt::format_to(out, ">{}", escaped(shown));
  if (shown != text) fmt::format_to(out, "<title>{}</title>", escaped(text));
  fmt::format_to(out, "</text>\n");
}

std::string grouped(Index count) {  // 60000 -> "60,000"
  std::string text = std::to_string(count);
  for (auto place = std::ptrdiff_t(text.size()) - 3; place > 0; place -= 3) text.insert(std::size_t(place), 1, ',');
  return text;
}

struct Axis {
  double low = 0, high = 1, step = 0.2;
  double share(double value) const { return (value - low) / (high - low); }
};

Axis fitting_axis(double smallest, double largest) {
  constexpr double kConstant = 1e-9;  // a relative spread below this is rounding, and ticks could not show it
  constexpr double kPadding = 0.04;
  constexpr double kTicks = 6;
  const double magnitude = std::max(std::abs(smallest), std::abs(largest));
  const double spread = largest - smallest;
  const bool constant = spread <= std::max(kConstant * magnitude, kSmallestDrawn);
  const double room = constant ? (magnitude > kSmallestDrawn ? 0.1 * magnitude : 1) : kPadding * spread;
  Axis axis{smallest - room, largest + room, 1};
  const double raw = (axis.high - axis.low) / kTicks;
  const double power = std::pow(10, std::floor(std::log10(raw)));
  const double factor = raw / power;
  axis.step = power * (factor <= 1 ? 1 : factor <= 2 ? 2 : factor <= 2.5 ? 2.5 : factor <= 5 ? 5 : 10);
  return axis;
}

std::vector<double> tick_values(const Axis& axis) {
  std::vector<double> values;
  const double first = std::ceil(axis.low / axis.step), last = std::floor(axis.high / axis.step);
  for (double k = first; k <= last; ++k) values.push_back(k == 0 ? 0 : k * axis.step);
  return values;
}

std::string superscript(int number) {
  constexpr std::array<std::string_view, 10> digits = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text = number < 0 ? "⁻" : "";
  for (const char c : std::to_string(std::abs(number))) text += digits[std::size_t(c - '0')];
  return text;
}

std::string tick_text(double value, const Axis& axis) {
  constexpr double kPlainBelow = 1e6, kPlainStep = 1e-4;
  if (value == 0) return "0";
  const std::string sign = value < 0 ? "−" : "";
  // Place of the last digit that ticks differ in; steps of 2.5 need one more.
  int step_power = int(std::floor(std::log10(axis.step) + 1e-9));
  if (std::abs(axis.step / std::pow(10, step_power) - 2.5) < 1e-6) --step_power;
  if (std::max(std::abs(axis.low), std::abs(axis.high)) < kPlainBelow && axis.step >= kPlainStep)
    return sign + fmt::format("{:.{}f}", std::abs(value), std::max(0, -step_power));
  const int power = int(std::floor(std::log10(std::abs(value)) + 1e-9));
  const double mantissa = std::abs(value) / std::pow(10, power);
  return sign + fmt::format("{:.{}f}·10{}", mantissa, std::max(0, power - step_power), superscript(power));
}

// Okabe & Ito's colours, told apart with every common colour blindness; the strongest on white come first.
constexpr std::array<std::string_view, 8> kPalette = {"#0072B2", "#E69F00", "#009E73", "#CC79A7",
                                                      "#56B4E9", "#D55E00", "#000000", "#F0E442"};
enum class Shape { circle, square, triangle, diamond, cross, plus };
constexpr int kShapes = 6;

std::string_view colour_of(int c) { return kPalette[std::size_t(c) % kPalette.size()]; }
Shape shape_of(int c) { return Shape(c / int(kPalette.size()) % kShapes); }

// Sizes of equal visual weight: about the same area for each shape.
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

struct Selection {
  std::vector<Index> rows;           // in drawing order
  std::map<int, Index> class_sizes;  // classes that occur, with all their points
  Index all = 0, left_out = 0;
  bool thinned = false;
};

struct View {
  const Matrix* points;
  const std::string *title, *x_label, *y_label;
};

int class_of(const ScatterPlot& plot, Index i) { return plot.classes.empty() ? 0 : plot.classes[std::size_t(i)]; }

std::string name_of(const ScatterPlot& plot, int c) {
  return std::size_t(c) < plot.class_names.size() ? plot.class_names[std::size_t(c)] : "class " + std::to_string(c);
}

std::vector<View> checked_views(const ScatterPlot& plot) {
  std::vector<View> views = {{&plot.points, &plot.panel_title, &plot.x_label, &plot.y_label}};
  for (const ScatterPanel& panel : plot.more)
    views.push_back({&panel.points, &panel.title, &panel.x_label, &panel.y_label});
  const Index n = plot.classes.empty() ? plot.points.rows() : Index(plot.classes.size());
  for (const View& view : views)
    if (view.points->rows() != n || view.points->cols() < 1 || view.points->cols() > 2)
      throw Error(ErrorCode::bad_shape, "a scatter plot of " + std::to_string(n) +
                                            " points needs that many rows and one or two columns; received " +
                                            std::to_string(view.points->rows()) + " × " +
                                            std::to_string(view.points->cols()));
  if (const auto lowest = std::ranges::min_element(plot.classes); lowest != plot.classes.end() && *lowest < 0)
    throw Error(ErrorCode::bad_data, "class " + std::to_string(*lowest) + " in a scatter plot; classes count from 0");
  return views;
}

bool drawable(const std::vector<View>& views, Index i) {
  return std::ranges::all_of(views, [i](const View& view) {
    return (view.points->row(i).array().abs() <= kLargestDrawn).all();  // false for NaN
  });
}

Selection select(const ScatterPlot& plot, const std::vector<View>& views) {
  Selection chosen;
  chosen.all = views.front().points->rows();
  const Index every = std::max<Index>(1, (chosen.all + kMostDrawn - 1) / kMostDrawn);
  chosen.thinned = every > 1;
  for (Index i = 0; i < chosen.all; ++i) {
    if (!drawable(views, i)) {
      ++chosen.left_out;
      continue;
    }
    // Counted by class, so that a rare class does not vanish.
    if (chosen.class_sizes[class_of(plot, i)]++ % every == 0) chosen.rows.push_back(i);
  }
  // In data sorted by class the last one would cover the others; a fixed shuffle is fair to all.
  Rng rng(0, "scatter");
  std::vector<Index> shuffled;
  for (const Index place : rng.permutation(Index(chosen.rows.size())))
    shuffled.push_back(chosen.rows[std::size_t(place)]);
  chosen.rows = std::move(shuffled);
  return chosen;
}

std::string caption(const Selection& chosen) {
  if (chosen.all == 0) return "no points";
  std::string text = chosen.thinned
                         ? grouped(Index(chosen.rows.size())) + " of " + grouped(chosen.all) + " points drawn"
                         : "n = " + grouped(chosen.all);
  if (chosen.left_out > 0) text += "; " + grouped(chosen.left_out) + " not drawn: a coordinate is not finite";
  return text;
}

struct Frame {
  double left, top;  // of the square in which points lie
  double x(double share) const { return left + share * kPanelSide; }
  double y(double share) const { return top + (1 - share) * kPanelSide; }
};

class Panel {
 public:
  Panel(const ScatterPlot& plot, const View& view, const Selection& chosen)
      : plot_(plot), view_(view), chosen_(chosen), strips_(view.points->cols() == 1) {
    x_ = axis_of_column(0);
    if (!strips_) y_ = axis_of_column(1);
    for (const auto& [c, size] : chosen.class_sizes) {
      const int strip = int(strip_of_.size());
      strip_of_[c] = strip;
    }
    for (const auto& [place, text] : y_ticks()) tick_width_ = std::max(tick_width_, text_width(text, kTickSize));
  }

  double left_room() const { return tick_width_ + 8 + (view_.y_label->empty() ? 0 : 22); }

  void put(Out out, const Frame& frame) const {
    put_grid(out, frame);
    put_points(out, frame);
    put_text(out, frame.x(0.5), frame.top - 10, *view_.title, {.size = 13, .anchor = "middle", .weight = "600"},
             kPanelSide);
    put_text(out, frame.x(0.5), frame.y(0) + 38, *view_.x_label, {.size = 12, .anchor = "middle"}, kPanelSide);
    put_text(out, frame.left - tick_width_ - 18, frame.y(0.5), *view_.y_label,
             {.size = 12, .anchor = "middle", .turn = -90}, kPanelSide);
  }

 private:
  static constexpr double kTickSize = 11;
  static constexpr std::size_t kMostNamedStrips = 20;

  Axis axis_of_column(Index column) const {
    if (chosen_.rows.empty()) return {};
    double smallest = (*view_.points)(chosen_.rows.front(), column), largest = smallest;
    for (const Index i : chosen_.rows) {
      smallest = std::min(smallest, (*view_.points)(i, column));
      largest = std::max(largest, (*view_.points)(i, column));
    }
    return fitting_axis(smallest, largest);
  }

  // The first class lies on top, as in the legend.
  double strip_share(int strip, double across) const {
    return 1 - (strip + across) / double(std::max<std::size_t>(1, strip_of_.size()));
  }

  std::vector<std::pair<double, std::string>> y_ticks() const {
    std::vector<std::pair<double, std::string>> ticks;
    if (strips_) {
      if (plot_.classes.empty() || strip_of_.size() > kMostNamedStrips) return ticks;
      for (const auto& [c, strip] : strip_of_)
        ticks.emplace_back(strip_share(strip, 0.5), fitted(name_of(plot_, c), 90, kTickSize));
      return ticks;
    }
    for (const double value : tick_values(y_)) ticks.emplace_back(y_.share(value), tick_text(value, y_));
    return ticks;
  }

  void put_grid(Out out, const Frame& frame) const {
    fmt::format_to(out, R"(<g stroke="#E4E4E4" stroke-width="1">)");
    const auto line = [&](double x1, double y1, double x2, double y2) {
      fmt::format_to(out, R"(<path d="M{:.1f} {:.1f}L{:.1f} {:.1f}"/>)", x1, y1, x2, y2);
    };
    for (const double value : tick_values(x_))
      line(frame.x(x_.share(value)), frame.y(0), frame.x(x_.share(value)), frame.y(1));
    if (strips_)
      for (int strip = 1; strip < int(strip_of_.size()); ++strip)
        line(frame.x(0), frame.y(strip_share(strip, 0)), frame.x(1), frame.y(strip_share(strip, 0)));
    else
      for (const double value : tick_values(y_))
        line(frame.x(0), frame.y(y_.share(value)), frame.x(1), frame.y(y_.share(value)));
    fmt::format_to(out, "</g>\n");
    fmt::format_to(out, R"(<rect x="{:.1f}" y="{:.1f}" width="{:g}" height="{:g}" fill="none" stroke="#B8B8B8"/>)",
                   frame.left, frame.top, kPanelSide, kPanelSide);
    fmt::format_to(out, "\n");
    put_x_ticks(out, frame);
    for (const auto& [share, text] : y_ticks())
      put_text(out, frame.left - 7, frame.y(share) + 4, text,
               {.size = kTickSize, .colour = "#595959", .anchor = "end"});
  }

  void put_x_ticks(Out out, const Frame& frame) const {
    const std::vector<double> values = tick_values(x_);
    double widest = 0;
    for (const double value : values) widest = std::max(widest, text_width(tick_text(value, x_), kTickSize));
    // Numbers that would touch: name every second tick, or every third.
    const double room = kPanelSide * x_.step / (x_.high - x_.low);
    const auto every = std::size_t(std::ceil((widest + 8) / room));
    for (std::size_t k = 0; k < values.size(); k += every)
      put_text(out, frame.x(x_.share(values[k])), frame.y(0) + 17, tick_text(values[k], x_),
               {.size = kTickSize, .colour = "#595959", .anchor = "middle"});
  }

  void put_points(Out out, const Frame& frame) const {
    const double drawn = double(std::max<std::size_t>(1, chosen_.rows.size()));
    // Where shapes must be told apart, markers are a little larger.
    const double enlarged = chosen_.class_sizes.size() > kPalette.size() ? 1.25 : 1;
    const double radius = enlarged * std::clamp(14.5 / std::pow(drawn, 0.25), 1.5, 4.5);
    const double opacity = std::clamp(1.3 - 0.06 * std::log2(drawn), 0.5, 0.9);
    // Groups save repeating the colour; a few layers of them keep the classes mixed in depth.
    constexpr std::size_t kLayers = 8;
    const std::size_t layer_size = (chosen_.rows.size() + kLayers - 1) / kLayers;
    std::map<int, Index> seen;
    fmt::format_to(out, R"(<g class="points">)");
    for (std::size_t begin = 0; begin < chosen_.rows.size(); begin += layer_size) {
      std::map<int, std::vector<Index>> layer;
      for (std::size_t k = begin; k < std::min(begin + layer_size, chosen_.rows.size()); ++k)
        layer[class_of(plot_, chosen_.rows[k])].push_back(chosen_.rows[k]);
      for (const auto& [c, rows] : layer) {
        open_marker_group(out, c, opacity, radius);
        for (const Index i : rows)
          put_marker(out, shape_of(c), frame.x(x_.share((*view_.points)(i, 0))), frame.y(y_share(i, c, seen)), radius);
        fmt::format_to(out, "</g>\n");
      }
    }
    fmt::format_to(out, "</g>\n");
  }

  double y_share(Index i, int c, std::map<int, Index>& seen) const {
    if (!strips_) return y_.share((*view_.points)(i, 1));
    // Multiples of the golden section fill a strip evenly, however many points come.
    constexpr double kGolden = 0.6180339887498949, kUsed = 0.76;
    const double turn = kGolden * double(++seen[c]);
    return strip_share(strip_of_.at(c), 0.5 + kUsed * (turn - std::floor(turn) - 0.5));
  }

  const ScatterPlot& plot_;
  const View& view_;
  const Selection& chosen_;
  bool strips_;
  Axis x_, y_;
  std::map<int, int> strip_of_;
  double tick_width_ = 0;
};

class Legend {
 public:
  Legend(const ScatterPlot& plot, const Selection& chosen) {
    if (plot.classes.empty()) return;
    constexpr double kNameWidth = 170;
    const std::size_t most = kLegendRows * kLegendColumns;
    for (const auto& [c, size] : chosen.class_sizes) {
      if (entries_.size() == most - 1 && chosen.class_sizes.size() > most) {
        entries_.push_back({-1, fmt::format("and {} more", chosen.class_sizes.size() - entries_.size()), ""});
        break;
      }
      entries_.push_back({c, name_of(plot, c), grouped(size)});
    }
    for (const Entry& entry : entries_) name_width_ = std::max(name_width_, text_width(entry.name, kSize));
    name_width_ = std::min(name_width_, kNameWidth);
    for (const Entry& entry : entries_) count_width_ = std::max(count_width_, text_width(entry.count, kSize - 1));
  }

  double width() const {
    const std::size_t columns = (entries_.size() + kLegendRows - 1) / kLegendRows;
    return columns == 0 ? 0 : double(columns) * column_width() - kColumnGap;
  }

  void put(Out out, double left, double top) const {
    if (entries_.empty()) return;
    fmt::format_to(out, "<g class=\"legend\">\n");
    for (std::size_t e = 0; e < entries_.size(); ++e) {
      const Entry& entry = entries_[e];
      const double x = left + double(e / kLegendRows) * column_width();
      const double y = top + (double(e % kLegendRows) + 0.5) * kRowHeight;
      if (entry.of >= 0) {
        open_marker_group(out, entry.of, 1, kMarker);
        put_marker(out, shape_of(entry.of), x + 6, y, kMarker);
        fmt::format_to(out, "</g>");
      }
      put_text(out, x + kIndent, y + 4, entry.name, {.size = kSize}, name_width_ + 1);
      put_text(out, x + column_width() - kColumnGap, y + 4, entry.count,
               {.size = kSize - 1, .colour = "#767676", .anchor = "end"});
    }
    fmt::format_to(out, "</g>\n");
  }

 private:
  struct Entry {
    int of;  // negative: a remark
    std::string name, count;
  };
  static constexpr double kSize = 12, kMarker = 4.5, kIndent = 18, kColumnGap = 22;
  double column_width() const { return kIndent + name_width_ + 10 + count_width_ + kColumnGap; }

  std::vector<Entry> entries_;
  double name_width_ = 0, count_width_ = 0;
};

}  // namespace

std::string scatter_svg(const ScatterPlot& plot) {
  const std::vector<View> views = checked_views(plot);
  const Selection chosen = select(plot, views);
  const Legend legend(plot, chosen);
  std::vector<Panel> panels;
  for (const View& view : views) panels.emplace_back(plot, view, chosen);

  constexpr double kBetween = 28;
  const bool titled = std::ranges::any_of(views, [](const View& view) { return !view.title->empty(); });
  double top = kMargin + (plot.title.empty() ? 0 : 24) + (plot.subtitle.empty() ? 0 : 20) + (titled ? 22 : 0);
  if (!plot.title.empty() || !plot.subtitle.empty()) top += titled ? 8 : 12;
  const bool labelled = std::ranges::any_of(views, [](const View& view) { return !view.x_label->empty(); });
  const double caption_line = top + kPanelSide + (labelled ? 64 : 44);
  std::vector<Frame> frames;
  double right = kMargin;
  for (const Panel& panel : panels) {
    if (!frames.empty()) right += kBetween;
    frames.push_back({right + panel.left_room(), top});
    right = frames.back().left + kPanelSide;
  }
  const double legend_left = right + kBetween;
  if (legend.width() > 0) right = legend_left + legend.width();
  const double width = std::ceil(right + kMargin), height = std::ceil(caption_line + kMargin - 6);

  std::string svg;
  const Out out = std::back_inserter(svg);
  fmt::format_to(
      out,
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:g}\" height=\"{1:g}\" viewBox=\"0 0 {0:g} {1:g}\" "
      "font-family=\"Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif\" role=\"img\">\n",
      width, height);
  if (!plot.title.empty()) fmt::format_to(out, "<title>{}</title>\n", escaped(plot.title));
  fmt::format_to(out, "<rect width=\"{:g}\" height=\"{:g}\" fill=\"#FFFFFF\"/>\n", width, height);
  const double text_room = width - 2 * kMargin;
  put_text(out, kMargin, kMargin + 16, plot.title, {.size = 18, .colour = "#1A1A1A", .weight = "600"}, text_room);
  put_text(out, kMargin, kMargin + (plot.title.empty() ? 12 : 38), plot.subtitle, {.size = 13, .colour = "#595959"},
           text_room);
  for (std::size_t p = 0; p < panels.size(); ++p) panels[p].put(out, frames[p]);
  legend.put(out, legend_left, top);
  put_text(out, frames.front().left, caption_line, caption(chosen), {.size = 11, .colour = "#767676"},
           width - kMargin - frames.front().left);
  svg += "</svg>\n";
  return svg;
}

}  // namespace ritz
