// SPDX-License-Identifier: MIT
#include "ritz/graph/pairs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <set>
#include <tuple>
#include <unordered_set>

#include "base/at.hpp"
#include "base/memory.hpp"
#include "graph/contradictions.hpp"
#include "graph/disjoint_sets.hpp"
#include "ritz/base/error.hpp"
#include "ritz/base/random.hpp"

namespace ritz {

namespace {

// Who says what, without the row.
using Mention = std::tuple<Index, Index, int>;
using Mentions = std::set<Mention>;
Mention mention(const LinkedPair& pair) { return {pair.i, pair.j, pair.sign}; }

std::vector<LinkedPair> first_mentions(const PairSet& set) {
  std::vector<LinkedPair> first;
  Mentions seen;
  for (const LinkedPair& pair : set.pairs)
    if (seen.insert(mention(pair)).second) first.push_back(pair);
  return first;
}

// By i, then j, must-links first; of those that say the same the first one stays.
std::vector<LinkedPair> in_order(std::vector<LinkedPair> pairs) {
  const auto key = [](const LinkedPair& pair) { return std::tuple(pair.i, pair.j, -pair.sign); };
  std::ranges::stable_sort(pairs, {}, key);
  const auto same = [&](const LinkedPair& a, const LinkedPair& b) { return key(a) == key(b); };
  pairs.erase(std::unique(pairs.begin(), pairs.end(), same), pairs.end());
  return pairs;
}

// Must-link groups with their members, and the pairs of groups that cannot-links separate.
struct Groups {
  Components parts;
  std::vector<std::vector<Index>> members;
  std::vector<char> contested;                     // holds a contradiction
  std::vector<std::pair<Index, Index>> separated;  // of uncontested groups, first < second, each once

  explicit Groups(const PairSet& set) : parts(must_link_groups(set)) {
    members.resize(std::size_t(parts.count));
    contested.assign(std::size_t(parts.count), false);
    for (Index i = 0; i < set.points; ++i) at(members, group(i)).push_back(i);
    for (const LinkedPair& pair : set.pairs)
      if (pair.sign < 0 && group(pair.i) == group(pair.j)) at(contested, group(pair.i)) = true;
    for (const LinkedPair& pair : set.pairs)
      if (pair.sign < 0 && !open(pair.i) && !open(pair.j))
        separated.push_back(std::minmax(group(pair.i), group(pair.j)));
    std::ranges::sort(separated);
    separated.erase(std::unique(separated.begin(), separated.end()), separated.end());
  }
  Index group(Index point) const { return at(parts.of, point); }
  bool open(Index point) const { return at(contested, group(point)); }
  double closed_pairs() const {
    double count = 0;
    const auto size = [&](Index g) { return double(at(members, g).size()); };
    for (Index g = 0; g < parts.count; ++g)
      if (!at(contested, g)) count += size(g) * (size(g) - 1) / 2;
    for (const auto& [g, h] : separated) count += size(g) * size(h);
    return count;
  }
};

// What follows from the pairs, behind them: a given pair keeps its row when all are merged.
std::vector<LinkedPair> closed(const PairSet& set, const RunContext& context) {
  const Groups groups(set);
  const double count = double(set.pairs.size()) + groups.closed_pairs(), bytes = 2 * count * sizeof(LinkedPair);
  require_memory(bytes, context, fmt::format("a list of the {:.0f} pairs that follow from the given ones", count));
  std::vector<LinkedPair> pairs = set.pairs;
  pairs.reserve(std::size_t(count));
  for (Index g = 0; g < groups.parts.count; ++g) {
    if (at(groups.contested, g)) continue;
    context.poll();
    const auto& members = at(groups.members, g);
    for (std::size_t a = 0; a < members.size(); ++a)
      for (std::size_t b = a + 1; b < members.size(); ++b) pairs.push_back({members[a], members[b], 1});
  }
  for (const auto& [g, h] : groups.separated) {
    context.poll();
    for (const Index i : at(groups.members, g))
      for (const Index j : at(groups.members, h)) pairs.push_back({std::min(i, j), std::max(i, j), -1});
  }
  return in_order(std::move(pairs));
}

}  // namespace

std::string PairSet::name_of(Index point) const { return ids.empty() ? std::to_string(point) : at(ids, point); }

Index must_links(const PairSet& set) {
  return std::ranges::count_if(set.pairs, [](const LinkedPair& pair) { return pair.sign > 0; });
}

Components must_link_groups(const PairSet& set) {
  detail::DisjointSets sets(set.points);
  for (const LinkedPair& pair : set.pairs)
    if (pair.sign > 0) sets.join(pair.i, pair.j);
  return sets.components();
}

PairSet drawn_pairs(const std::vector<int>& labels, double fraction, const RunContext& context) {
  const Index n = Index(labels.size());
  if (!(fraction > 0 && fraction < 1))
    throw Error(ErrorCode::bad_option, fmt::format("kernel.fraction is {}; it must lie between 0 and 1", fraction));
  const Index groups = Index(std::llround(fraction * double(n)));
  const Index classes = Index(std::set<int>(labels.begin(), labels.end()).size());
  if (groups < classes)
    throw Error(
        ErrorCode::bad_option,
        fmt::format(
            "kernel.fraction {} asks for {} groups of the {} samples; must-links leave at least {}, one a class",
            fraction, groups, n, classes));
  PairSet set{n, {}, {}, {}};
  detail::DisjointSets sets(n);
  std::unordered_set<Index> drawn;
  Rng rng(context.seed, "pairs");
  while (sets.count() > groups) {
    context.poll();
    const Index a = rng.below(n), b = rng.below(n), i = std::min(a, b), j = std::max(a, b);
    if (i == j || !drawn.insert(i * n + j).second) continue;
    const bool same = at(labels, i) == at(labels, j);
    if (same) sets.join(i, j);
    set.pairs.push_back({i, j, same ? 1 : -1});
  }
  return set;
}

std::optional<Contradiction> shortest_contradiction(const PairSet& set, const RunContext& context) {
  const std::vector<char> kept(set.pairs.size(), true);
  const std::vector<Index> open = detail::contradicted(set.points, set.pairs, kept);
  if (open.empty()) return std::nullopt;
  detail::MustLinkChains graph(set.points, set.pairs, kept);
  std::vector<Index> shortest;
  Index cannot = -1, longest = std::numeric_limits<Index>::max();
  for (const Index p : open) {
    context.poll();
    const LinkedPair& pair = at(set.pairs, p);
    auto chain = graph.between(pair.i, pair.j, longest);
    if (!chain) continue;
    shortest = std::move(*chain);
    cannot = p;
    longest = Index(shortest.size()) - 1;  // only a shorter one is of interest from now on
    if (longest == 0) break;
  }
  Contradiction found{at(set.pairs, cannot), {at(set.pairs, cannot).i}, {}};
  for (const Index p : shortest) {
    const LinkedPair& link = at(set.pairs, p);
    found.chain.push_back(found.chain.back() == link.i ? link.j : link.i);
    found.links.push_back(link);
  }
  return found;
}

std::string explained(const Contradiction& contradiction, const PairSet& set) {
  const auto& [cannot, chain, links] = contradiction;
  std::vector<std::string> names, rows;
  for (const Index point : chain) names.push_back(set.name_of(point));
  for (const LinkedPair& link : links) rows.push_back(std::to_string(link.row));
  const std::string apart = fmt::format("{} and {} must not be together", set.name_of(cannot.i), set.name_of(cannot.j));
  const std::string path = fmt::format("{}", fmt::join(names, " - "));
  if (set.source.empty()) return fmt::format("{}, but must-links join {}", apart, path);
  return fmt::format("{}: row {} says {}, but {} {} {} {}", set.source, cannot.row, apart,
                     rows.size() == 1 ? "row" : "rows", fmt::join(rows, ", "), rows.size() == 1 ? "links" : "link",
                     path);
}

SettledPairs settled_pairs(const PairSet& given, OnConflict on_conflict, Closure closure, const RunContext& context) {
  SettledPairs settled{given};
  std::vector<LinkedPair>& pairs = settled.pairs.pairs;
  pairs = first_mentions(given);
  settled.repeated = Index(given.pairs.size() - pairs.size());
  std::vector<char> kept(pairs.size(), true);
  settled.contradicted = Index(detail::contradicted(given.points, pairs, kept).size());
  if (settled.contradicted > 0 && on_conflict == OnConflict::error)
    throw Error(ErrorCode::infeasible,
                fmt::format("{}; kernel.on_conflict drop leaves out what contradicts, soft keeps it",
                            explained(*shortest_contradiction(given, context), given)));
  if (settled.contradicted > 0 && on_conflict == OnConflict::drop) {
    detail::drop_contradictions(given.points, pairs, kept, context);
    Mentions dropped;
    for (std::size_t p = 0; p < pairs.size(); ++p)
      if (!kept[p]) dropped.insert(mention(pairs[p]));
    const auto goes = [&](const LinkedPair& pair) { return dropped.contains(mention(pair)); };
    std::ranges::copy_if(given.pairs, std::back_inserter(settled.dropped), goes);
    std::erase_if(pairs, goes);
  }
  const std::size_t before = pairs.size();
  pairs = closure == Closure::closed ? closed(settled.pairs, context) : in_order(std::move(pairs));
  settled.derived = Index(pairs.size() - before);
  return settled;
}

}  // namespace ritz
