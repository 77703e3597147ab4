// SPDX-License-Identifier: MIT
// The Laplacian P = −w·Σ repair_k·M_k of a problem without a capacity, and what it is good for: it resembles the
// primal's curvature in every direction, and lowers A. A ⪯ t·P says how much of the repair makes α dual feasible; t is
// far below λmax(A)/λ₂(P), since where A is positive P is rarely soft.
#pragma once

#include <memory>

#include "algorithms/kernel_dual.hpp"

namespace ritz::kernel_dual {

class Stiffness {
 public:
  // `P`: both triangles, positive definite but for the constants. It is factored where that costs little enough.
  explicit Stiffness(SparseRows P);
  ~Stiffness();
  bool factored() const { return cholesky_ != nullptr; }
  RowMatrix solve(const RowMatrix& R) const;  // P⁺·R; R where there is no factor

  struct Excess {
    double least = 0;  // A ⪯ least·P on all that is orthogonal to the constants
    Vector direction;  // in which A is largest against P
  };
  // The excess of A, `allowed` too large or as near to that as a Lanczos space of some hundred vectors comes. A must
  // take constants to multiples of themselves.
  Excess excess(const SparseSum& A, double allowed, const RunContext& context);
  // A multiple t of `step` for which A ⪯ t·P is certain: by a Cholesky factor of tP − A up to some thousand samples, by
  // a second Lanczos space beyond.
  double certain_excess(const SparseSum& A, double step, const RunContext& context);

 private:
  class Cholesky;
  Excess excess_without_factor(const SparseSum& A, double allowed, const RunContext& context);
  SparseRows P_;
  std::unique_ptr<Cholesky> cholesky_;  // of P without its first row and column
  double softest_ = kUnknown;           // λ₂(P), once asked for
  Vector near_;                         // what the start of a Lanczos space leans towards
};

}  // namespace ritz::kernel_dual
