// SPDX-License-Identifier: MIT
// Subspaces as points: distances (also between different dimensions), geodesics and means. A subspace is given by an
// orthonormal basis, n × p; every result depends on the span alone. θ are the principal angles, min(p, q) of them.
#pragma once

#include <array>
#include <span>
#include <string_view>

#include "ritz/base/text.hpp"
#include "ritz/base/types.hpp"

namespace ritz {

// The orthogonally invariant distances of Ye & Lim (2016), Table 2.
enum class SubspaceDistance {
  asimov,        // max θ
  binet_cauchy,  // √(1 − Π cos²θ)
  chordal,       // √(Σ sin²θ)
  fubini_study,  // arccos Π cos θ
  geodesic,      // √(Σ θ²), the length of the shortest path
  martin,        // √(−Σ log cos²θ); infinite when some θ is a right angle
  procrustes,    // 2√(Σ sin²(θ/2))
  projection,    // max sin θ
  spectral       // 2 max sin(θ/2)
};
template <>
struct EnumNames<SubspaceDistance> {
  static constexpr std::array<std::string_view, 9> names = {"asimov",       "binet_cauchy", "chordal",
                                                            "fubini_study", "geodesic",     "martin",
                                                            "procrustes",   "projection",   "spectral"};
};
// What dimensions that only one of the two has count. nothing: the distance from one to the nearest subspace that
// contains it or lies in it (zero when one contains the other, so no metric). right_angles: |p − q| further angles of
// π/2, which makes it a metric on subspaces of all dimensions (Ye & Lim, section 5).
enum class ExtraDimensions { nothing, right_angles };

double distance_of_angles(const Vector& angles, SubspaceDistance distance);
double subspace_distance(BlockIn A, BlockIn B, SubspaceDistance distance,
                         ExtraDimensions extra = ExtraDimensions::nothing);
// ‖(I − BBᵀ)A‖₂: how far the farthest unit vector of A is from B; 0 when A lies in B, 1 when A has more dimensions.
double containment_gap(BlockIn A, BlockIn B);

// The point nearest to U among the subspaces of U's dimension that lie in X (p ≥ k) or contain it (p < k); the same for
// every distance above.
Matrix nearest_of_same_dimension(BlockIn U, BlockIn X);

// Shortest path between two subspaces of one dimension: from·cos(tθ) + towards·sin(tθ), t from 0 to 1.
struct Geodesic {
  Matrix from, towards;  // n × k; columns of `towards` whose angle is 0 are 0
  Vector angles;
  double length() const { return angles.norm(); }
  Matrix at(double t) const;
};
Geodesic geodesic(BlockIn A, BlockIn B);  // throws bad_shape for different dimensions
// The direction H (n × k, AᵀH = 0) in which the geodesic leaves A, in A's basis, as long as the path; and back.
Matrix log_map(BlockIn A, BlockIn B);
Matrix exp_map(BlockIn A, BlockIn H);

struct KarcherMean {
  Matrix basis;
  double gradient = 0;  // ‖mean of log_map‖: 0 at the mean
  int iterations = 0;
  bool converged = false;
};
// The subspace with the least sum of squared geodesic distances to subspaces of one dimension, from the extrinsic mean:
// converged when gradient <= tolerance.
KarcherMean karcher_mean(std::span<const Matrix> bases, double tolerance = 1e-12, int max_iterations = 200);

// Left singular vectors of the weighted bases side by side, of the average Σ w_i·X_iX_iᵀ (w on the simplex; empty:
// equal). The first k columns are the extrinsic (chordal) mean of dimension k, for every k: a flag.
struct FlagMean {
  Matrix basis;   // n × r, r the rank
  Vector values;  // eigenvalues of the average, decreasing
};
FlagMean flag_mean(std::span<const Matrix> bases, const Vector& weights = {});

}  // namespace ritz
