// SPDX-License-Identifier: MIT
// What is known of pairs of samples: that they belong together (must-link) or apart (cannot-link). Read from a file
// (graph/pair_files.hpp) or drawn from known classes; checked for contradictions before any work; closed.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "ritz/base/context.hpp"
#include "ritz/base/text.hpp"
#include "ritz/base/types.hpp"
#include "ritz/graph/graph.hpp"

namespace ritz {

struct LinkedPair {
  Index i, j;     // i < j
  int sign;       // +1 must-link, −1 cannot-link
  Index row = 0;  // line of the pairs file, from 1; 0: drawn or derived
  bool operator==(const LinkedPair&) const = default;
};

struct PairSet {
  Index points = 0;  // how many samples there are; pairs name 0 … points − 1
  std::vector<LinkedPair> pairs;
  std::string source;            // the file's name, for messages; empty: none
  std::vector<std::string> ids;  // the samples' names, for messages; empty: their numbers are

  std::string name_of(Index point) const;
};

Index must_links(const PairSet& set);             // how many of the pairs
Components must_link_groups(const PairSet& set);  // what the must-links hold together, cannot-links ignored

// --- drawing --------------------------------------------------------------------------------------------------------

// The protocol of the experiments: pairs of samples are drawn at random, without repeating one, and linked as their
// labels say, until the must-links leave round(fraction · n) groups. The smaller the fraction, the more pairs. From the
// stream "pairs" of context.seed. Throws bad_option when the fraction is not in (0, 1) or asks for fewer groups than
// there are classes.
PairSet drawn_pairs(const std::vector<int>& labels, double fraction, const RunContext& context);

// --- contradictions and closure -------------------------------------------------------------------------------------

// A cannot-link whose ends are joined by must-links.
struct Contradiction {
  LinkedPair cannot;
  std::vector<Index> chain;       // the samples from cannot.i to cannot.j
  std::vector<LinkedPair> links;  // the must-links between them, one fewer
};
// The one with the shortest chain; of several the one that is named first. None: the pairs are consistent.
std::optional<Contradiction> shortest_contradiction(const PairSet& set, const RunContext& context);
// "pairs.csv: row 12 says 4 and 9 must not be together, but rows 3, 7, 8 link 4 - 2 - 7 - 9"
std::string explained(const Contradiction& contradiction, const PairSet& set);

enum class OnConflict {
  error,  // throw infeasible with the shortest contradiction
  drop,   // leave out pairs until the others are consistent
  soft,   // keep every pair: whoever fits them has to weigh them against each other
};
constexpr auto names_of(OnConflict) { return std::array{"error", "drop", "soft"}; }

// Whether pairs that follow from the given ones are added: all within a must-link group, and all between two groups
// that a cannot-link separates.
enum class Closure { closed, raw };
constexpr auto names_of(Closure) { return std::array{"closed", "raw"}; }

struct SettledPairs {
  PairSet pairs;                    // by i, then j, each once; the row of the first that said so
  Index contradicted = 0;           // distinct cannot-links whose ends must-links join
  std::vector<LinkedPair> dropped;  // by OnConflict::drop, in the order given, each as often as it was given
  Index repeated = 0;               // pairs left out because the same was said before
  Index derived = 0;                // pairs that the closure added
};
// Repeated pairs are merged, contradictions treated as asked, and the rest closed where asked.
//   drop   Finding the fewest pairs to leave out is hard (minimum multicut), so it is greedy: of the pairs on the
//          shortest chains of the contradicted cannot-links the one on most chains goes first, a cannot-link before a
//          must-link and a later one before an earlier one where they are equal; at the end every pair that would not
//          contradict the others is put back. When a bounded number of rounds does not suffice, the cannot-links that
//          are still contradicted go.
//   soft   Groups that hold a contradiction are not closed, neither within nor towards others: what follows from
//          contradictory pairs is anything. Both signs of one pair stay, the must-link first.
// Throws infeasible (OnConflict::error), and memory when the closure does not fit context.max_memory.
SettledPairs settled_pairs(const PairSet& given, OnConflict on_conflict, Closure closure, const RunContext& context);

}  // namespace ritz
