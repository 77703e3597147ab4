// SPDX-License-Identifier: MIT
// Bases of subspaces and the angles between them.
#pragma once

#include "ritz/base/types.hpp"

namespace ritz {

// Makes the entry of largest magnitude of each column positive (the first of them in a tie).
void fix_signs(Eigen::Ref<Matrix> columns);

Matrix side_by_side(const Matrix& left, const Matrix& right);  // either may have no columns

struct Orthonormalised {
  Matrix basis;  // n × rank, orthonormal
  Index rank;
};
// Rank-revealing: columns whose part outside the earlier ones is below relative_tolerance times the largest column norm
// are dropped. Keeps the column order (column j of the result lies in the span of the first columns of the input).
Orthonormalised orthonormalise(BlockIn columns, double relative_tolerance = 1e-12);
// Orthonormalises `columns` against an orthonormal `fixed` and among themselves.
Orthonormalised orthonormalise_against(BlockIn fixed, BlockIn columns, double relative_tolerance = 1e-12);

// Principal angles between the spans of two orthonormal bases, increasing, min(p, q) of them, in [0, π/2]. Small angles
// come from sines and large ones from cosines (Björck & Golub), so both ends are accurate to rounding.
Vector principal_angles(BlockIn A, BlockIn B);
// ‖AAᵀ − BBᵀ‖_F for orthonormal A, B; accurate for nearly equal subspaces too.
double projector_distance(BlockIn A, BlockIn B);
// max |AᵀA − I|
double orthonormality_error(BlockIn A);

}  // namespace ritz
