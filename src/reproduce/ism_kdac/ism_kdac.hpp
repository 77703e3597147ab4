// SPDX-License-Identifier: MIT
// Table 1 and Figure 3 of "Iterative Spectral Method for Alternative Clustering", measured here and now, next to what
// the paper prints.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "reproduce/reproduction.hpp"
#include "ritz/base/options.hpp"

namespace ritz::reproduce {

inline constexpr std::array<std::string_view, 2> kKdacParts = {"table1", "figure3"};
inline constexpr std::array<std::string_view, 7> kKdacSets = {"sg",     "lg",   "moon", "moon-noise",
                                                              "flower", "face", "webkb"};
inline constexpr std::array<std::string_view, 3> kKdacSolvers = {"ism", "sm", "dg"};

struct KdacOptions {
  static constexpr std::string_view name = "reproduce";
  std::vector<std::string> parts = {"all"}, sets = {"all"}, solvers = {"ism"};  // of the lists above
  double budget = 20;                                                           // the best so far is shown then
  int random_starts = 0;                                                        // of the rows RI
  static constexpr auto fields() {
    return std::tuple{
        field("only", &KdacOptions::parts, "parts: table1, figure3"),
        field("sets", &KdacOptions::sets, "data sets: sg, lg, moon, moon-noise, flower, face, webkb"),
        field("solvers", &KdacOptions::solvers, "solvers of Table 1: ism, and the slow rivals sm and dg, or all"),
        field("budget", &KdacOptions::budget, 0.01, 1e9, "seconds for one fit"),
        field("random_starts", &KdacOptions::random_starts, 0, 1000, "fits of the rows with random starts; 0: none")};
  }
};
KdacOptions settled(KdacOptions asked);  // with every name spelled out

Reproduction ism_kdac(const KdacOptions& options, RunContext& context, const Tell& tell);

}  // namespace ritz::reproduce
