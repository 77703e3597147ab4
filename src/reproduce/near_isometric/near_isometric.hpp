// SPDX-License-Identifier: MIT
// Tables 7.1, 7.2 and 7.3 and Figure 7.2 of "Practical Algorithms for Learning Near-Isometric Linear Embeddings",
// measured here and now, next to what the paper prints.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "reproduce/reproduction.hpp"
#include "ritz/base/options.hpp"

namespace ritz::reproduce {

inline constexpr std::array<std::string_view, 4> kIsometryParts = {"table7.1", "table7.2", "table7.3", "figure7.2"};
inline constexpr std::array<std::string_view, 4> kIsometryMethods = {"auto", "nile", "fromax", "numax"};

struct NearIsometricOptions {
  static constexpr std::string_view name = "reproduce";
  std::vector<std::string> parts = {"all"}, methods = {"all"};  // of the lists above
  double budget = 60;
  bool quick = false;
  static constexpr auto fields() {
    return std::tuple{
        field("only", &NearIsometricOptions::parts, "parts: table7.1, table7.2, table7.3, figure7.2"),
        field("methods", &NearIsometricOptions::methods, "auto, nile, fromax, numax"),
        field("budget", &NearIsometricOptions::budget, 0.01, 1e9, "seconds for one fit of a method of the paper"),
        field("quick", &NearIsometricOptions::quick,
              "60 squares, 95 digits, 2000 images of MNIST and three distortions of the figure: a first look")};
  }
};
NearIsometricOptions settled(NearIsometricOptions asked);  // with every name spelled out

// Ctrl-C: what is finished so far.
Reproduction near_isometric(const NearIsometricOptions& options, RunContext& context, const Tell& tell);

}  // namespace ritz::reproduce
