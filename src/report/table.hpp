// SPDX-License-Identifier: MIT
// Small tables of text, for the terminal and as Markdown.
#pragma once

#include <string>
#include <vector>

namespace ritz {

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
