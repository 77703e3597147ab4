// SPDX-License-Identifier: MIT
// What every SVG text of the library must be.
#pragma once

#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <vector>

#include "ritz/base/types.hpp"

namespace ritz {

inline Index count(std::string_view text, std::string_view part) {
  Index found = 0;
  for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + part.size())) ++found;
  return found;
}

// Every tag is closed in order, and no stray < or & is left.
inline bool well_formed(std::string_view xml) {
  std::vector<std::string> open;
  for (std::size_t at = 0; at < xml.size(); ++at) {
    if (xml[at] == '&') {
      const std::string_view rest = xml.substr(at + 1, 5);
      if (!rest.starts_with("amp;") && !rest.starts_with("lt;") && !rest.starts_with("gt;") &&
          !rest.starts_with("quot;"))
        return false;
    }
    if (xml[at] != '<') continue;
    const std::size_t end = xml.find('>', at);
    if (end == xml.npos) return false;
    const std::string_view tag = xml.substr(at + 1, end - at - 1);
    if (tag.empty() || tag.find('<') != tag.npos || count(tag, "\"") % 2 != 0) return false;
    if (tag[0] == '/') {
      if (open.empty() || open.back() != tag.substr(1)) return false;
      open.pop_back();
    } else if (tag.back() != '/') {
      open.emplace_back(tag.substr(0, tag.find(' ')));
    }
    at = end;
  }
  return open.empty();
}

inline void check_sound(const std::string& svg) {
  CHECK(well_formed(svg));
  for (const std::string_view word : {"nan", "inf", "-0.0\""}) CHECK(svg.find(word) == svg.npos);
}

}  // namespace ritz
