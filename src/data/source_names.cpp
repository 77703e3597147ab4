// SPDX-License-Identifier: MIT
#include "data/source_names.hpp"

namespace ritz {

std::string source_name(const std::string& path) { return path == "-" ? "standard input" : path; }

std::string excerpt(std::string_view field) {
  constexpr std::size_t kMost = 40;
  const bool cut = field.size() > kMost;
  std::string text(field.substr(0, kMost));
  if (cut)
    while (!text.empty() && (static_cast<unsigned char>(text.back()) & 0xC0) == 0x80) text.pop_back();
  for (char& c : text)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = '?';
  return "'" + text + (cut ? "…'" : "'");
}

}  // namespace ritz
