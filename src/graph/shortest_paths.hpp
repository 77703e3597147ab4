// SPDX-License-Identifier: MIT
// Lengths of shortest paths along the edges of a graph.
#pragma once

#include <vector>

#include "ritz/base/types.hpp"
#include "ritz/graph/graph.hpp"

namespace ritz {

class ShortestPaths {
 public:
  // One length >= 0 an edge; throws Error(bad_shape) otherwise.
  ShortestPaths(const Graph& graph, const Vector& lengths);
  // To every vertex; infinity where no path leads. O(edges·log vertices).
  Vector from(Index vertex) const;

 private:
  struct Way {
    Index to;
    double length;
  };
  std::vector<std::vector<Way>> ways_;
};

}  // namespace ritz
