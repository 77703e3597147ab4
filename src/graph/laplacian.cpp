// SPDX-License-Identifier: MIT
#include "graph/laplacian.hpp"

#include <cmath>
#include <vector>

namespace ritz {

Sparse normalised_laplacian(const Graph& graph) {
  const Vector degree = degrees(graph);
  std::vector<Eigen::Triplet<double>> entries;
  entries.reserve(2 * graph.edges.size() + std::size_t(graph.vertices));
  for (Index i = 0; i < graph.vertices; ++i)
    if (degree[i] > 0) entries.emplace_back(int(i), int(i), 1.0);
  for (const auto& [i, j] : graph.edges) {
    const double value = -1 / std::sqrt(degree[i] * degree[j]);
    entries.emplace_back(int(i), int(j), value);
    entries.emplace_back(int(j), int(i), value);
  }
  Sparse L(graph.vertices, graph.vertices);
  L.setFromTriplets(entries.begin(), entries.end());
  return L;
}

}  // namespace ritz
