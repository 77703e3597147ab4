// SPDX-License-Identifier: MIT
// The graph in which every vertex has exactly b neighbours and the edges are as short as can be together (Jebara, Wang
// and Chang 2009). A crowd cannot make a hub, as it does among nearest neighbours, and nobody stays alone.
//
//   minimise  Σ w_ij·x_ij     over x_ij in {0, 1},  Σ_j x_ij = b for every i
//
// With 0 ≤ x ≤ 1 in place of {0, 1} it is a flow between two copies of the vertices, solved exactly. What is ½ there
// lies on closed trails: even ones are rounded without loss, the ends of odd ones are joined by shortest alternating
// paths. The prices y of the vertices bound all such graphs from below, Σ b·y_i − Σ max(0, y_i + y_j − w_ij).
#pragma once

#include <functional>

#include "ritz/base/context.hpp"
#include "ritz/graph/graph.hpp"

namespace ritz {

struct Matching {
  Graph graph;        // every vertex has b edges; one has b − 1 where n·b is odd
  double length = 0;  // Σ of the edges
  double bound = 0;   // no such graph has less
  double above() const { return length > 0 ? std::max(0.0, length - bound) / length : 0.0; }
};

// `nearest`: b or more neighbours of each vertex, of which the flow is made; pairs beyond them that would pay are found
// by `length`, which has to be the root of the table's squares. Throws bad_option unless 1 ≤ b < n.
Matching b_matching(const NeighbourTable& nearest, Index b, const std::function<double(Index, Index)>& length,
                    const RunContext& context);

}  // namespace ritz
