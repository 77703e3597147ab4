// SPDX-License-Identifier: MIT
#include <algorithm>
#include <limits>
#include <numeric>
#include <set>

#include "tasks/kernel/task.hpp"

namespace ritz::kernel {

namespace {

// Whether the pairs tell about i and j: by a must-link group that holds both, or a cannot-link between their groups.
class Known {
 public:
  explicit Known(const PairSet& pairs) : groups_(must_link_groups(pairs)) {
    for (const LinkedPair& pair : pairs.pairs)
      if (pair.sign < 0) apart_.insert(ordered(groups_.of[std::size_t(pair.i)], groups_.of[std::size_t(pair.j)]));
  }
  Index group(Index i) const { return groups_.of[std::size_t(i)]; }
  bool tells(Index i, Index j) const { return group(i) == group(j) || apart_.contains(ordered(group(i), group(j))); }

 private:
  static Edge ordered(Index a, Index b) { return {std::min(a, b), std::max(a, b)}; }
  Components groups_;
  std::set<Edge> apart_;
};

}  // namespace

std::vector<Edge> suggested_pairs(const RowMatrix& points, const std::vector<int>& labels, const RowMatrix& centers,
                                  const PairSet& known, Index count) {
  const Index n = points.rows(), k = centers.rows();
  if (k < 2 || points.cols() == 0) return {};
  std::vector<Index> central(std::size_t(k), -1);
  std::vector<double> nearest(std::size_t(k), std::numeric_limits<double>::infinity());
  std::vector<std::array<Index, 2>> two(std::size_t(n), {0, 0});  // the nearest centers
  Vector margin(n);
  for (Index i = 0; i < n; ++i) {
    const Vector distance = (centers.rowwise() - points.row(i)).rowwise().norm();
    Index first = 0;
    distance.minCoeff(&first);
    Index second = first == 0 ? 1 : 0;
    for (Index c = 0; c < k; ++c)
      if (c != first && distance(c) < distance(second)) second = c;
    two[std::size_t(i)] = {first, second};
    margin(i) = distance(second) - distance(first);
    const auto own = std::size_t(labels[std::size_t(i)]);
    if (distance(Index(own)) < nearest[own]) nearest[own] = distance(Index(own)), central[own] = i;
  }
  std::vector<Index> order(std::size_t(n), 0);
  std::iota(order.begin(), order.end(), Index(0));
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return margin(a) < margin(b); });

  const Known told(known);
  std::set<Index> asked;  // groups
  std::set<Edge> taken;
  std::vector<Edge> pairs;
  for (const Index i : order) {
    if (Index(pairs.size()) == count) break;
    if (asked.contains(told.group(i))) continue;
    for (const Index c : two[std::size_t(i)]) {
      const Index j = central[std::size_t(c)];
      if (j < 0 || told.tells(i, j)) continue;
      const Edge pair{std::min(i, j), std::max(i, j)};
      if (!taken.insert(pair).second) continue;
      pairs.push_back(pair);
      asked.insert(told.group(i));
      break;
    }
  }
  return pairs;
}

}  // namespace ritz::kernel
