// SPDX-License-Identifier: MIT
#include "base/controls.hpp"

#include <fmt/format.h>

namespace ritz {

namespace {

// Of a character of two or three bytes.
unsigned code_of(std::string_view c) {
  const auto byte = [&](std::size_t k) { return unsigned(static_cast<unsigned char>(c[k])); };
  return c.size() == 2 ? (byte(0) & 0x1F) << 6 | (byte(1) & 0x3F)
                       : (byte(0) & 0x0F) << 12 | (byte(1) & 0x3F) << 6 | (byte(2) & 0x3F);
}

}  // namespace

std::size_t control_length(std::string_view text) {
  if (text.empty()) return 0;
  const auto first = static_cast<unsigned char>(text.front());
  if (first < 0x20 || first == 0x7F) return 1;
  if (first == 0xC2 && text.size() > 1) {
    const auto next = static_cast<unsigned char>(text[1]);
    return next >= 0x80 && next < 0xA0 ? 2 : 0;
  }
  if (first != 0xE2 || text.size() < 3) return 0;
  const unsigned code = code_of(text.substr(0, 3));
  return (code >= 0x2028 && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069) ? 3 : 0;
}

std::string printable(std::string_view text, LineEnds lines) {
  std::string out;
  while (!text.empty()) {
    const std::size_t length = control_length(text);
    const char c = text.front();
    if (length == 0 || (lines == LineEnds::kept && (c == '\n' || c == '\t')))
      out += c;
    else if (c == '\n')
      out += "\\n";
    else if (length < 3)
      out +=
          fmt::format("\\x{:02x}", length == 1 ? unsigned(static_cast<unsigned char>(c)) : code_of(text.substr(0, 2)));
    else
      out += fmt::format("\\u{:04x}", code_of(text.substr(0, 3)));
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return out;
}

}  // namespace ritz
