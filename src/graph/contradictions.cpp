// SPDX-License-Identifier: MIT
#include "graph/contradictions.hpp"

#include <algorithm>
#include <limits>

#include "base/at.hpp"
#include "graph/disjoint_sets.hpp"

namespace ritz::detail {

namespace {

// Each round searches a chain for so many cannot-links. Few rounds are the rule: one wrong pair is on most chains.
constexpr std::size_t kChainsPerRound = 256;
constexpr int kRounds = 32;

DisjointSets joined(Index points, const std::vector<LinkedPair>& pairs, const std::vector<char>& kept) {
  DisjointSets sets(points);
  for (std::size_t p = 0; p < pairs.size(); ++p)
    if (kept[p] && pairs[p].sign > 0) sets.join(pairs[p].i, pairs[p].j);
  return sets;
}

// Pairs that together lie on all chains, the one on most chains first.
std::vector<Index> greedy_cover(const std::vector<LinkedPair>& pairs, std::vector<std::vector<Index>> chains) {
  std::vector<Index> cover, count(pairs.size(), 0);
  for (const auto& chain : chains)
    for (const Index p : chain) ++at(count, p);
  const auto worse = [&](Index a, Index b) {  // whether b goes before a
    const auto key = [&](Index p) { return std::tuple(at(count, p), at(pairs, p).sign < 0, p); };
    return key(a) < key(b);
  };
  while (!chains.empty()) {
    Index worst = chains.front().front();
    for (const auto& chain : chains)
      for (const Index p : chain)
        if (worse(worst, p)) worst = p;
    cover.push_back(worst);
    std::erase_if(chains, [&](const std::vector<Index>& chain) {
      if (std::ranges::find(chain, worst) == chain.end()) return false;
      for (const Index p : chain) --at(count, p);
      return true;
    });
  }
  return cover;
}

// Puts back, in the order given, every pair that the kept ones do not contradict.
void restore(Index points, const std::vector<LinkedPair>& pairs, std::vector<char>& kept, const RunContext& context) {
  DisjointSets sets = joined(points, pairs, kept);
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    if (kept[p]) continue;
    context.poll();
    const auto& [i, j, sign, row] = pairs[p];
    if (sign < 0) {
      kept[p] = !sets.together(i, j);
      continue;
    }
    const Index first = sets.find(i), second = sets.find(j);
    bool apart = false;
    for (std::size_t other = 0; other < pairs.size() && !apart; ++other) {
      if (!kept[other] || pairs[other].sign > 0) continue;
      const Index a = sets.find(pairs[other].i), b = sets.find(pairs[other].j);
      apart = (a == first && b == second) || (a == second && b == first);
    }
    if (apart) continue;
    kept[p] = true;
    sets.join(i, j);
  }
}

}  // namespace

MustLinkChains::MustLinkChains(Index points, const std::vector<LinkedPair>& pairs, const std::vector<char>& kept)
    : start_(std::size_t(points) + 1, 0), visited_(std::size_t(points), 0) {
  const auto for_each_link = [&](const auto& act) {
    for (std::size_t p = 0; p < pairs.size(); ++p)
      if (kept[p] && pairs[p].sign > 0) act(pairs[p], Index(p));
  };
  for_each_link([&](const LinkedPair& pair, Index) {
    ++start_[std::size_t(pair.i) + 1];
    ++start_[std::size_t(pair.j) + 1];
  });
  for (std::size_t i = 1; i < start_.size(); ++i) start_[i] += start_[i - 1];
  steps_.resize(std::size_t(start_.back()));
  std::vector<Index> next(start_.begin(), start_.end() - 1);
  for_each_link([&](const LinkedPair& pair, Index p) {
    at(steps_, at(next, pair.i)++) = {pair.j, p};
    at(steps_, at(next, pair.j)++) = {pair.i, p};
  });
}

std::optional<std::vector<Index>> MustLinkChains::between(Index from, Index to, Index longest) {
  ++search_;
  queue_.assign(1, {from, -1, -1});
  at(visited_, from) = search_;
  std::size_t place = 0;
  for (Index length = 1; length <= longest && place < queue_.size(); ++length) {
    for (const std::size_t level_end = queue_.size(); place < level_end; ++place) {
      const std::size_t point = std::size_t(queue_[place].point);
      for (Index s = start_[point]; s < start_[point + 1]; ++s) {
        const auto [next, pair] = at(steps_, s);
        if (at(visited_, next) == search_) continue;
        at(visited_, next) = search_;
        queue_.push_back({next, pair, Index(place)});
        if (next != to) continue;
        std::vector<Index> chain;
        for (Index back = Index(queue_.size()) - 1; at(queue_, back).through >= 0; back = at(queue_, back).before)
          chain.push_back(at(queue_, back).through);
        std::ranges::reverse(chain);
        return chain;
      }
    }
  }
  return std::nullopt;
}

std::vector<Index> contradicted(Index points, const std::vector<LinkedPair>& pairs, const std::vector<char>& kept) {
  DisjointSets sets = joined(points, pairs, kept);
  std::vector<Index> found;
  for (std::size_t p = 0; p < pairs.size(); ++p)
    if (kept[p] && pairs[p].sign < 0 && sets.together(pairs[p].i, pairs[p].j)) found.push_back(Index(p));
  return found;
}

void drop_contradictions(Index points, const std::vector<LinkedPair>& pairs, std::vector<char>& kept,
                         const RunContext& context) {
  for (int round = 0;; ++round) {
    const std::vector<Index> open = contradicted(points, pairs, kept);
    if (open.empty()) break;
    if (round == kRounds) {
      for (const Index p : open) at(kept, p) = false;
      break;
    }
    MustLinkChains graph(points, pairs, kept);
    std::vector<std::vector<Index>> chains;
    for (std::size_t c = 0; c < std::min(open.size(), kChainsPerRound); ++c) {
      context.poll();
      const LinkedPair& pair = at(pairs, open[c]);
      chains.push_back(*graph.between(pair.i, pair.j, std::numeric_limits<Index>::max()));
      chains.back().push_back(open[c]);
    }
    for (const Index p : greedy_cover(pairs, std::move(chains))) at(kept, p) = false;
  }
  restore(points, pairs, kept, context);
}

}  // namespace ritz::detail
