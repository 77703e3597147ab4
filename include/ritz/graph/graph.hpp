// SPDX-License-Identifier: MIT
// Tables of nearest neighbours, and undirected graphs with 0/1 weights on the samples: of nearest neighbours, or given.
// The search here is by a k-d tree; pairs/neighbours.hpp is the way in: it knows when the tree pays.
#pragma once

#include <algorithm>
#include <array>
#include <compare>
#include <limits>
#include <span>
#include <vector>

#include "ritz/base/parallel.hpp"
#include "ritz/base/text.hpp"
#include "ritz/base/types.hpp"

namespace ritz {

// --- neighbours
// --------------------------------------------------------------------------------------------------------

struct NeighbourTable {
  NeighbourTable() = default;
  NeighbourTable(Index queries, Index neighbours)
      : k(neighbours), rows(std::size_t(queries * neighbours)), squared(std::size_t(queries * neighbours)) {}

  Index k = 0;                  // neighbours a query
  std::vector<Index> rows;      // k a query, the nearest first
  std::vector<double> squared;  // their squared distances

  Index queries() const { return k > 0 ? Index(rows.size()) / k : 0; }
  std::span<const Index> rows_of(Index query) const { return std::span(rows).subspan(start(query), std::size_t(k)); }
  std::span<const double> squared_of(Index query) const {
    return std::span(squared).subspan(start(query), std::size_t(k));
  }
  // Where consecutive tiles of `size` queries stand, for for_each_tile_once.
  Blocks blocks(Range tiles, Index size) {
    const Index begin = tiles.begin * size * k, end = std::min(tiles.end * size, queries()) * k;
    return {block_of(rows.data(), begin, end), block_of(squared.data(), begin, end)};
  }

 private:
  std::size_t start(Index query) const { return std::size_t(query) * std::size_t(k); }
};

struct NearRow {
  double squared;  // distance
  Index row;
  bool operator<(const NearRow& other) const {
    return squared != other.squared ? squared < other.squared : row < other.row;
  }
};

// The k nearest so far as a heap, the farthest on top. The order of (distance, row) leaves no choice: all routes of a
// search find the same rows.
class NearestRows {
 public:
  explicit NearestRows(Index k) : k_(std::size_t(k)) { heap_.reserve(k_); }
  double bound() const { return heap_.size() < k_ ? std::numeric_limits<double>::infinity() : heap_.front().squared; }
  void offer(const NearRow& candidate) {
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
    for (const NearRow& near : heap_) {
      table.rows[at] = near.row;
      table.squared[at++] = near.squared;
    }
    heap_.clear();
  }

 private:
  std::size_t k_;
  std::vector<NearRow> heap_;
};

enum class OwnRow { counts, is_left_out };  // whether query i may have row i as a neighbour

// A distance is Σ (aᵢ − bᵢ)² added from the first feature to the last, so that dense and sparse rows of the same
// numbers give the same bits; of equally near rows the one with the smaller index comes first. k is not more than there
// are.
NeighbourTable tree_neighbours(DataView queries, DataView points, Index k, OwnRow own, const RunContext& context);

// --- graphs
// ------------------------------------------------------------------------------------------------------------

struct Edge {
  Index i, j;  // i < j
  auto operator<=>(const Edge&) const = default;
};

struct Graph {
  Index vertices = 0;
  std::vector<Edge> edges;  // increasing, each once
};

// Which neighbours are joined: those that are each other's neighbours, those of which one is the other's, or so many
// that everyone has exactly k and the edges are as short as can be together.
enum class GraphKind { mutual, union_, b_matching };
constexpr auto names_of(GraphKind) { return std::array{"mutual", "union", "b-matching"}; }

// mutual or union_ from each vertex's k nearest neighbours, or from the first `k` of them: graphs of fewer neighbours
// are part of those of more. Throws unsupported for b_matching, which needs more than a table.
Graph neighbour_graph(const NeighbourTable& neighbours, GraphKind kind);
Graph neighbour_graph(const NeighbourTable& neighbours, Index k, GraphKind kind);

Vector degrees(const Graph& graph);
std::vector<std::vector<Index>> adjacency(const Graph& graph);  // of each vertex those it is joined with, increasing
std::vector<Index> isolated_vertices(const Graph& graph);       // those without an edge, increasing

// Parts that no edge joins, numbered by their smallest vertex.
struct Components {
  std::vector<Index> of;  // one a vertex
  Index count = 0;
  std::vector<Index> sizes() const;
};
Components connected_components(const Graph& graph);

}  // namespace ritz
