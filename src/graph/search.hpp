// SPDX-License-Identifier: MIT
// The routes of the neighbour search. All find the same rows: the order of (distance, row) leaves no choice.
#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "ritz/graph/neighbours.hpp"

namespace ritz::detail {

struct Near {
  double squared;  // distance
  Index row;
  bool operator<(const Near& other) const {
    return squared != other.squared ? squared < other.squared : row < other.row;
  }
};

// The k nearest so far as a heap, the farthest on top.
class Nearest {
 public:
  explicit Nearest(Index k) : k_(std::size_t(k)) { heap_.reserve(k_); }
  double bound() const { return heap_.size() < k_ ? std::numeric_limits<double>::infinity() : heap_.front().squared; }
  void offer(const Near& candidate) {
    if (heap_.size() == k_) {
      if (!(candidate < heap_.front())) return;
      std::pop_heap(heap_.begin(), heap_.end());
      heap_.back() = candidate;
    } else {
      heap_.push_back(candidate);
    }
    std::push_heap(heap_.begin(), heap_.end());
  }
  bool full() const { return heap_.size() == k_; }
  // Into the table, the nearest first; leaves the heap empty.
  void write(Index query, NeighbourTable& table) {
    std::sort_heap(heap_.begin(), heap_.end());
    std::size_t at = std::size_t(query) * k_;
    for (const Near& near : heap_) {
      table.rows[at] = near.row;
      table.squared[at++] = near.squared;
    }
    heap_.clear();
  }

 private:
  std::size_t k_;
  std::vector<Near> heap_;
};

enum class Own { counts, is_left_out };  // whether query i may have row i as a neighbour

// Each fills a table that has its size already.
void search_by_products(DataView queries, DataView points, Own own, const RunContext& context, NeighbourTable& table);
void search_by_columns(const SparseRows& queries, const SparseRows& points, Own own, const RunContext& context,
                       NeighbourTable& table);
void search_by_tree(DataView queries, DataView points, Own own, const RunContext& context, NeighbourTable& table);

}  // namespace ritz::detail
