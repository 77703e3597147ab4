// SPDX-License-Identifier: MIT
// Rotations of a basis inside its own span: towards another basis, and towards few large entries.
#pragma once

#include "ritz/base/types.hpp"

namespace ritz {

// The orthogonal R (q × q) for which ‖A·R − B‖_F is smallest: UVᵀ of the singular vectors of AᵀB. A and B are n × q.
Matrix procrustes_rotation(BlockIn A, BlockIn B);

struct Orthonormalised;  // linalg/subspace.hpp
// The matrix with orthonormal columns nearest to M in Frobenius norm (the polar factor UVᵀ): unlike Gram–Schmidt it
// treats all columns alike, and rows of zeros stay zero. `rank` below the number of columns: there is no unique one,
// and `basis` is empty.
Orthonormalised nearest_orthonormal(BlockIn M);

// Σ_a [mean_j L_ja⁴ − (mean_j L_ja²)²]: the variance of the squared entries of each column, summed. Large when every
// column has few large entries and many near zero.
double varimax_criterion(BlockIn loadings);

enum class RowWeights { as_they_are, kaiser };  // kaiser: rows have length 1 while the rotation is looked for

struct VarimaxRotation {
  Matrix loadings;                                   // A·rotation
  Matrix rotation;                                   // q × q, orthogonal
  double criterion_before = 0, criterion_after = 0;  // of the weighted rows
  int sweeps = 0;
  bool converged = false;
};
// Turns one plane of two columns at a time to the best angle, which is known in closed form (Kaiser 1958), so that the
// criterion never falls and the iteration cannot rest on a minimum, as one that follows the gradient (by singular
// vectors) can. Ends when a sweep turns no plane by more than 1e-9 radians, or after 200 sweeps. Signs are fixed as by
// fix_signs.
VarimaxRotation varimax(BlockIn loadings, RowWeights weights = RowWeights::as_they_are);

}  // namespace ritz
