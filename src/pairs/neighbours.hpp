// SPDX-License-Identifier: MIT
// The k nearest neighbours of every sample by Euclidean distance, exactly. A distance is Σ (aᵢ − bᵢ)² added from the
// first feature to the last, so that dense and sparse rows of the same numbers give the same bits; of equally near rows
// the one with the smaller index comes first. Faster routes (a k-d tree for many rows of few columns, otherwise a sweep
// of context.backend) only tell which rows have to be measured that way. The same result for any number of threads;
// memory grows with the number of rows, never with its square.
#pragma once

#include "ritz/base/context.hpp"
#include "ritz/graph/graph.hpp"

namespace ritz {

// The k nearest other rows of each row; a row is never its own neighbour, but one that equals it is. Throws bad_option
// when k < 1 or k ≥ n, not_finite for NaN or ∞, memory when the table does not fit context.max_memory. Shifting all
// samples does not change the answer, so that sparse data need scaling only, never centring.
NeighbourTable nearest_neighbours(DataView X, Index k, const RunContext& context);
NeighbourTable nearest_neighbours(const SparseRows& X, Index k, const RunContext& context);

// The k nearest rows of `points` for each row of `queries`; k lies in [1, rows of points]. Throws bad_shape when the
// numbers of columns differ, otherwise as above.
NeighbourTable cross_neighbours(DataView queries, DataView points, Index k, const RunContext& context);
NeighbourTable cross_neighbours(const SparseRows& queries, const SparseRows& points, Index k,
                                const RunContext& context);

struct NeighbourGraph {
  Graph graph;
  Index k = 0;                // neighbours it was made of
  NeighbourTable neighbours;  // at least k of each vertex
  double above = 0;           // b-matching: part of its length that another one could be shorter by, at most
};
// Of k neighbours; a b-matching is meant for some thousand samples. Throws as nearest_neighbours does.
NeighbourGraph neighbour_graph(DataView X, Index k, GraphKind kind, const RunContext& context);
NeighbourGraph neighbour_graph(const SparseRows& X, Index k, GraphKind kind, const RunContext& context);
// The graph of the smallest number of neighbours ≥ k that is connected (of a b-matching: of one that is); at the latest
// n − 1 of them are. Throws as nearest_neighbours does: memory when samples in groups far apart need so many neighbours
// that they do not fit.
NeighbourGraph connected_neighbour_graph(DataView X, Index k, GraphKind kind, const RunContext& context);
NeighbourGraph connected_neighbour_graph(const SparseRows& X, Index k, GraphKind kind, const RunContext& context);

}  // namespace ritz
