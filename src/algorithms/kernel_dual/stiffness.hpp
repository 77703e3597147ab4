// SPDX-License-Identifier: MIT
// The Laplacian P = −w·Σ repair_k·M_k of a problem without a capacity, and what it is good for: it resembles the
// primal's curvature in every direction, and lowers A. A ⪯ t·P says how much of the repair makes α dual feasible; t is
// far below λmax(A)/λ₂(P), since where A is positive P is rarely soft.
#pragma once

#include <memory>

#include "algorithms/kernel_dual.hpp"

namespace ritz::kernel_dual {

// Vectors are given by their coordinates: themselves, or those in a basis W to which the problem is restricted
// (Problem::within).
class Stiffness {
 public:
  virtual ~Stiffness() = default;
  virtual bool factored() const = 0;
  virtual RowMatrix solve(const RowMatrix& R) const = 0;  // P⁺·R; R where there is no factor

  struct Excess {
    double least = 0;  // A ⪯ least·P on all that is orthogonal to the constants
    Vector direction;  // in which A is largest against P
  };
  // The excess of A, `allowed` too large or as near to that as a Lanczos space of some hundred vectors comes. A must
  // take constants to multiples of themselves.
  virtual Excess excess(const SparseSum& A, double allowed, const RunContext& context) = 0;
  // A multiple t of `step` for which A ⪯ t·P is certain: by a Cholesky factor of tP − A up to some thousand samples, by
  // a second Lanczos space beyond.
  virtual double certain_excess(const SparseSum& A, double step, const RunContext& context) = 0;
};

// `P`: both triangles, positive definite but for the constants. It is factored where that costs little enough; the
// context can interrupt that.
std::unique_ptr<Stiffness> stiffness_of(SparseRows P, const RunContext& context);
std::unique_ptr<Stiffness> unfactored_stiffness(SparseRows P);
// WᵀPW and WᵀAW in place of P and A, dense. W: orthonormal, orthogonal to the constants.
std::unique_ptr<Stiffness> stiffness_within(const SparseRows& P, const RowMatrix& W, const RunContext& context);

}  // namespace ritz::kernel_dual
