// SPDX-License-Identifier: MIT
#include "report/lines.hpp"

#include <fmt/format.h>

namespace ritz {

Lines& Lines::add(std::string_view name, const std::string& value) {
  text_ += fmt::format("  {:<12} {}\n", name, value);
  return *this;
}

Lines& Lines::notes(const std::vector<std::string>& all) {
  for (const std::string& note : all) add("note", note);
  return *this;
}

Lines& Lines::raw(const std::string& text) {
  text_ += text;
  return *this;
}

Lines& Lines::ending(const Summary& summary, const std::string& facts) {
  return add(summary.converged() ? "converged" : "NOT CONVERGED", facts);
}

Lines& Lines::time(const Summary& summary) {
  double seconds = 0;
  for (const auto& [phase, part] : summary.seconds) seconds += part;
  return add("time", fmt::format("{:.2f} s", seconds));
}

std::string counted(Index count, std::string_view one) {
  return fmt::format("{} {}{}", count, one, count == 1 ? "" : "s");
}

std::string sizes_text(const std::vector<Index>& sizes) { return fmt::format("{}", fmt::join(sizes, ", ")); }

std::vector<std::string> numbered_names(std::string_view word, Index count) {
  std::vector<std::string> names;
  for (Index i = 1; i <= count; ++i) names.push_back(fmt::format("{}{}", word, i));
  return names;
}

}  // namespace ritz
