// SPDX-License-Identifier: MIT
// What the solvers of the minimax centre share.
#pragma once

#include "linalg/dense/dense.hpp"
#include "ritz/algorithms/center.hpp"
#include "ritz/base/context.hpp"

namespace ritz::center {

Vector caps(const Collection& all, Index k);  // min(k, p_i)

// Some of the subspaces in coordinates of their own span, where that has fewer dimensions than the space.
struct Part {
  Collection subspaces;
  Matrix span;  // n × r, orthonormal; empty: the coordinates are those of the space
  Matrix lifted(BlockIn V) const;
  Matrix lowered(BlockIn U) const;  // its part in the span
};
Part part_of(const Collection& all, const std::vector<Index>& members, const RunContext& context);

Matrix weighted_sum(const Collection& all, const Vector& weights, const RunContext& context);  // Σλ_i·X_iX_iᵀ

// γ of the smoothed maximum: clip((e − θ)/μ, 0, 1) with Σγ = k, or the k first where n ≤ k.
Vector mixture(const Vector& eigenvalues, Index k, double mu);

// F·Fᵀ for few long rows, on all cores, the same bits for any number of threads.
Matrix row_gram(const RowMatrix& F, const RunContext& context);

// Everything about the dual at one λ: d_μ(λ) = Σλ_i·min(k, p_i) − max over P of (⟨Σλ_i·X_iX_iᵀ, P⟩ − μ/2·‖P‖²) with its
// gradient over the subspaces, d ≤ d_μ ≤ d + μk/2. The smoothing is μ/2·‖P − C‖² around a centre C, which may be 0
// (empty): with the P of the last maximum as centre (the proximal point method) μ need not go to 0 for d_μ to reach d,
// so that rounding of λ, which moves P by 1/μ times as much, does not spoil the bracket.
struct DualPoint {
  Vector weights;
  double value = kUnknown;   // d(λ)
  double smooth = kUnknown;  // d_μ(λ), up to a constant that depends on the centre alone
  double bound = kUnknown;   // max_i of the gradient
  SymmetricEigen spectrum;   // of Σλ_i·X_iX_iᵀ + μC
  Vector gamma;              // P = V·diag(γ)·Vᵀ
  Vector gradient;           // min(k, p_i) − ⟨X_iX_iᵀ, P⟩
};
DualPoint dual_point(const Collection& all, const Vector& weights, Index k, double mu, const Matrix& center,
                     const RunContext& context);
// −∇²d_μ, positive semidefinite.
Matrix dual_curvature(const Collection& all, const DualPoint& at, double mu, const RunContext& context);

// Newton's method on the smoothed dual of a part, around one centre after the other (the first may be empty), until
// max_i gradient − d(λ) ≤ tolerance.
struct DualFit {
  DualPoint point;  // λ and d of the best value, all else of the best bound
  int evaluations = 0;
};
DualFit maximise_dual(const Collection& part, Index k, const Vector& start, Matrix center, double tolerance,
                      const RunContext& context);

// Descent of max_i d_i(U) over a part from U: each step solves the linearised distances with the curvature of their
// mixture λ.
struct PrimalFit {
  Matrix U;
  Vector weights;
  double objective = kUnknown;
  double slope = kUnknown;  // what the next step would gain by its model
  int steps = 0;
};
PrimalFit minimise_primal(const Collection& part, const Matrix& U, const Vector& weights, double tolerance,
                          int max_steps, const RunContext& context);

// One step of Renard's method: along the geodesic towards subspace i, as far as the share `t` of the way.
Matrix towards(const Collection& all, BlockIn U, Index i, double t);

void require_order(const Collection& all, Index k);  // throws bad_option where no centre has k dimensions
Result solve_newton(const Collection& all, Index k, const Options& options, const Vector& start, RunContext& context,
                    const Matrix* truth);
Result solve_subgradient(const Collection& all, Index k, const Options& options, const Vector& start,
                         RunContext& context, const Matrix* truth);
Result solve_renard(const Collection& all, Index k, const Options& options, const Vector& start, RunContext& context,
                    const Matrix* truth);

}  // namespace ritz::center
