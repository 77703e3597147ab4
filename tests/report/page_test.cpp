// SPDX-License-Identifier: MIT
#include "report/page/page.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <string>

namespace ritz::page {

namespace {

constexpr const char* kHostile = "</script><img src=x onerror=alert(1)>\"'&";

Page small_page() {
  Page page;
  page.kind = page.question = page.answer = page.verdict.word = page.verdict.meaning = kHostile;
  page.figures = {{kHostile, kHostile}};
  return page;
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("a_name_is_never_markup_wherever_it_stands") {
  Page page = small_page();
  Scatter scatter{
      kHostile, kHostile, {{kHostile, Vector::LinSpaced(3, 0, 1)}}, {{kHostile, {{0, 1, 0}, {kHostile, "b"}}}}};
  scatter.names = {kHostile, "b", "c"};
  page.text(kHostile, kHostile)
      .list(kHostile, {kHostile})
      .table(kHostile, kHostile, {.columns = {kHostile}, .rows = {{kHostile}}, .notes = {kHostile}})
      .bars(kHostile, kHostile, {{kHostile, {{kHostile, 1}}}})
      .lines(kHostile, kHostile, {.series = {{kHostile, {0, 1}, {0, 1}}}, .title = kHostile, .x_label = kHostile})
      .histogram(kHostile, kHostile, {.x_label = kHostile, .counts = {1}, .mark = 0.5, .mark_name = kHostile})
      .scatter(scatter)
      .command(kHostile, kHostile, kHostile);

  const std::string html = page.html();

  CHECK(!has(html, "<img"));
  CHECK(!has(html, kHostile));
}

TEST_CASE("what_is_not_finite_is_missing_and_does_not_widen_the_range") {
  Page page;
  Vector values(4);
  values << 2, std::numeric_limits<double>::quiet_NaN(), 4, std::numeric_limits<double>::infinity();
  page.scatter({"", "", {{"a", values}, {"b", Vector::LinSpaced(4, 0, 1)}}});

  const std::string html = page.html();

  CHECK(has(html, R"("low":2.0,"high":4.0)"));
  CHECK(has(html, "\"data\":\"AAD///7///8=\""));  // 0, 65535, 65534, 65535
}

TEST_CASE("sections_without_content_are_not_there") {
  Page page;
  page.list("left_out", {})
      .table("left_out", "", {})
      .bars("left_out", "", {{"", {}}})
      .histogram("left_out", "", {})
      .scatter({});

  CHECK(!has(page.html(), "left_out"));
}

TEST_CASE("the_same_page_gives_the_same_text") { CHECK(small_page().html() == small_page().html()); }

}  // namespace ritz::page
