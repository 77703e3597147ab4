// SPDX-License-Identifier: MIT
// Tables 2 to 5 and 7 to 9 and Figures 1, 2, 3 and 5 of "A Family of Simple Non-Parametric Kernel Learning Algorithms",
// measured here and now, next to what the paper prints, to the trivial answers and to our defaults.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "reproduce/reproduction.hpp"
#include "ritz/base/options.hpp"

namespace ritz::reproduce {

inline constexpr std::array<std::string_view, 11> kSimplenpklParts = {
    "table2",  "table3",        "table4",        "table5",         "table7",        "figure1",
    "figure2", "unfold-table8", "unfold-table9", "unfold-figure3", "unfold-figure5"};
inline constexpr std::array<std::string_view, 18> kSimplenpklSets = {
    "chessboard", "glass", "heart", "iris",     "sonar",      "soybean-small", "spiral",        "wine",   "a1a",
    "a2a",        "a3a",   "a4a",   "a5a_like", "ionosphere", "australian",    "breast-cancer", "senate", "usps"};

// The sets that a part is measured on, in the order of its table.
std::vector<std::string> simplenpkl_sets_of(std::string_view part);

struct SimplenpklOptions {
  static constexpr std::string_view name = "reproduce";
  std::vector<std::string> parts = {"all"}, sets = {"all"};  // of the lists above
  double budget = 60;                                        // the best so far is shown then
  int repetitions = 0;
  bool quick = false;  // 3 draws of pairs, 2 of samples, 1 for Adult
  static constexpr auto fields() {
    return std::tuple{
        field("only", &SimplenpklOptions::parts,
              "parts: table2, table3, table4, table5, table7, figure1, figure2; unfold: table8, table9, figure3, "
              "figure5"),
        field("sets", &SimplenpklOptions::sets, "data sets by the names of the tables; a part takes those it knows"),
        field("budget", &SimplenpklOptions::budget, 0.01, 1e9, "seconds for one fit"),
        field("repetitions", &SimplenpklOptions::repetitions, 0, 100'000,
              "random draws; 0: 20 of pairs, 10 of samples (Tables 8, 9), 3 for Adult"),
        field("quick", &SimplenpklOptions::quick, "few draws, of Adult only a1a, without usps: a first look")};
  }
};
SimplenpklOptions settled(SimplenpklOptions asked);  // with every name spelled out

// Ctrl-C: what is finished so far.
Reproduction simplenpkl(const SimplenpklOptions& options, RunContext& context, const Tell& tell);

}  // namespace ritz::reproduce
