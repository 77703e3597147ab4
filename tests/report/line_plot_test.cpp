// SPDX-License-Identifier: MIT
#include "report/plot/line_plot.hpp"

#include <cmath>
#include <limits>

#include "ritz/base/error.hpp"
#include "support/svg.hpp"

using namespace ritz;

namespace {

LinePlot growing_plot(int series, int points) {
  LinePlot plot;
  plot.title = "title";
  for (int s = 0; s < series; ++s) {
    LineSeries line;
    line.name = "series " + std::to_string(s);
    for (int i = 1; i <= points; ++i) {
      line.x.push_back(i);
      line.y.push_back(std::pow(i, 1 + 0.2 * s));
    }
    plot.series.push_back(std::move(line));
  }
  return plot;
}

std::string_view drawn_part(const std::string& svg) {
  const std::size_t begin = svg.find("<g class=\"series\">");
  const std::size_t end = std::min(svg.find("<g class=\"legend\">"), svg.find("<text", begin));
  return std::string_view(svg).substr(begin, end - begin);
}

// The heights at which the line of the only series passes, from its path.
std::vector<double> path_heights(const std::string& svg) {
  std::vector<double> heights;
  const std::string_view drawn = drawn_part(svg);
  std::size_t at = drawn.find(" d=\"M") + 4;
  const std::size_t end = drawn.find('"', at);
  while (at < end) {
    const std::size_t blank = drawn.find(' ', at);
    heights.push_back(std::stod(std::string(drawn.substr(blank + 1, 12))));
    at = std::min(drawn.find_first_of("ML\"", blank), end);
  }
  return heights;
}

}  // namespace

TEST_CASE("every series is a line with a marker a point and a place in the legend") {
  for (const int series : {1, 2, 6, 13}) {
    CAPTURE(series);
    const std::string svg = line_svg(growing_plot(series, 5));

    check_sound(svg);
    CHECK(count(drawn_part(svg), "stroke-linejoin") == series);
    CHECK(count(drawn_part(svg), "<circle") + count(drawn_part(svg), "<rect") + count(drawn_part(svg), "<path") -
              series ==
          5 * series);
    CHECK(count(svg, ">series ") == series);
  }
}

TEST_CASE("the same line plot gives the same text") {
  CHECK(line_svg(growing_plot(3, 9)) == line_svg(growing_plot(3, 9)));
}

TEST_CASE("powers lie at equal distances on a logarithmic axis and not on a linear one") {
  LinePlot plot;
  plot.series.push_back({"", {0, 1, 2, 3}, {1, 10, 100, 1000}, {}});
  const auto steps = [&] {
    const std::vector<double> at = path_heights(line_svg(plot));
    REQUIRE(at.size() == 4);
    return std::vector<double>{at[0] - at[1], at[1] - at[2], at[2] - at[3]};
  };

  CHECK(steps()[2] > 5 * steps()[1]);
  for (const AxisScale scale : {AxisScale::log10, AxisScale::log2}) {
    plot.y_scale = scale;
    CHECK(steps()[0] > 50);  // pixels
    CHECK(std::abs(steps()[1] - steps()[0]) < 0.3);
    CHECK(std::abs(steps()[2] - steps()[1]) < 0.3);
  }
}

TEST_CASE("logarithmic axes name powers of their base") {
  LinePlot plot;
  plot.series.push_back({"", {16, 4096}, {1e-7, 10}, {}});
  plot.x_scale = AxisScale::log2;
  plot.y_scale = AxisScale::log10;
  const std::string svg = line_svg(plot);

  check_sound(svg);
  CHECK(svg.find(">64<") != svg.npos);
  CHECK(svg.find(">1,024<") != svg.npos);
  CHECK(svg.find(">10⁻⁶<") != svg.npos);
}

TEST_CASE("error bars reach from y less the error to y and the error") {
  LinePlot plot;
  plot.series.push_back({"", {1, 2}, {5, 6}, {1, 0.5}});
  const std::string svg = line_svg(plot);

  check_sound(svg);
  CHECK(count(svg, "class=\"bars\"") == 1);
  // A bar that would reach below zero on a logarithmic axis ends at the frame.
  plot.y_scale = AxisScale::log10;
  plot.series[0].error = {7, 0.5};
  check_sound(line_svg(plot));
}

TEST_CASE("values that cannot be drawn break the line and are counted") {
  LinePlot plot = growing_plot(1, 6);
  plot.y_scale = AxisScale::log10;
  plot.series[0].y[2] = 0;
  plot.series[0].y[4] = std::numeric_limits<double>::quiet_NaN();
  const std::string svg = line_svg(plot);

  check_sound(svg);
  CHECK(svg.find("2 of 6 points not drawn") != svg.npos);
  const std::string_view drawn = drawn_part(svg);
  const std::size_t begin = drawn.find(" d=\"");
  CHECK(count(drawn.substr(begin, drawn.find("/>", begin) - begin), "M") == 3);
}

TEST_CASE("constant, tiny, single and missing values are drawn soundly") {
  for (const AxisScale scale : {AxisScale::linear, AxisScale::log2, AxisScale::log10}) {
    LinePlot plot;
    plot.x_scale = plot.y_scale = scale;
    check_sound(line_svg(plot));
    plot.series.push_back({"", {}, {}, {}});
    CHECK(line_svg(plot).find("no points") != std::string::npos);
    plot.series[0] = {"one", {3}, {3}, {}};
    check_sound(line_svg(plot));
    plot.series[0] = {"level", {1, 2, 3}, {1e-300, 1e-300, 1e-300}, {}};
    check_sound(line_svg(plot));
    plot.series[0] = {"wide", {1e-140, 1, 1e140}, {1e140, 1, 1e-140}, {}};
    check_sound(line_svg(plot));
  }
}

TEST_CASE("long series are thinned and keep their ends") {
  LinePlot plot = growing_plot(1, 50'000);
  const std::string svg = line_svg(plot);

  check_sound(svg);
  CHECK(svg.size() < 60'000);
  CHECK(path_heights(svg).size() <= 2001);
}

TEST_CASE("names of series are escaped, and very many are summed up") {
  LinePlot plot = growing_plot(40, 3);
  plot.series[0].name = "<a & b>";
  const std::string svg = line_svg(plot);

  check_sound(svg);
  CHECK(svg.find("&lt;a &amp; b&gt;") != svg.npos);
  CHECK(svg.find("and 23 more") != svg.npos);
}

TEST_CASE("series of unequal lengths are refused") {
  LinePlot plot;
  plot.series.push_back({"uneven", {1, 2}, {1}, {}});
  CHECK_THROWS_AS(line_svg(plot), Error);
  plot.series[0] = {"uneven", {1, 2}, {1, 2}, {1}};
  CHECK_THROWS_AS(line_svg(plot), Error);
}
