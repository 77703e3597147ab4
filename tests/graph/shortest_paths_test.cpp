// SPDX-License-Identifier: MIT
#include "graph/shortest_paths.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <limits>
#include <set>

#include "ritz/base/error.hpp"
#include "ritz/base/random.hpp"

using namespace ritz;

TEST_CASE("shortest paths are those of Floyd and Warshall") {
  CHECK(rc::check("random graphs", [] {
    const Index n = *rc::gen::inRange<Index>(1, 15);
    Graph graph{n, {}};
    for (Index i = 0; i < n; ++i)
      for (Index j = i + 1; j < n; ++j)
        if (*rc::gen::inRange(0, 4) == 0) graph.edges.push_back({i, j});
    Vector lengths(Index(graph.edges.size()));
    for (double& length : lengths) length = double(*rc::gen::inRange(0, 20));
    Matrix all = Matrix::Constant(n, n, std::numeric_limits<double>::infinity());
    all.diagonal().setZero();
    for (std::size_t e = 0; e < graph.edges.size(); ++e)
      all(graph.edges[e].i, graph.edges[e].j) = all(graph.edges[e].j, graph.edges[e].i) = lengths(Index(e));
    for (Index k = 0; k < n; ++k)
      for (Index i = 0; i < n; ++i)
        for (Index j = 0; j < n; ++j) all(i, j) = std::min(all(i, j), all(i, k) + all(k, j));
    const ShortestPaths paths(graph, lengths);
    for (Index i = 0; i < n; ++i) {
      const Vector found = paths.from(i);
      for (Index j = 0; j < n; ++j) RC_ASSERT(found(j) == all(i, j));
    }
  }));
}

TEST_CASE("lengths that do not fit the edges are refused") {
  const Graph graph{2, {{0, 1}}};
  CHECK_THROWS_AS(ShortestPaths(graph, Vector::Zero(2)), Error);
  CHECK_THROWS_AS(ShortestPaths(graph, Vector::Constant(1, -1.0)), Error);
}
