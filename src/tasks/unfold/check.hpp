// SPDX-License-Identifier: MIT
// The parts of a second look at an embedding. Nothing here is shared with the solvers.
#pragma once

#include "ritz/linalg/operator.hpp"
#include "ritz/tasks/unfold.hpp"
#include "tasks/unfold/parts.hpp"

namespace ritz::unfold::second_look {

struct Stored {
  UnfoldMethod method = UnfoldMethod::mvu;
  double ridge = 0, budget = 0;
  Vector alpha, kernel_alpha;  // of the dual value, and of the kernel
  Matrix triples;              // spe
};

// A(α) = A₀ + Σ α·M as a product. `pull` is A₀'s.
struct Pulled {
  Sparse stress;  // Σ α·M
  MatrixFreeOperator pull;
  MatrixFreeOperator sum() const {
    return {pull.n, [this](BlockIn in, BlockOut out) {
              pull.apply(in, out);
              out += stress * in;
            }};
  }
};

Matrix filled(const MatrixFreeOperator& op);
Sparse laplacian_of(const Graph& graph, const Vector& weights);
MatrixFreeOperator pull_of(UnfoldMethod method, const Problem& problem, const Matrix& drawn_to);
double pulled(const MatrixFreeOperator& pull, const Matrix& F);  // ⟨A₀, FFᵀ⟩
Vector distances_in(const Matrix& F, const Graph& graph);        // squared, of each edge
double edge_dual(const Vector& alpha, const Vector& squared, double penalty);

// Each fills in both values and how the spectrum was found.
void check_capacity(const Stored& stored, const Problem& problem, const Matrix& drawn_to, double penalty,
                    KernelCheck& check, const RunContext& context);
void check_structure(const Stored& stored, const Problem& problem, double penalty, double stored_slack,
                     KernelCheck& check, const RunContext& context);
// Without a limit: adds those of one part.
void check_free(UnfoldMethod method, const ProblemPart& part, const Vector& alpha, const Matrix& F,
                const Matrix& drawn_to, double penalty, KernelCheck& check, const RunContext& context);

}  // namespace ritz::unfold::second_look
