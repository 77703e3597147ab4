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
#include "ritz/base/options.hpp"

namespace ritz::reproduce {

inline constexpr std::array<std::string_view, 7> kGmebParts = {"example", "figure5", "figure6", "figure7",
                                                               "figure8", "figure9", "figure10"};

struct GmebOptions {
  static constexpr std::string_view name = "reproduce";
  std::vector<std::string> parts = {"all"};  // of the list above
  int trials = 10;
  bool quick = false;
  static constexpr auto fields() {
    return std::tuple{
        field("only", &GmebOptions::parts, "parts: example, figure5, figure6, figure7, figure8, figure9, figure10"),
        field("trials", &GmebOptions::trials, 1, 100'000, "draws of each collection; the paper has 100"),
        field("quick", &GmebOptions::quick, "few sizes, and at most three draws: a first look")};
  }
};
GmebOptions settled(GmebOptions asked);  // with every name spelled out
Reproduction gmeb(const GmebOptions& options, RunContext& context, const Tell& tell);

}  // namespace ritz::reproduce
