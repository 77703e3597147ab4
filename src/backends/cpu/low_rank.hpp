// SPDX-License-Identifier: MIT
// Low-rank kernels with a known error: −f′(β) ≈ LLᵀ over the projected samples, by pivoted Cholesky.
//
// What is left, R = −f′(β) − LLᵀ, is positive semidefinite with a known diagonal. With f = (m₀ + m₁β)·(−f′) the error
// of F is Σ Γ_ij(m₀ + m₁β_ij)R_ij, and that of Ψ is Γ ∘ R: both have bounds in R_ii alone (docs/decisions/0011).
#pragma once

#include <vector>

#include "backends/cpu/direct_routes.hpp"
#include "linalg/pivoted_cholesky.hpp"

namespace ritz::low_rank {

struct Request {
  double relative_error;     // of F
  Index max_rank;            // where the exact route becomes cheaper
  std::vector<Index> first;  // pivots of the factor before
  double gamma_norm;         // ‖Γ‖₂
};

struct Factor {
  PivotedCholesky cholesky;    // `reached`: the error is within the request; otherwise use exact sums
  Matrix cross;                // QᵀL, Q Γ's basis
  double objective = 0;        // Σ Γ_ij f_ij with f from LLᵀ; the term's weight is not in
  double objective_error = 0;  // bound on its error
  double row_error = 0;        // bound on max_i Σ_j |Γ_ij R_ij|
};

double spectral_norm(const Gamma& gamma);  // ‖Γ‖₂, rounded up

// For kernels that have value_per_slope.
Factor factor_slopes(const direct::DirectData& data, const AnyKernel& kernel, const Request& request,
                     const RunContext& context);

}  // namespace ritz::low_rank
