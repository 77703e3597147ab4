// SPDX-License-Identifier: MIT
// Cannot-links whose ends are joined by must-links, and the chains that join them.
#pragma once

#include <optional>
#include <vector>

#include "ritz/graph/pairs.hpp"

namespace ritz::detail {

// The must-links among the pairs, searched breadth first. Pairs are named by their place in the list.
class MustLinkChains {
 public:
  // Only the pairs with kept[p].
  MustLinkChains(Index points, const std::vector<LinkedPair>& pairs, const std::vector<char>& kept);
  // A shortest chain of must-links from one point to another with at most `longest` links; none: there is no such one.
  // Of equally short ones that along the must-links given first.
  std::optional<std::vector<Index>> between(Index from, Index to, Index longest);

 private:
  struct Step {
    Index to, pair;
  };
  struct Reached {
    Index point, through, before;  // by which pair, and from which place in the queue
  };
  std::vector<Index> start_;  // of each point's steps
  std::vector<Step> steps_;
  std::vector<Reached> queue_;
  std::vector<Index> visited_;  // number of the last search that came by
  Index search_ = 0;
};

// The kept cannot-links whose ends the kept must-links join, in the order given.
std::vector<Index> contradicted(Index points, const std::vector<LinkedPair>& pairs, const std::vector<char>& kept);

// Clears kept[p] for pairs until the others are consistent; see OnConflict::drop.
void drop_contradictions(Index points, const std::vector<LinkedPair>& pairs, std::vector<char>& kept,
                         const RunContext& context);

}  // namespace ritz::detail
