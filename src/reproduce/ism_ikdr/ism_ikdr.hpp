// SPDX-License-Identifier: MIT
// The tables and the timing figure of "Solving Interpretable Kernel Dimension Reduction", measured here and now, next
// to what the paper prints.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "reproduce/reproduction.hpp"
#include "ritz/base/options.hpp"

namespace ritz::reproduce {

inline constexpr std::array<std::string_view, 5> kParts = {"table4-supervised", "table4-unsupervised",
                                                           "table5-supervised", "table5-unsupervised", "figure1b"};
inline constexpr std::array<std::string_view, 4> kSets = {"wine", "cancer", "face", "mnist"};
inline constexpr std::array<std::string_view, 4> kSolvers = {"ism", "dg", "sm", "gm"};

struct IkdrOptions {
  static constexpr std::string_view name = "reproduce";
  std::vector<std::string> parts = {"all"}, sets = {"all"}, solvers = {"all"};  // of the lists above
  double budget = 20;  // a solver that needs more is reported as "> budget"
  Index folds = 10;
  bool quick = false;  // two folds' worth of budget, small sets, few samples in the figure
  static constexpr auto fields() {
    return std::tuple{
        field("only", &IkdrOptions::parts,
              "parts: table4, table5 (or table4-supervised, table4-unsupervised, …), figure1b"),
        field("sets", &IkdrOptions::sets, "data sets: wine, cancer, face, mnist"),
        field("solvers", &IkdrOptions::solvers, "solvers of Table 4 and Figure 1b: ism, dg, sm, gm"),
        field("budget", &IkdrOptions::budget, 0.01, 1e9, "seconds for one fit of a rival"),
        field("folds", &IkdrOptions::folds, 2, 1000, "parts of the cross-validation (10: the stored split)"),
        field("quick", &IkdrOptions::quick, "wine and cancer only, 2 seconds a fit: a first look in a minute")};
  }
};
IkdrOptions settled(IkdrOptions asked);  // with every name spelled out

// Ctrl-C: what is finished so far.
Reproduction ism_ikdr(const IkdrOptions& options, RunContext& context, const Tell& tell);

}  // namespace ritz::reproduce
