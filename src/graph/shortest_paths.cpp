// SPDX-License-Identifier: MIT
#include "graph/shortest_paths.hpp"

#include <fmt/format.h>

#include <limits>
#include <queue>

#include "base/at.hpp"
#include "ritz/base/error.hpp"

namespace ritz {

ShortestPaths::ShortestPaths(const Graph& graph, const Vector& lengths) : ways_(std::size_t(graph.vertices)) {
  if (lengths.size() != Index(graph.edges.size()) || !(lengths.array() >= 0).all())
    throw Error(ErrorCode::bad_shape,
                fmt::format("shortest paths need a length of at least 0 for each of {} edges; got {}",
                            graph.edges.size(), lengths.size()));
  for (std::size_t e = 0; e < graph.edges.size(); ++e) {
    const auto [i, j] = graph.edges[e];
    at(ways_, i).push_back({j, lengths(Index(e))});
    at(ways_, j).push_back({i, lengths(Index(e))});
  }
}

Vector ShortestPaths::from(Index vertex) const {
  Vector best = Vector::Constant(Index(ways_.size()), std::numeric_limits<double>::infinity());
  using Reached = std::pair<double, Index>;
  std::priority_queue<Reached, std::vector<Reached>, std::greater<>> open;
  best(vertex) = 0;
  open.push({0, vertex});
  while (!open.empty()) {
    const auto [far, here] = open.top();
    open.pop();
    if (far > best(here)) continue;  // reached by a shorter way since
    for (const Way& way : at(ways_, here)) {
      const double through = far + way.length;
      if (through >= best(way.to)) continue;
      best(way.to) = through;
      open.push({through, way.to});
    }
  }
  return best;
}

}  // namespace ritz
