// SPDX-License-Identifier: MIT
// Table 1 and Figures 2 to 5 of "Iterative Spectral Method for Alternative Clustering".
#pragma once

#include "reproduce/reproduction.hpp"
#include "ritz/algorithms/kdac.hpp"
#include "ritz/data/preprocess.hpp"

namespace ritz::reproduce {

struct KdacOptions {
  static constexpr std::string_view name = "reproduce";
  std::vector<std::string> parts = {"all"}, sets = {"all"}, solvers = {"ism"};  // of the lists in ism_kdac.cpp
  double budget = 20;                                                           // the best so far is shown then
  int random_starts = 0;                                                        // of the rows RI
  static constexpr auto fields() {
    return std::tuple{
        field("only", &KdacOptions::parts, "parts: table1, figure2, figure3, figure4, figure5"),
        field("sets", &KdacOptions::sets, "data sets: sg, lg, moon, moon-noise, flower, face, webkb"),
        field("solvers", &KdacOptions::solvers, "solvers of Table 1: ism, and the slow rivals sm and dg, or all"),
        field("budget", &KdacOptions::budget, 0.01, 1e9, "seconds for one fit of a rival"),
        field("random_starts", &KdacOptions::random_starts, 0, 1000, "fits of the rows with random starts; 0: none")};
  }
};
struct KdacRun : Run<KdacOptions> {};

// The settings of the published program's logs, which is what its table shows (docs/algorithms/kdac.md).
struct KdacSet {
  std::string name, samples, given, truth;
  Scaling scale;
  std::string sigma;
  double lambda;
  Index q, k;
};
const std::vector<KdacSet>& all_sets();

struct KdacData {  // of a set, scaled as it asks
  Dataset raw, scaled;
  Labels given, truth;  // truth may be empty
  KernelSum kernel;
};
KdacData read_set(const KdacSet& set, const RunContext& context);

void kdac_pictures(KdacRun& run);     // Figures 2 and 4, from one fit a set
void kdac_correlation(KdacRun& run);  // Figure 5

}  // namespace ritz::reproduce
