// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "ritz/base/text.hpp"
#include "ritz/base/types.hpp"

namespace ritz {

// A number of dimensions, or `auto`.
struct Dimension {
  Index value = 0;  // 0: auto
  bool operator==(const Dimension&) const = default;
};
template <>
struct TextForm<Dimension> {
  static std::string kind() { return "a whole number from 1, or auto"; }
  static std::optional<Dimension> parse(std::string_view text) {
    if (text == "auto") return Dimension{};
    const auto number = read_integer(text);
    if (!number || *number < 1) return std::nullopt;
    return Dimension{Index(*number)};
  }
  static std::string print(Dimension dimension) {
    return dimension.value == 0 ? "auto" : std::to_string(dimension.value);
  }
};

}  // namespace ritz
