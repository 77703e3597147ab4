// SPDX-License-Identifier: MIT
#include "graph/laplacian.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <Eigen/Eigenvalues>

#include "ritz/base/random.hpp"

using namespace ritz;

namespace {

Graph random_graph(Index n, double share, Rng& rng) {
  Graph graph{n, {}};
  for (Index i = 0; i < n; ++i)
    for (Index j = i + 1; j < n; ++j)
      if (rng.uniform() < share) graph.edges.push_back({i, j});
  return graph;
}

}  // namespace

TEST_CASE("the quadratic form is the sum over edges, which has no term for an isolated vertex") {
  CHECK(rc::check([] {
    Rng rng(*rc::gen::inRange<std::uint64_t>(0, 1000), "graph");
    const Index n = *rc::gen::inRange<Index>(1, 25);
    const Graph graph = random_graph(n, *rc::gen::element(0.0, 0.05, 0.3), rng);
    const Vector v = rng.normal_matrix(n, 1), degree = degrees(graph);
    double sum = 0;
    for (const auto& [i, j] : graph.edges)
      sum += std::pow(v[i] / std::sqrt(degree[i]) - v[j] / std::sqrt(degree[j]), 2);

    const Sparse L = normalised_laplacian(graph);

    RC_ASSERT(v.dot(L * v) == doctest::Approx(sum).epsilon(1e-12));
    RC_ASSERT((L * degree.cwiseSqrt()).norm() <= 1e-12 * double(n));
    RC_ASSERT((Matrix(L) - Matrix(L).transpose()).norm() == 0);
    RC_ASSERT(L.nonZeros() == Index(2 * graph.edges.size()) + n - Index(isolated_vertices(graph).size()));
    const Vector values = Eigen::SelfAdjointEigenSolver<Matrix>(Matrix(L)).eigenvalues();
    RC_ASSERT(values.minCoeff() >= -1e-12);
    RC_ASSERT(values.maxCoeff() <= 2 + 1e-12);
  }));
}

TEST_CASE("a graph without edges has the zero Laplacian") { CHECK(normalised_laplacian({4, {}}).nonZeros() == 0); }
