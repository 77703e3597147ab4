// SPDX-License-Identifier: MIT
#include "report/plot/scatter_plot.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <string_view>
#include <vector>

#include "base/fail.hpp"
#include "report/plot/svg.hpp"
#include "ritz/base/random.hpp"

namespace ritz {
namespace {

using namespace svg;

constexpr Index kMostPoints = 8000;  // beyond this a picture gains weight, not sight
constexpr double kPanelSide = 400;
constexpr double kLegendRowHeight = 19;  // of the legend
constexpr std::size_t kLegendRows = 20;
constexpr std::size_t kLegendColumns = 2;

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

std::string_view ordered_colour(const ScatterPlot& plot, int c) {
  return plot.ordered ? kOrdered[std::min(std::size_t(c), kOrdered.size() - 1)] : std::string_view();
}

std::vector<View> checked_views(const ScatterPlot& plot) {
  std::vector<View> views = {{&plot.points, &plot.panel_title, &plot.x_label, &plot.y_label}};
  for (const ScatterPanel& panel : plot.more)
    views.push_back({&panel.points, &panel.title, &panel.x_label, &panel.y_label});
  const Index n = plot.classes.empty() ? plot.points.rows() : Index(plot.classes.size());
  if (!plot.point_names.empty() && Index(plot.point_names.size()) != n)
    throw Error(ErrorCode::bad_shape, "a scatter plot needs a name for every point, or none");
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
  const Index every = std::max<Index>(1, (chosen.all + kMostPoints - 1) / kMostPoints);
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
    if (!strips_ && plot.equal_scale) {
      const double side = std::max(x_.high - x_.low, y_.high - y_.low);
      for (Axis* axis : {&x_, &y_}) {
        const double middle = 0.5 * (axis->low + axis->high);
        axis->low = middle - 0.5 * side;
        axis->high = middle + 0.5 * side;
      }
      x_.step = y_.step = std::max(x_.step, y_.step);
    }
    for (const auto& [c, size] : chosen.class_sizes) {
      const int strip = int(strip_of_.size());
      strip_of_[c] = strip;
    }
    for (const auto& [place, text] : y_ticks()) tick_width_ = std::max(tick_width_, text_width(text, kTickSize));
  }

  double left_room() const { return tick_width_ + 8 + (view_.y_label->empty() ? 0 : 22); }

  void put(Out out, const Frame& frame) const {
    put_grid(out, frame);
    put_lines(out, frame);
    const bool named = !plot_.point_names.empty() && chosen_.all <= Index(kMostNamedPoints) && !strips_;
    if (named) put_point_names(out, frame);
    put_points(out, frame);
    if (!named) put_class_names(out, frame);
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

  void put_lines(Out out, const Frame& frame) const {
    if (strips_ || plot_.lines.empty() || chosen_.thinned || chosen_.left_out > 0) return;
    const Matrix& points = *view_.points;
    fmt::format_to(out,
                   R"(<path class="lines" fill="none" stroke="#9AA3AD" stroke-opacity="0.7" stroke-width="0.7" d=")");
    for (const auto& [a, b] : plot_.lines)
      fmt::format_to(out, "M{:.1f} {:.1f}L{:.1f} {:.1f}", frame.x(x_.share(points(a, 0))),
                     frame.y(y_.share(points(a, 1))), frame.x(x_.share(points(b, 0))), frame.y(y_.share(points(b, 1))));
    fmt::format_to(out, "\"/>\n");
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
        open_marker_group(out, c, opacity, radius, ordered_colour(plot_, c));
        for (const Index i : rows)
          put_marker(out, shape_of(c), frame.x(x_.share((*view_.points)(i, 0))), frame.y(y_share(i, c, seen)), radius);
        fmt::format_to(out, "</g>\n");
      }
    }
    fmt::format_to(out, "</g>\n");
  }

  // At the median of each class, so that stragglers do not move it; above or below it where a name stands already.
  void put_class_names(Out out, const Frame& frame) const {
    constexpr std::size_t kMostClasses = 30;
    constexpr double kSize = 11, kMostWidth = 120;
    if (strips_ || plot_.ordered || plot_.classes.empty() || strip_of_.size() < 2 || strip_of_.size() > kMostClasses)
      return;
    std::map<int, std::array<std::vector<double>, 2>> places;
    for (const Index i : chosen_.rows)
      for (const Index axis : {0, 1}) places[class_of(plot_, i)][std::size_t(axis)].push_back((*view_.points)(i, axis));
    struct Name {
      double x, y, half;
    };
    std::vector<Name> taken;
    fmt::format_to(out, R"(<g class="names">)");
    for (auto& [c, both] : places) {
      for (std::vector<double>& values : both)
        std::ranges::nth_element(values, values.begin() + std::ptrdiff_t(values.size() / 2));
      const auto middle = [&both = both](std::size_t axis) { return both[axis][both[axis].size() / 2]; };
      const double half = 0.5 * std::min(text_width(name_of(plot_, c), kSize), kMostWidth);
      Name name{frame.x(x_.share(middle(0))), frame.y(y_.share(middle(1))) + 4, half};
      const double y = name.y;
      for (int tried = 1;
           tried <= 8 && std::ranges::any_of(taken,
                                             [&](const Name& other) {
                                               return std::abs(other.y - name.y) < kSize + 2 &&
                                                      std::abs(other.x - name.x) < other.half + name.half;
                                             });
           ++tried)
        name.y = y + (tried % 2 == 1 ? 1 : -1) * double((tried + 1) / 2) * (kSize + 3);
      taken.push_back(name);
      put_text(out, name.x, name.y, name_of(plot_, c),
               {.size = kSize, .colour = "#1A1A1A", .anchor = "middle", .weight = "600", .halo = true}, kMostWidth);
    }
    fmt::format_to(out, "</g>\n");
  }

  // Right of the point, or left, above, below or aslant of it, or a little way off at the end of a line, wherever no
  // name stands yet; beneath the points. Where there is no room at all the point goes without: a page's points tell
  // their names, and so does the file of the embedding.
  void put_point_names(Out out, const Frame& frame) const {
    constexpr double kSize = 9.5, kMost = 110, kAway = 14;
    constexpr int kFarthest = 5;  // lines away
    struct Place {
      double left, right, line;  // the ends, and where the letters stand
    };
    std::vector<Place> taken;
    fmt::format_to(out, R"(<g class="names">)");
    for (const Index i : chosen_.rows) {
      const std::string name = fitted(plot_.point_names[std::size_t(i)], kMost, kSize);
      const double x = frame.x(x_.share((*view_.points)(i, 0))), y = frame.y(y_.share((*view_.points)(i, 1)));
      const double width = text_width(name, kSize);
      std::vector<Place> places = {{x + 6, x + 6 + width, y + 3},         {x - 6 - width, x - 6, y + 3},
                                   {x - width / 2, x + width / 2, y - 7}, {x - width / 2, x + width / 2, y + 14},
                                   {x + 4, x + 4 + width, y - 5},         {x + 4, x + 4 + width, y + 12},
                                   {x - 4 - width, x - 4, y - 5},         {x - 4 - width, x - 4, y + 12}};
      const std::size_t beside = places.size();
      for (int row = 2; row <= kFarthest; ++row)
        for (const int down : {-1, 1})
          for (const bool right : {true, false}) {
            const double start = right ? x + kAway : x - kAway - width;
            places.push_back({start, start + width, y + 3 + down * row * (kSize + 2)});
          }
      const auto covers = [&](const Place& place, Index j) {
        constexpr double kRadius = 4;
        const double px = frame.x(x_.share((*view_.points)(j, 0))), py = frame.y(y_.share((*view_.points)(j, 1)));
        return place.left < px + kRadius && place.right > px - kRadius && py + kRadius > place.line - kSize + 1.5 &&
               py - kRadius < place.line + 2;
      };
      const auto free = [&](const Place& place) {
        return place.left >= frame.x(0) && place.right <= frame.x(1) && place.line - kSize >= frame.y(1) &&
               place.line <= frame.y(0) &&
               std::ranges::none_of(chosen_.rows, [&](Index j) { return covers(place, j); }) &&
               std::ranges::none_of(taken, [&](const Place& other) {
                 return std::abs(other.line - place.line) < kSize && other.left < place.right &&
                        place.left < other.right;
               });
      };
      const auto found = std::ranges::find_if(places, free);
      if (found == places.end()) continue;
      const Place& place = *found;
      taken.push_back(place);
      if (std::size_t(found - places.begin()) >= beside)
        fmt::format_to(out, R"(<path d="M{:.1f} {:.1f}L{:.1f} {:.1f}" stroke="#999" stroke-width="0.6"/>)", x, y,
                       place.left > x ? place.left - 1 : place.right + 1, place.line - 3);
      put_text(out, place.left, place.line, name, {.size = kSize, .halo = true});
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
    constexpr double kClassWidth = 170;
    const std::size_t most = kLegendRows * kLegendColumns;
    for (const auto& [c, size] : chosen.class_sizes) {
      if (entries_.size() == most - 1 && chosen.class_sizes.size() > most) {
        entries_.push_back({-1, fmt::format("and {} more", chosen.class_sizes.size() - entries_.size()), "", {}});
        break;
      }
      entries_.push_back({c, name_of(plot, c), grouped(size), ordered_colour(plot, c)});
    }
    for (const Entry& entry : entries_) name_width_ = std::max(name_width_, text_width(entry.name, kSize));
    name_width_ = std::min(name_width_, kClassWidth);
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
      const double y = top + (double(e % kLegendRows) + 0.5) * kLegendRowHeight;
      if (entry.of >= 0) {
        open_marker_group(out, entry.of, 1, kMarker, entry.colour);
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
    std::string_view colour;
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
  const Heading heading{plot.title, plot.subtitle};
  double top = kMargin + heading.height() + (titled ? 22 : 0);
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
  const double width = std::max(std::ceil(right + kMargin), heading.width()),
               height = std::ceil(caption_line + kMargin - 6);

  std::string svg;
  const Out out = std::back_inserter(svg);
  open_document(out, width, height, heading);
  for (std::size_t p = 0; p < panels.size(); ++p) panels[p].put(out, frames[p]);
  legend.put(out, legend_left, top);
  put_text(out, frames.front().left, caption_line, caption(chosen), {.size = 11, .colour = "#767676"},
           width - kMargin - frames.front().left);
  svg += "</svg>\n";
  return svg;
}

}  // namespace ritz
