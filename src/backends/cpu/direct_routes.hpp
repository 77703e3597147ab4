// SPDX-License-Identifier: MIT
// Sums without pairs, linear in n, with Γ a factor of r columns: exact for the linear, squared and polynomial kernels,
// and with any low-rank factor of a kernel's slopes.
#pragma once

#include "ritz/pairs/pair_pass.hpp"

namespace ritz::direct {

struct DirectData {
  const Samples& X;
  const Gamma& gamma;
  const RowMatrix& basis;      // Γ's, row-major
  const Vector& row_sums;      // Γ·1; all zero for a centred Γ
  const RowMatrix& projected;  // XW, n × q
};

// Φ = basis·diag(weights)·basisᵀ, plus `dense` where it has entries; objective as in PairSums.
struct DirectSums {
  SymFactor phi;
  Matrix dense;  // d × d, or empty
  double objective = 0;
};

// For Linear, Squared and Polynomial only. `want_phi` false leaves phi empty.
DirectSums direct_sums(const DirectData& data, BlockIn W, const KernelTerm& term, bool want_phi,
                       const RunContext& context);

// Φ of a kernel of differences with −f′(β) ≈ LLᵀ (n × m): −Ψ = Γ ∘ LLᵀ, cross = QᵀL for Γ's basis Q. The objective is
// left 0.
DirectSums low_rank_phi(const DirectData& data, const RowMatrix& L, const Matrix& cross, const RunContext& context);

// Φ with slope c everywhere: c·XᵀGX (dot) or 2c·Xᵀ(diag(G1) − G)X (difference), G_ij = Γ_ij·s_i·s_j with s the term's
// sample scales, if any.
DirectSums constant_slope_sums(const Samples& X, const Gamma& gamma, const KernelTerm& term, double slope,
                               const RunContext& context);

}  // namespace ritz::direct
