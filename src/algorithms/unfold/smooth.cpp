// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "algorithms/kernel_dual/stiffness.hpp"
#include "algorithms/unfold/parts.hpp"
#include "linalg/eigen.hpp"
#include "ritz/base/error.hpp"
#include "ritz/linalg/operator.hpp"

namespace ritz::unfold {

namespace {

constexpr double kAccurate =
    1e-6;  // of the eigenvectors: any smooth basis would do, and the certificate is of this one

SparseRows laplacian(const Graph& graph) {
  std::vector<Eigen::Triplet<double>> entries;
  entries.reserve(4 * graph.edges.size());
  for (const auto& [i, j] : graph.edges) {
    entries.emplace_back(int(i), int(i), 1.0);
    entries.emplace_back(int(j), int(j), 1.0);
    entries.emplace_back(int(i), int(j), -1.0);
    entries.emplace_back(int(j), int(i), -1.0);
  }
  SparseRows L(graph.vertices, graph.vertices);
  L.setFromTriplets(entries.begin(), entries.end());
  return L;
}

}  // namespace

SmoothVectors smoothest_vectors(const Graph& graph, Index count, const RunContext& context) {
  const SparseRows L = laplacian(graph);
  const auto stiffness = kernel_dual::stiffness_of(L, context);
  const Index n = graph.vertices;
  EigenRequest request;
  request.tolerance = kAccurate;
  constexpr std::string_view kWhat = "the smoothest vectors of the graph";
  if (stiffness->factored()) {  // the largest eigenvalues of L⁺, which stand far apart
    request.pick = Count{count};
    const MatrixFreeOperator inverse{n, [&](BlockIn in, BlockOut out) { out = stiffness->solve(RowMatrix(in)); }};
    return {require_complete(EigenSolver()(inverse, request, context), kWhat).vectors, true};
  }
  // With the constants lifted above all others: Lv + λ·11ᵀv/n, λ > λmax.
  double most = 0;
  for (Index i = 0; i < n; ++i) most = std::max(most, 2 * L.coeff(i, i) + 1);
  request.pick = Count{count};
  request.end = End::smallest;
  SparseSum lifted{L, {Matrix::Constant(n, 1, 1 / std::sqrt(double(n))), Vector::Constant(1, most)}};
  const MatrixFreeOperator raised{n, [&](BlockIn in, BlockOut out) {
                                    RowMatrix image;
                                    lifted.apply_rows(RowMatrix(in), image, context);
                                    out = image;
                                  }};
  return {require_complete(EigenSolver()(raised, request, context), kWhat).vectors, false};
}

}  // namespace ritz::unfold
