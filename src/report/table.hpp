// SPDX-License-Identifier: MIT
// Text: the lines of a summary, a short name and what there is to say of it; and small tables, for the terminal and as
// Markdown.
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
  Lines& notes(const std::vector<std::string>& all);            // one "note" each
  Lines& raw(const std::string& text);                          // as it is: a table, a heading
  Lines& time(const Summary& summary);                          // seconds of all phases together
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
  Lines& ending(const Summary& summary, fmt::format_string<Args...> facts, Args&&... args) {
    return add(summary.converged() ? "converged" : "NOT CONVERGED", facts, std::forward<Args>(args)...);
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

// A name as a field of CSV: in quotes where it holds what would end it.
std::string csv_field(const std::string& name);
std::string counted(Index count, std::string_view one);                       // "1 edge", "2 edges"
std::string sizes_text(const std::vector<Index>& sizes);                      // "40, 2, 7"
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
