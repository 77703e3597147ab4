// SPDX-License-Identifier: MIT
// Section 5.1 and Figures 5 to 10 of 'On a Minimum Enclosing Ball of a Collection of Linear Subspaces' (Marrinan, Absil
// & Gillis 2021), measured here.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "reproduce/reproduction.hpp"
#include "ritz/base/context.hpp"

namespace ritz::reproduce {

inline constexpr std::array<std::string_view, 7> kGmebParts = {"example", "figure5", "figure6", "figure7",
                                                               "figure8", "figure9", "figure10"};

struct GmebOptions {
  std::vector<std::string> parts;
  int trials = 10;     // draws of each collection; the paper has 100
  bool quick = false;  // few sizes
};
Reproduction gmeb(const GmebOptions& options, RunContext& context, const Tell& tell);

}  // namespace ritz::reproduce
