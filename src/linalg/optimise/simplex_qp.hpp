// SPDX-License-Identifier: MIT
// Quadratic programmes on the simplex: maximise gᵀx − ½xᵀHx over x ≥ 0, Σx = 1.
#pragma once

#include "ritz/base/context.hpp"
#include "ritz/base/types.hpp"

namespace ritz {

struct SimplexQp {
  Vector x;
  double multiplier = 0;  // ν: (g − Hx)_i = ν where x_i > 0, ≤ ν elsewhere
  double violation = 0;   // max_i (g − Hx)_i − ν, and how far below ν one with x_i > 0 lies; 0 at the maximum
  int iterations = 0;
};
// Active set over the entries that are not 0, from the feasible `start`: each step solves the equations of the free
// entries (Cholesky) for a change of x and frees or fixes one. H is symmetric and positive semidefinite; where it is
// singular a small multiple of the identity makes the change finite without moving the maximum. Polls the context at
// each step, which is a factorisation.
SimplexQp maximise_on_simplex(const Matrix& H, const Vector& g, const Vector& start, const RunContext& context);

}  // namespace ritz
