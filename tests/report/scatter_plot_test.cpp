// SPDX-License-Identifier: MIT
#include "report/plot/scatter_plot.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "ritz/base/error.hpp"
#include "ritz/base/random.hpp"
#include "support/svg.hpp"

using namespace ritz;

namespace {

// The markers of one panel: what stands in its group of points.
Index drawn_markers(const std::string& svg, Index panel = 0) {
  std::size_t begin = 0;
  for (Index p = 0; p <= panel; ++p) begin = svg.find("<g class=\"points\">", begin) + 1;
  const std::size_t end =
      std::min({svg.find("<text", begin), svg.find("<g stroke", begin), svg.find("<g class", begin)});
  const std::string_view group = std::string_view(svg).substr(begin, end - begin);
  return count(group, "<circle") + count(group, "<rect") + count(group, "<path");
}

ScatterPlot random_plot(Index n, int classes, Index columns = 2) {
  Rng rng(1, "test");
  ScatterPlot plot;
  plot.points = rng.normal_matrix(n, columns);
  for (Index i = 0; i < n; ++i) plot.classes.push_back(int(i % classes));
  plot.title = "title";
  return plot;
}

}  // namespace

TEST_CASE("every point is a marker, whatever its class") {
  for (const int classes : {1, 2, 8, 25, 60}) {
    CAPTURE(classes);
    const std::string svg = scatter_svg(random_plot(300, classes));

    check_sound(svg);
    CHECK(drawn_markers(svg) == 300);
    CHECK(svg.find("n = 300") != svg.npos);
  }
}

TEST_CASE("the same plot gives the same text") {
  CHECK(scatter_svg(random_plot(200, 3)) == scatter_svg(random_plot(200, 3)));
}

TEST_CASE("a legend names the classes that occur and how many points they have") {
  ScatterPlot plot = random_plot(30, 3);
  plot.class_names = {"ash", "birch", "cedar", "never seen"};
  const std::string svg = scatter_svg(plot);

  CHECK(svg.find(">birch<") != svg.npos);
  CHECK(count(svg, ">10<") == 3);
  CHECK(svg.find("never seen") == svg.npos);

  plot.classes.clear();
  CHECK(scatter_svg(plot).find("legend") == std::string::npos);
}

TEST_CASE("very many classes are summed up in the legend") {
  const std::string svg = scatter_svg(random_plot(600, 100));

  check_sound(svg);
  CHECK(svg.find("and 61 more") != svg.npos);
}

TEST_CASE("text is escaped and made valid") {
  ScatterPlot plot = random_plot(10, 1);
  plot.title = "a < b & \"c\" > d";
  plot.x_label = "line\nbreak \x01 and broken \xff bytes";
  plot.y_label = "overlong \xe0\x80\xbc, half a pair \xed\xa0\x80, cut \xe2\x82";
  plot.class_names = {"<script>alert('&')</script>"};
  const std::string svg = scatter_svg(plot);

  check_sound(svg);
  CHECK(svg.find("a &lt; b &amp; &quot;c&quot; &gt; d") != svg.npos);
  CHECK(svg.find("<script") == svg.npos);
  CHECK(svg.find('\x01') == svg.npos);
  CHECK(svg.find('\xff') == svg.npos);
  CHECK(svg.find("\xed\xa0") == svg.npos);
  CHECK(svg.find("\xe0\x80") == svg.npos);
}

TEST_CASE("long names are cut and kept whole in a tooltip") {
  ScatterPlot plot = random_plot(10, 1);
  const std::string name(300, 'm');
  plot.class_names = {name};
  const std::string svg = scatter_svg(plot);

  check_sound(svg);
  CHECK(svg.find("…<title>" + name + "</title>") != svg.npos);
}

TEST_CASE("panels stand side by side and show the same points") {
  ScatterPlot plot = random_plot(50, 2);
  plot.panel_title = "before";
  plot.more.push_back({plot.points * 3, "after", "z1", "z2"});
  plot.more.push_back({plot.points.leftCols(1), "one direction", "z", ""});
  const std::string svg = scatter_svg(plot);

  check_sound(svg);
  for (Index panel = 0; panel < 3; ++panel) CHECK(drawn_markers(svg, panel) == 50);
  CHECK(svg.find(">after<") != svg.npos);
}

TEST_CASE("large sets are thinned, rare classes stay, and the caption says so") {
  ScatterPlot plot = random_plot(60'000, 5);
  plot.classes[123] = 5;
  const std::string svg = scatter_svg(plot);

  check_sound(svg);
  CHECK(drawn_markers(svg) <= 8'010);
  CHECK(drawn_markers(svg) >= 7'000);
  CHECK(svg.find(" of 60,000 points drawn") != svg.npos);
  CHECK(svg.find(">class 5<") != svg.npos);
  CHECK(svg.size() < 1'000'000);
}

TEST_CASE("one column becomes strips") {
  const std::string svg = scatter_svg(random_plot(40, 30, 1));

  check_sound(svg);
  CHECK(drawn_markers(svg) == 40);
}

TEST_CASE("constant, huge, tiny and missing coordinates are drawn soundly") {
  ScatterPlot plot = random_plot(20, 2);
  plot.points.col(0).setConstant(3.5);
  check_sound(scatter_svg(plot));
  plot.points.setZero();
  check_sound(scatter_svg(plot));
  plot.points.col(1).setConstant(1e140);
  plot.points(0, 1) = -1e140;
  check_sound(scatter_svg(plot));
  plot.points.col(1) *= 0x1p-1000;
  check_sound(scatter_svg(plot));
  plot.points.col(1).setConstant(5e-324);
  check_sound(scatter_svg(plot));

  plot = random_plot(20, 2);
  plot.points(3, 0) = std::numeric_limits<double>::quiet_NaN();
  plot.points(4, 1) = std::numeric_limits<double>::infinity();
  plot.points(5, 1) = 1e300;
  const std::string svg = scatter_svg(plot);
  check_sound(svg);
  CHECK(drawn_markers(svg) == 17);
  CHECK(svg.find("3 not drawn") != svg.npos);
}

TEST_CASE("one point and none are plots too") {
  check_sound(scatter_svg(random_plot(1, 1)));
  check_sound(scatter_svg(random_plot(1, 1, 1)));
  check_sound(scatter_svg(random_plot(0, 1)));
  CHECK(scatter_svg(random_plot(0, 1)).find("no points") != std::string::npos);
}

TEST_CASE("shapes that do not match are refused") {
  ScatterPlot plot = random_plot(10, 2);
  plot.points = Matrix::Zero(9, 2);
  CHECK_THROWS_AS(scatter_svg(plot), Error);
  plot.points = Matrix::Zero(10, 3);
  CHECK_THROWS_AS(scatter_svg(plot), Error);
  plot.points = Matrix::Zero(10, 2);
  plot.more.push_back({Matrix::Zero(4, 2), "", "", ""});
  CHECK_THROWS_AS(scatter_svg(plot), Error);
  plot.more.clear();
  plot.classes[2] = -1;
  CHECK_THROWS_AS(scatter_svg(plot), Error);
}

TEST_CASE("points have their names where they are few, classes theirs where points are many") {
  ScatterPlot plot = random_plot(40, 3);
  for (int i = 0; i < 40; ++i) plot.point_names.push_back("point " + std::to_string(i));
  const std::string few = scatter_svg(plot);
  check_sound(few);
  CHECK(few.find(">point 39<") != few.npos);

  plot = random_plot(400, 3);
  for (int i = 0; i < 400; ++i) plot.point_names.push_back("point " + std::to_string(i));
  const std::string many = scatter_svg(plot);
  CHECK(many.find(">point 39<") == many.npos);
  CHECK(many.find("class=\"names\"") != many.npos);

  plot.point_names.pop_back();
  CHECK_THROWS_AS(scatter_svg(plot), Error);
}

TEST_CASE("names of points that lie on each other are not drawn over each other") {
  ScatterPlot plot = random_plot(40, 1);
  plot.points.topRows(39).rowwise() = plot.points.row(0).eval();
  for (int i = 0; i < 40; ++i) plot.point_names.push_back("place " + std::to_string(i));

  const std::string drawn = scatter_svg(plot);

  check_sound(drawn);
  const auto named = [&](int i) { return drawn.find(">place " + std::to_string(i) + "<") != drawn.npos; };
  int names = 0;
  for (int i = 0; i < 40; ++i) names += named(i);
  CHECK(names > 5);
  CHECK(names < 40);
  CHECK(named(39));
}

TEST_CASE("a title is never cut") {
  ScatterPlot plot = random_plot(5, 1);
  plot.subtitle = std::string(90, 'n');

  CHECK(scatter_svg(plot).find(">" + plot.subtitle + "<") != std::string::npos);
}
