// SPDX-License-Identifier: MIT
// Collections of subspaces around a known centre Z₁: the two models of section 6 of the minimum-enclosing-ball paper.
// "Distance" is the chordal one, √Σ sin² of the principal angles; the unit sphere around Z₁ is where it is 1.
#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "data/synthetic/common.hpp"
#include "ritz/linalg/subspace.hpp"

namespace ritz::synthetic {
namespace {

constexpr Index kOrder = 3;  // dimension of the centre in the paper's experiments 1a and 1b

// Independent Gaussian columns without their part in `fixed`, orthonormal: uniformly distributed.
Matrix random_basis_outside(const Matrix& fixed, Index n, Index columns, Rng& rng) {
  return orthonormalise_against(fixed, rng.normal_matrix(n, columns)).basis;
}

// A random direction in which a basis Z can move: n × k, orthogonal to Z, of Frobenius norm 1.
Matrix random_tangent(const Matrix& Z, Rng& rng) {
  Matrix H = rng.normal_matrix(Z.rows(), Z.cols());
  H -= Z * (Z.transpose() * H);
  return H / H.norm();
}

// The point of the geodesic from Z along H whose squared chordal distance from Z is `squared`, at most 1. With
// H = UΣVᵀ the geodesic is ZV cos(Σt) + U sin(Σt) and the distance Σ sin²(σt); it grows until σ_max t = π/2, where it
// is at least 1, so a root lies before.
Matrix moved_along(const Matrix& Z, const Matrix& H, double squared) {
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(H.transpose() * H);
  const Vector sigma = solver.eigenvalues().cwiseMax(0).cwiseSqrt();
  const Matrix& V = solver.eigenvectors();
  double low = 0, high = 0.5 * std::numbers::pi / sigma.maxCoeff();
  constexpr int kHalvings = 60;  // beyond the precision of a double
  for (int step = 0; step < kHalvings; ++step) {
    const double middle = 0.5 * (low + high);
    ((middle * sigma).array().sin().square().sum() < squared ? low : high) = middle;
  }
  const Vector angle = high * sigma;
  Matrix moved = Z * V * angle.array().cos().matrix().asDiagonal();
  for (Index j = 0; j < sigma.size(); ++j)
    if (sigma[j] > 0) moved.col(j) += std::sin(angle[j]) / sigma[j] * (H * V.col(j));
  return orthonormalise(moved).basis;
}

// Directions between two unit tangents, evenly by angle.
Matrix between(const Matrix& from, const Matrix& to, double share) {
  const double angle = std::acos(std::clamp(from.cwiseProduct(to).sum(), -1.0, 1.0));
  if (angle == 0) return from;
  const Matrix mixed = std::sin((1 - share) * angle) * from + std::sin(share * angle) * to;
  return mixed / mixed.norm();
}

// Further dimensions, orthogonal to the centre as well, so that the distance from it stays what it was.
Matrix completed(const Matrix& X, const Matrix& Z, Index dimension, Rng& rng) {
  const Index extra = dimension - X.cols();
  if (extra == 0) return X;
  Matrix both(X.rows(), X.cols() + Z.cols());
  both << X, Z;
  Matrix whole(X.rows(), dimension);
  whole << X, random_basis_outside(orthonormalise(both).basis, X.rows(), extra, rng);
  return whole;
}

// White noise of total standard deviation `noise` over a basis, whatever its dimension (section 7.3): the
// signal-to-noise ratio is k / noise².
Matrix disturbed(const Matrix& X, double noise, Rng& rng) {
  if (noise == 0) return X;
  return orthonormalise(X + noise / std::sqrt(double(X.size())) * rng.normal_matrix(X.rows(), X.cols())).basis;
}

Generated side_by_side(const Usual& usual, const std::vector<Matrix>& bases, const Matrix& center) {
  Index columns = 0;
  for (const Matrix& basis : bases) columns += basis.cols();
  RowMatrix all = table(center.rows(), columns);
  RowMatrix dims = table(Index(bases.size()), 1);
  std::vector<std::string> names;
  Index column = 0;
  for (std::size_t i = 0; i < bases.size(); ++i) {
    dims(Index(i), 0) = double(bases[i].cols());
    all.middleCols(column, bases[i].cols()) = bases[i];
    column += bases[i].cols();
    for (Index j = 1; j <= bases[i].cols(); ++j) names.push_back(numbered(numbered("s", Index(i) + 1) + "_", j));
  }
  Generated made = assemble(usual, std::move(all), std::move(names), {});
  made.extra.push_back({"dims", std::move(dims)});
  made.extra.push_back({"center", RowMatrix(center)});
  return made;
}

constexpr std::string_view kRoomReason = "subspaces of dimension 3 need room to turn by a right angle";

}  // namespace

// Figure 5's data: 7 of 10 subspaces on the unit sphere around Z₁, the others on a small sphere inside that ball.
Generated nested_balls(const GenerateOptions& options, std::uint64_t seed) {
  constexpr Usual usual{.set = "nested-balls",
                        .samples = 100,
                        .features = 10,
                        .noise = 0,
                        .min_samples = 2,
                        .min_features = 2 * kOrder,
                        .features_reason = kRoomReason};
  constexpr double kSmallRadius = 0.125;
  constexpr double kPlace = 0.75;  // distance of the small centre: its ball leaves out Z₁ and stays inside
  const Sizes size = sizes(usual, options);
  Rng rng = stream(usual.set, seed);
  const Matrix Z1 = random_basis_outside(Matrix(size.features, 0), size.features, kOrder, rng);
  const Matrix Z2 = moved_along(Z1, random_tangent(Z1, rng), kPlace * kPlace);
  const Index large = std::max<Index>(1, size.samples * 7 / 10);
  std::vector<Matrix> bases;
  for (Index i = 0; i < size.samples; ++i) {
    const Matrix X = i < large ? moved_along(Z1, random_tangent(Z1, rng), 1)
                               : moved_along(Z2, random_tangent(Z2, rng), kSmallRadius * kSmallRadius);
    bases.push_back(disturbed(X, size.noise, rng));
  }
  return side_by_side(usual, bases, Z1);
}

// Figure 6's data: a third of the subspaces anywhere on the unit sphere around Z₁, a third on an arc of it, a third
// inside; then each completed to a dimension from 3 to 6.
Generated arc(const GenerateOptions& options, std::uint64_t seed) {
  constexpr Usual usual{.set = "arc",
                        .samples = 300,
                        .features = 15,
                        .noise = 0,
                        .min_samples = 3,
                        .min_features = 2 * kOrder,
                        .features_reason = kRoomReason};
  const Index kDimensions = 4;  // how many different ones
  const Sizes size = sizes(usual, options);
  Rng rng = stream(usual.set, seed);
  const Matrix Z1 = random_basis_outside(Matrix(size.features, 0), size.features, kOrder, rng);
  const Matrix from = random_tangent(Z1, rng), to = random_tangent(Z1, rng);
  // Beside Z₁ and a subspace turned away from it, so many dimensions are left to complete with.
  const Index choices = std::min(kDimensions, size.features - 2 * kOrder + 1);
  std::vector<Matrix> bases;
  for (Index i = 0; i < size.samples; ++i) {
    const Index part = i * 3 / size.samples;
    const Matrix direction = part == 1 ? between(from, to, rng.uniform()) : random_tangent(Z1, rng);
    const Matrix X = moved_along(Z1, direction, part == 2 ? rng.uniform() : 1);
    bases.push_back(disturbed(completed(X, Z1, kOrder + rng.below(choices), rng), size.noise, rng));
  }
  return side_by_side(usual, bases, Z1);
}

}  // namespace ritz::synthetic
