// SPDX-License-Identifier: MIT
#include "data/source_names.hpp"

#include <array>

namespace ritz {

namespace {

// Bytes of the character at the front of the text, 0 where it is not UTF-8.
std::size_t utf8_length(std::string_view text) {
  const auto first = static_cast<unsigned char>(text[0]);
  const std::size_t length = first < 0x80   ? 1
                             : first < 0xC2 ? 0
                             : first < 0xE0 ? 2
                             : first < 0xF0 ? 3
                             : first < 0xF5 ? 4
                                            : 0;
  if (length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((static_cast<unsigned char>(text[i]) & 0xC0) != 0x80) return 0;
  return length;
}

// 0x80 to 0x9F of Windows-1252; what it leaves open is as in Latin-1.
constexpr std::array<unsigned, 32> kWindows = {0x20AC, 0x81,   0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021,
                                               0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D,   0x017D, 0x8F,
                                               0x90,   0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
                                               0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D,   0x017E, 0x0178};

}  // namespace

std::string as_utf8(std::string_view text) {
  bool fine = true;
  for (std::size_t i = 0; fine && i < text.size();) {
    const std::size_t length = utf8_length(text.substr(i));
    fine = length > 0;
    i += length;
  }
  if (fine) return std::string(text);
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    append_utf8(byte >= 0x80 && byte < 0xA0 ? kWindows[byte - 0x80] : byte, out);
  }
  return out;
}

void append_utf8(unsigned code, std::string& out) {
  const auto low = [&](int shift) { return char(0x80 | ((code >> shift) & 0x3F)); };
  if (code < 0x80)
    out += char(code);
  else if (code < 0x800)
    out.append({char(0xC0 | (code >> 6)), low(0)});
  else if (code < 0x10000)
    out.append({char(0xE0 | (code >> 12)), low(6), low(0)});
  else
    out.append({char(0xF0 | (code >> 18)), low(12), low(6), low(0)});
}

std::string source_name(const std::string& path) { return path == "-" ? "standard input" : path; }

std::string excerpt(std::string_view field, std::size_t most) {
  const bool cut = field.size() > most;
  std::string text(field.substr(0, most));
  if (cut)
    while (!text.empty() && (static_cast<unsigned char>(text.back()) & 0xC0) == 0x80) text.pop_back();
  for (char& c : text)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = c == '\n' ? ' ' : '?';
  return "'" + text + (cut ? "…'" : "'");
}

}  // namespace ritz
