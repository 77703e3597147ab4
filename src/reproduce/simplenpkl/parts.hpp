// SPDX-License-Identifier: MIT
// What the parts of the reproduction of SimpleNPKL share.
#pragma once

#include <map>

#include "reproduce/simplenpkl/simplenpkl.hpp"
#include "ritz/tasks/kernel.hpp"

namespace ritz::reproduce {

using kernel::KernelKnowledge, kernel::KernelOptions, kernel::KernelResult;

struct SimplenpklRun {
  const SimplenpklOptions& options;
  RunContext& context;
  const Tell& tell;
  Reproduction found{};
  std::map<std::string, Dataset> read{};

  bool asked(std::string_view part) const { return contains(options.parts, part); }
  std::vector<std::string> sets(std::string_view part) const;  // of those asked for
  int repetitions(int usual, int quick) const;
  const Dataset& set(const std::string& name);  // raw, with its labels
  // An empty table that stays where it is until the next is added.
  TextTable& table(std::string title, std::vector<std::string> columns, std::vector<std::string> notes);
  std::string over_budget() const;  // "> 60 s"
};

// What `ritz kernel` gives for repetition r; the r-th draw of pairs is the same for all settings. No value: the budget
// ended before there was a kernel.
struct PairFit {
  KernelResult fit;
  double seconds = kUnknown;  // graph and solver; the paper, too, leaves out clustering
  bool cut = false;           // the budget ended it
};
std::optional<PairFit> fit_pairs(SimplenpklRun& run, const Dataset& data, const KernelKnowledge& known,
                                 const KernelOptions& options, int r);
double rand_of(const KernelResult& fit, std::string_view baseline);  // "k-means", "one cluster", …

// The parts by what they need; each measures those that were asked for.
void measure_small_sets(SimplenpklRun& run);  // Tables 2 to 5
void measure_adult(SimplenpklRun& run);       // Table 7, Figures 1 and 2
void measure_embeddings(SimplenpklRun& run);  // Tables 8 and 9
void measure_coloured(SimplenpklRun& run);    // Figures 3 and 5

}  // namespace ritz::reproduce
