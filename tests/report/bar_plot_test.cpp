// SPDX-License-Identifier: MIT
#include "report/plot/bar_plot.hpp"

#include "support/svg.hpp"

namespace ritz {
namespace {

TEST_CASE("every bar has its name and a length in proportion to its value") {
  const std::string svg = bar_svg({.bars = {{"a < b", 4}, {"half", 2, true}, {"nothing", 0}},
                                   .title = "t",
                                   .subtitle = "",
                                   .value_label = "metres",
                                   .marked_means = "odd"});

  CHECK(well_formed(svg));
  for (const char* text : {"a &lt; b", ">half<", ">nothing<", ">metres<", "orange: odd"})
    CHECK(svg.find(text) != svg.npos);
  const auto width = [&](std::size_t place) {
    std::size_t at = svg.find("class=\"bars\"");
    for (std::size_t k = 0; k <= place; ++k) at = svg.find("width=\"", at + 1);
    return std::stod(svg.substr(at + 7));
  };
  CHECK(width(0) == doctest::Approx(2 * width(1)).epsilon(0.01));
  CHECK(width(2) == doctest::Approx(0));
}

TEST_CASE("of very many bars the first are drawn, and the caption says so") {
  const std::string svg = bar_svg(
      {.bars = std::vector<Bar>(200, {"bar", 1}), .title = "", .subtitle = "", .value_label = "", .marked_means = ""});

  CHECK(well_formed(svg));
  CHECK(count(svg, ">bar<") == Index(kMostBars));
  CHECK(svg.find("60 of 200 drawn") != svg.npos);
}

TEST_CASE("no bars are a plot too") { CHECK(well_formed(bar_svg({}))); }

}  // namespace
}  // namespace ritz
