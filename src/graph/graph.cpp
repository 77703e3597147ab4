// SPDX-License-Identifier: MIT
#include "ritz/graph/graph.hpp"

#include <algorithm>

#include "base/at.hpp"
#include "graph/disjoint_sets.hpp"
#include "ritz/base/error.hpp"

namespace ritz {

Graph neighbour_graph(const NeighbourTable& neighbours, GraphKind kind) {
  return neighbour_graph(neighbours, neighbours.k, kind);
}

Graph neighbour_graph(const NeighbourTable& neighbours, Index k, GraphKind kind) {
  if (kind == GraphKind::b_matching)
    throw Error(ErrorCode::unsupported, "a b-matching is not made of a table of neighbours alone");
  Graph graph{neighbours.queries(), {}};
  graph.edges.reserve(std::size_t(graph.vertices * k));
  for (Index i = 0; i < graph.vertices; ++i)
    for (const Index j : neighbours.rows_of(i).first(std::size_t(k)))
      graph.edges.push_back({std::min(i, j), std::max(i, j)});
  std::ranges::sort(graph.edges);
  // An edge that both ends name stands here twice.
  std::size_t kept = 0;
  for (std::size_t e = 0; e < graph.edges.size();) {
    const bool twice = e + 1 < graph.edges.size() && graph.edges[e] == graph.edges[e + 1];
    if (twice || kind == GraphKind::union_) graph.edges[kept++] = graph.edges[e];
    e += twice ? 2 : 1;
  }
  graph.edges.resize(kept);
  return graph;
}

Vector degrees(const Graph& graph) {
  Vector degree = Vector::Zero(graph.vertices);
  for (const auto& [i, j] : graph.edges) {
    ++degree[i];
    ++degree[j];
  }
  return degree;
}

std::vector<std::vector<Index>> adjacency(const Graph& graph) {
  std::vector<std::vector<Index>> lists(std::size_t(graph.vertices));
  for (const Edge& edge : graph.edges) {
    lists[std::size_t(edge.i)].push_back(edge.j);
    lists[std::size_t(edge.j)].push_back(edge.i);
  }
  for (auto& list : lists) std::ranges::sort(list);
  return lists;
}

std::vector<Index> isolated_vertices(const Graph& graph) {
  const Vector degree = degrees(graph);
  std::vector<Index> isolated;
  for (Index i = 0; i < graph.vertices; ++i)
    if (degree[i] == 0) isolated.push_back(i);
  return isolated;
}

std::vector<Index> Components::sizes() const {
  std::vector<Index> sizes(std::size_t(count), 0);
  for (const Index part : of) ++at(sizes, part);
  return sizes;
}

Components connected_components(const Graph& graph) {
  detail::DisjointSets sets(graph.vertices);
  for (const auto& [i, j] : graph.edges) sets.join(i, j);
  return sets.components();
}

}  // namespace ritz
