// SPDX-License-Identifier: MIT
// Text: the lines of a summary, a short name and what there is to say of it; and small tables, for the terminal and as
// Markdown. A summary has the same order for every task: a heading (what was asked), "found", "how sure", "next",
// notes. What only its author can read is a detail, told on request.
#pragma once

#include <fmt/format.h>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ritz/base/iterate.hpp"
#include "ritz/base/types.hpp"

namespace ritz {

class Lines {
 public:
  Lines& add(std::string_view name, const std::string& value);  // "  name         value"
  Lines& detail(std::string_view name, const std::string& value);
  Lines& notes(const std::vector<std::string>& all);  // one "note" each; beyond the first few they are details
  Lines& raw(const std::string& text);                // as it is: a table, a heading
  // Where the work did not end well, that and why, first of all; how it ended and the objective as details.
  Lines& ending(const Summary& summary);
  // The same, made as by fmt::format.
  template <class... Args>
  Lines& add(std::string_view name, fmt::format_string<Args...> value, Args&&... args) {
    return add(name, fmt::format(value, std::forward<Args>(args)...));
  }
  template <class... Args>
  Lines& raw(fmt::format_string<Args...> text, Args&&... args) {
    return raw(fmt::format(text, std::forward<Args>(args)...));
  }
  template <class... Args>
  Lines& detail(std::string_view name, fmt::format_string<Args...> value, Args&&... args) {
    return detail(name, fmt::format(value, std::forward<Args>(args)...));
  }
  // Takes parts of the lines "next", which stand between semicolons, away where they speak of one of the words.
  Lines& leave_out_next(const std::vector<std::string>& words);
  const std::string& text() const { return text_; }
  const std::string& details() const { return details_; }

 private:
  std::string text_, details_;
};

// A name as a field of CSV: in quotes where it holds what would end it.
std::string csv_field(const std::string& name);
std::string counted(Index count, std::string_view one);                   // "1 edge", "2 edges"
std::string sizes_text(const std::vector<Index>& sizes);                  // "40, 2, 7"; the first 12
std::string listed(const std::vector<std::string>& words);                // "a", "a and b", "a, b and c"
std::string settled_text(const Summary& summary, std::string_view step);  // "settled after 3 steps"
std::string percent_text(double share);  // "1.2 %", and "28 times" where per cent would be thousands
std::vector<std::string> numbered_names(std::string_view word, Index count);  // "axis1", "axis2", …

struct TextTable {
  std::string title;
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;  // a row may be shorter than `columns`
  std::vector<std::string> notes;              // below the table
};

// Columns aligned by blanks, numbers (what begins with a digit, a sign or a dot) to the right. Ends with a newline.
std::string table_text(const TextTable& table);
std::string table_markdown(const TextTable& table);  // a bar in a cell is escaped

// Characters, not bytes: what continues a UTF-8 sequence is not counted.
std::size_t text_width(const std::string& text);

std::string seconds_text(double seconds);  // "0.013 s", "42 s", "3.5 min", "1.8 h", "2 d"

}  // namespace ritz
