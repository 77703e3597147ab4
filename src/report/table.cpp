// SPDX-License-Identifier: MIT
#include "report/table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <algorithm>
#include <cctype>
#include <cmath>

namespace ritz {

namespace {

bool is_number(const std::string& cell) {
  return !cell.empty() && (std::isdigit(static_cast<unsigned char>(cell[0])) || cell[0] == '-' || cell[0] == '+' ||
                           cell[0] == '.' || cell[0] == '>');
}

const std::string& cell(const std::vector<std::string>& row, std::size_t column) {
  static const std::string empty;
  return column < row.size() ? row[column] : empty;
}

// A column is set to the right when most of its cells that say something are numbers.
bool is_numeric(const TextTable& table, std::size_t column) {
  int numbers = 0, words = 0;
  for (const auto& row : table.rows)
    if (!cell(row, column).empty()) ++(is_number(cell(row, column)) ? numbers : words);
  return numbers > words;
}

}  // namespace

std::size_t text_width(const std::string& text) {
  return std::size_t(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

std::string table_text(const TextTable& table) {
  std::string text = table.title.empty() ? "" : table.title + '\n';
  std::vector<std::size_t> widths;
  std::vector<bool> numeric;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    std::size_t width = text_width(table.columns[c]);
    for (const auto& row : table.rows) width = std::max(width, text_width(cell(row, c)));
    widths.push_back(width);
    numeric.push_back(is_numeric(table, c));
  }
  const auto line = [&](const std::vector<std::string>& cells) {
    std::string out = " ";
    for (std::size_t c = 0; c < widths.size(); ++c) {
      const std::string& shown = cell(cells, c);
      out += numeric[c] ? fmt::format(" {:>{}} ", shown, widths[c]) : fmt::format(" {:<{}} ", shown, widths[c]);
    }
    out.erase(out.find_last_not_of(' ') + 1);
    return out + '\n';
  };
  text += line(table.columns);
  std::vector<std::string> rule;
  for (const std::size_t width : widths) rule.emplace_back(width, '-');
  text += line(rule);
  for (const auto& row : table.rows) text += line(row);
  for (const std::string& note : table.notes) text += "  * " + note + '\n';
  return text;
}

std::string table_markdown(const TextTable& table) {
  const auto line = [&](const std::vector<std::string>& cells) {
    std::string out = "|";
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      std::string escaped;
      for (const char character : cell(cells, c)) escaped += character == '|' ? "\\|" : std::string(1, character);
      out += ' ' + escaped + " |";
    }
    return out + '\n';
  };
  std::string text = table.title.empty() ? "" : "### " + table.title + "\n\n";
  text += line(table.columns) + "|";
  for (std::size_t c = 0; c < table.columns.size(); ++c) text += is_numeric(table, c) ? "---:|" : "---|";
  text += '\n';
  for (const auto& row : table.rows) text += line(row);
  if (!table.notes.empty()) text += '\n';
  for (const std::string& note : table.notes) text += "* " + note + '\n';
  return text;
}

std::string seconds_text(double seconds) {
  if (!std::isfinite(seconds)) return "";
  if (seconds < 1) return fmt::format("{:.2g} s", seconds);
  if (seconds < 120) return fmt::format("{:.3g} s", seconds);
  if (seconds < 2 * 3600) return fmt::format("{:.3g} min", seconds / 60);
  if (seconds < 2 * 86400) return fmt::format("{:.3g} h", seconds / 3600);
  return fmt::format("{:.3g} d", seconds / 86400);
}

Lines& Lines::add(std::string_view name, const std::string& value) {
  text_ += fmt::format("  {:<12} {}\n", name, value);
  return *this;
}

Lines& Lines::detail(std::string_view name, const std::string& value) {
  details_ += fmt::format("  {:<12} {}\n", name, value);
  return *this;
}

Lines& Lines::notes(const std::vector<std::string>& all) {
  constexpr std::size_t kShown = 4;
  for (std::size_t i = 0; i < all.size(); ++i) i < kShown ? add("note", all[i]) : detail("note", all[i]);
  if (all.size() > kShown) add("note", "{} more: run.verbose", all.size() - kShown);
  return *this;
}

Lines& Lines::leave_out_next(const std::vector<std::string>& words) {
  const std::string head = fmt::format("  {:<12} ", "next");
  const std::size_t begin = text_.find(head);
  if (begin == std::string::npos) return *this;
  const std::size_t end = text_.find('\n', begin);
  std::string left;
  for (std::string_view rest = std::string_view(text_).substr(begin + head.size(), end - begin - head.size());
       !rest.empty();) {
    const std::string_view step = rest.substr(0, rest.find("; "));
    rest.remove_prefix(std::min(step.size() + 2, rest.size()));
    if (std::ranges::none_of(words, [&](const std::string& word) { return step.find(word) != step.npos; }))
      left.append(left.empty() ? "" : "; ").append(step);
  }
  text_.replace(begin, end + 1 - begin, left.empty() ? "" : head + left + '\n');
  return *this;
}

Lines& Lines::raw(const std::string& text) {
  text_ += text;
  return *this;
}

Lines& Lines::ending(const Summary& summary) {
  if (!summary.converged())
    add("NOT CONVERGED", "{} after {}: the best so far", summary.message, counted(summary.iterations, "step"));
  detail("ended", "{} after {}", summary.message, counted(summary.iterations, "step"));
  return std::isfinite(summary.objective) ? detail("objective", "{:.10g}", summary.objective) : *this;
}

std::string settled_text(const Summary& summary, std::string_view step) {
  return (summary.converged() ? "settled after " : "stopped after ") + counted(summary.iterations, step);
}

std::string percent_text(double share) {
  constexpr double kLeast = 1e-5;  // less is not worth its digits
  if (share < kLeast) return fmt::format("{:g} %", 100 * kLeast);
  if (share >= 10) return fmt::format("{:.0f} times", share);
  return share < 0.995 ? fmt::format("{:.2g} %", 100 * share) : fmt::format("{:.0f} %", 100 * share);
}

std::string csv_field(const std::string& name) {
  if (name.find_first_of(",\"\n") == std::string::npos) return name;
  std::string out = "\"";
  for (const char c : name) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + '"';
}

std::string counted(Index count, std::string_view one) {
  return fmt::format("{} {}{}", count, one, count == 1 ? "" : "s");
}

std::string sizes_text(const std::vector<Index>& sizes) {
  constexpr std::size_t kShown = 12;
  const auto end = sizes.begin() + std::ptrdiff_t(std::min(kShown, sizes.size()));
  return fmt::format("{}{}", fmt::join(sizes.begin(), end, ", "), sizes.size() > kShown ? ", …" : "");
}

std::string listed(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i)
    text += (i == 0 ? "" : i + 1 == words.size() ? " and " : ", ") + words[i];
  return text;
}

std::vector<std::string> numbered_names(std::string_view word, Index count) {
  std::vector<std::string> names;
  for (Index i = 1; i <= count; ++i) names.push_back(fmt::format("{}{}", word, i));
  return names;
}

}  // namespace ritz
