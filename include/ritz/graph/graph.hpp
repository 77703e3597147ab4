// SPDX-License-Identifier: MIT
// Undirected graphs with 0/1 weights on the samples: of nearest neighbours, or given.
#pragma once

#include <array>
#include <compare>
#include <vector>

#include "ritz/base/text.hpp"
#include "ritz/base/types.hpp"
#include "ritz/graph/neighbours.hpp"

namespace ritz {

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
