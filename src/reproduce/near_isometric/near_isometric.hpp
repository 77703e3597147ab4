// SPDX-License-Identifier: MIT
// Tables 7.1, 7.2 and 7.3 and Figure 7.2 of "Practical Algorithms for Learning Near-Isometric Linear Embeddings",
// measured here and now, next to what the paper prints.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "reproduce/reproduction.hpp"

namespace ritz::reproduce {

inline constexpr std::array<std::string_view, 4> kIsometryParts = {"table7.1", "table7.2", "table7.3", "figure7.2"};
inline constexpr std::array<std::string_view, 4> kIsometryMethods = {"auto", "nile", "fromax", "numax"};

struct NearIsometricOptions {
  std::vector<std::string> parts, methods;  // of the lists above
  double budget = 60;                       // seconds for a fit of one of the paper's methods
  bool quick = false;                       // up to 95 points, three distortions of the figure, 2,000 images of MNIST
};

// Ctrl-C: what is finished so far.
Reproduction near_isometric(const NearIsometricOptions& options, RunContext& context, const Tell& tell);

}  // namespace ritz::reproduce
