// SPDX-License-Identifier: MIT
// Quadratic programmes on the simplex: maximise gᵀx − ½xᵀHx over x ≥ 0, Σx = 1.
#pragma once

#include "ritz/base/types.hpp"

namespace ritz {

struct SimplexQp {
  Vector x;
  double multiplier = 0;  // ν: (g − Hx)_i = ν where x_i > 0, ≤ ν elsewhere
  double violation = 0;   // max_i (g − Hx)_i − ν, and how far from ν it is where x_i > 0
  int iterations = 0;
};
// Active set over the entries that are not 0, from the feasible `start`: each step solves the equations of the free
// entries (Cholesky) and frees or fixes one. H is symmetric, positive semidefinite; a multiple of the identity
// (`ridge` times the mean of its diagonal) is added so that the steps are defined where it is singular.
SimplexQp maximise_on_simplex(const Matrix& H, const Vector& g, const Vector& start, double ridge = 1e-13);

}  // namespace ritz
