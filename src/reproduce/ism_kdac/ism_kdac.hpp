// SPDX-License-Identifier: MIT
// Table 1 and Figure 3 of "Iterative Spectral Method for Alternative Clustering", measured here and now, next to what
// the paper prints.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "reproduce/reproduction.hpp"

namespace ritz::reproduce {

inline constexpr std::array<std::string_view, 2> kKdacParts = {"table1", "figure3"};
inline constexpr std::array<std::string_view, 7> kKdacSets = {"sg",     "lg",   "moon", "moon-noise",
                                                              "flower", "face", "webkb"};
inline constexpr std::array<std::string_view, 3> kKdacSolvers = {"ism", "sm", "dg"};

struct KdacOptions {
  std::vector<std::string> parts, sets, solvers;  // of the lists above
  double budget = 20;                             // seconds for a fit of a rival; the best so far is shown then
  int random_starts = 10;                         // of the rows RI; 0: no such rows
};

Reproduction ism_kdac(const KdacOptions& options, RunContext& context, const Tell& tell);

}  // namespace ritz::reproduce
