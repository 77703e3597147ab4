// SPDX-License-Identifier: MIT
// Union-find with path halving and union by size: nearly constant time an operation.
#pragma once

#include <numeric>
#include <utility>
#include <vector>

#include "base/at.hpp"
#include "ritz/graph/graph.hpp"

namespace ritz::detail {

class DisjointSets {
 public:
  explicit DisjointSets(Index size) : parent_(std::size_t(size)), size_(std::size_t(size), 1), count_(size) {
    std::iota(parent_.begin(), parent_.end(), Index(0));
  }
  Index count() const { return count_; }
  Index find(Index i) {
    while (parent(i) != i) i = parent(i) = parent(parent(i));
    return i;
  }
  bool together(Index i, Index j) { return find(i) == find(j); }
  // False when they were together already.
  bool join(Index i, Index j) {
    i = find(i);
    j = find(j);
    if (i == j) return false;
    if (at(size_, i) < at(size_, j)) std::swap(i, j);
    parent(j) = i;
    at(size_, i) += at(size_, j);
    --count_;
    return true;
  }
  Components components() {
    Components parts;
    parts.of.resize(parent_.size());
    std::vector<Index> number(parent_.size(), -1);
    for (Index i = 0; i < Index(parent_.size()); ++i) {
      Index& own = at(number, find(i));
      if (own < 0) own = parts.count++;
      at(parts.of, i) = own;
    }
    return parts;
  }

 private:
  Index& parent(Index i) { return at(parent_, i); }
  std::vector<Index> parent_, size_;
  Index count_;
};

}  // namespace ritz::detail
