// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/kernel_dual.hpp"
#include "ritz/algorithms/unfold.hpp"

namespace ritz::unfold {

// The matrix that K is drawn towards.
SparseSum variance_base(Index n);                       // H
SparseSum colour_base(const std::vector<int>& labels);  // HYH, Y_ij = 1 where the labels agree
SparseSum volume_base(Index n, const Matrix& leading);  // 2VVᵀ − I
SparseSum structure_base(const Graph& graph);           // HWH

// A connected graph with squared lengths of edges, laid out by the lengths of its paths.
RowMatrix geodesic_embedding(const Graph& graph, const Vector& squared, Index columns, const RunContext& context);

// Eigenvectors of the Laplacian D − W of a connected graph, those of the smallest eigenvalues that are not 0 first.
struct SmoothVectors {
  RowMatrix vectors;      // n × count, orthonormal
  bool factored = false;  // the graph is sparse enough for a Cholesky factor: the whole problem can be solved, too
};
SmoothVectors smoothest_vectors(const Graph& graph, Index count, const RunContext& context);

// Leading eigenpairs of K, embedding, trace and share; from a fit with a capacity.
void take_kernel(Result& result, const kernel_dual::Result& fit, const Options& options, const RunContext& context);

// Throws Interrupted where no round was completed.
void require_embedding(const Result& result);

// The price of disorder where none is given: all that order can cost, the objective's bound ‖HWH‖·√B or ‖HWH‖²/2G.
double structure_penalty(const Graph& graph, const Options& options);
Result solve_structure(const Problem& problem, const Options& options, RunContext& context);  // spe
Result solve_structure_by_csdp(const Problem& problem, const Options& options, RunContext& context);

}  // namespace ritz::unfold
