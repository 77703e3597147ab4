// SPDX-License-Identifier: MIT
#include "report/table.hpp"

#include <doctest/doctest.h>

namespace ritz {

TEST_CASE("a_table_is_aligned_by_characters_and_numbers_go_to_the_right") {
  const TextTable table{"title", {"name", "F"}, {{"a", "1.5 ± 2"}, {"bcdef", "-10"}}, {"a note"}};

  CHECK(table_text(table) ==
        "title\n"
        "  name         F\n"
        "  -----  -------\n"
        "  a      1.5 ± 2\n"
        "  bcdef      -10\n"
        "  * a note\n");
}

TEST_CASE("shares_are_said_in_per_cent_without_exponents") {
  CHECK(percent_text(0.0123) == "1.2 %");
  CHECK(percent_text(0.994) == "99 %");
  CHECK(percent_text(0.996) == "100 %");
  CHECK(percent_text(1.5) == "150 %");
  CHECK(percent_text(28.2) == "28 times");
}

TEST_CASE("a_short_row_leaves_cells_empty") {
  CHECK(table_text({"", {"a", "b"}, {{"x"}}, {}}) == "  a  b\n  -  -\n  x\n");
}

TEST_CASE("markdown_escapes_bars_and_aligns_numbers") {
  const std::string text = table_markdown({"t", {"a", "b"}, {{"x|y", "3"}}, {}});

  CHECK(text == "### t\n\n| a | b |\n|---|---:|\n| x\\|y | 3 |\n");
}

TEST_CASE("seconds_are_said_in_the_unit_that_fits") {
  CHECK(seconds_text(0.0131) == "0.013 s");
  CHECK(seconds_text(42) == "42 s");
  CHECK(seconds_text(210) == "3.5 min");
  CHECK(seconds_text(1.8 * 3600 * 2) == "3.6 h");
  CHECK(seconds_text(1.92 * 2 * 86400) == "3.84 d");
}

}  // namespace ritz
