// SPDX-License-Identifier: MIT
// Subspaces as points: geodesics and means. A subspace is given by an orthonormal basis, n × p; every result depends on
// the span alone. θ are the principal angles.
#pragma once

#include <span>

#include "ritz/base/types.hpp"

namespace ritz {

// The point nearest to U among the subspaces of U's dimension that lie in X (p ≥ k) or contain it (p < k); the same for
// every distance that depends on the principal angles alone.
Matrix nearest_of_same_dimension(BlockIn U, BlockIn X);

// Shortest path between two subspaces of one dimension: from·cos(tθ) + towards·sin(tθ), t from 0 to 1.
struct Geodesic {
  Matrix from, towards;  // n × k; columns of `towards` whose angle is 0 are 0
  Vector angles;
  Matrix at(double t) const;
};
Geodesic geodesic(BlockIn A, BlockIn B);  // throws bad_shape for different dimensions

// Left singular vectors of the weighted bases side by side, of the average Σ w_i·X_iX_iᵀ (w on the simplex; empty:
// equal). The first k columns are the extrinsic (chordal) mean of dimension k, for every k: a flag.
struct FlagMean {
  Matrix basis;   // n × r, r the rank
  Vector values;  // eigenvalues of the average, decreasing
};
FlagMean flag_mean(std::span<const Matrix> bases, const Vector& weights = {});

}  // namespace ritz
