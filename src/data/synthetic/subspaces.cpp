// SPDX-License-Identifier: MIT

#include <algorithm>
#include <cmath>
#include <numbers>

#include "data/subspace_models.hpp"
#include "data/synthetic/common.hpp"
#include "linalg/dense/dense.hpp"
#include "linalg/subspace.hpp"
#include "ritz/base/error.hpp"

namespace ritz {

namespace {

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
  const auto [squares, V] = symmetric_eigen(H.transpose() * H);
  const Vector sigma = squares.cwiseMax(0).cwiseSqrt();
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

// Further dimensions, orthogonal to the centre as well where there is room, so that the distance from it stays what it
// was.
Matrix completed(const Matrix& X, const Matrix& Z, Index dimension, Rng& rng) {
  const Index extra = dimension - X.cols(), n = X.rows();
  if (extra == 0) return X;
  const Matrix both = orthonormalise(side_by_side(X, Z)).basis;
  return side_by_side(X, random_basis_outside(n - both.cols() >= extra ? both : X, n, extra, rng));
}

// White noise of total standard deviation `noise` over a basis, whatever its dimension (section 7.3): the
// signal-to-noise ratio is k / noise².
Matrix disturbed(const Matrix& X, double noise, Rng& rng) {
  if (noise == 0) return X;
  return orthonormalise(X + noise / std::sqrt(double(X.size())) * rng.normal_matrix(X.rows(), X.cols())).basis;
}

Index drawn_dimension(Index own, Index largest, Rng& rng) {
  return largest > own ? own + rng.below(largest - own + 1) : own;
}

}  // namespace

double noise_of_snr(double decibels, Index k) { return std::sqrt(double(k) / std::pow(10.0, decibels / 10)); }

DrawnSubspaces draw_nested_ball(const NestedBall& model, Rng& rng) {
  DrawnSubspaces drawn;
  const Matrix Z1 = random_basis_outside(Matrix(model.n, 0), model.n, model.k, rng);
  Matrix Z2 = moved_along(Z1, random_tangent(Z1, rng), model.inner_place);
  if (model.inner_k > model.k) Z2 = completed(Z2, Z1, model.inner_k, rng);
  for (Index i = 0; i < model.outer + model.inner; ++i) {
    Matrix X = i < model.outer ? moved_along(Z1, random_tangent(Z1, rng), model.squared_radius)
                               : moved_along(Z2, random_tangent(Z2, rng), model.inner_squared_radius);
    if (model.largest > 0) X = completed(X, Z1, drawn_dimension(X.cols(), model.largest, rng), rng);
    drawn.bases.push_back(disturbed(X, model.noise, rng));
  }
  drawn.center = Z1;
  return drawn;
}

DrawnSubspaces draw_arc(const ArcModel& model, Rng& rng) {
  DrawnSubspaces drawn;
  const Matrix Z1 = random_basis_outside(Matrix(model.n, 0), model.n, model.k, rng);
  const Matrix from = random_tangent(Z1, rng), to = random_tangent(Z1, rng);
  for (Index i = 0; i < model.anywhere + model.on_arc + model.inside; ++i) {
    const bool arc = i >= model.anywhere && i < model.anywhere + model.on_arc;
    const bool inside = i >= model.anywhere + model.on_arc;
    const Matrix direction = arc ? between(from, to, rng.uniform()) : random_tangent(Z1, rng);
    const Matrix X = moved_along(Z1, direction, model.squared_radius * (inside ? rng.uniform() : 1));
    drawn.bases.push_back(
        disturbed(completed(X, Z1, drawn_dimension(model.k, model.largest, rng), rng), model.noise, rng));
  }
  drawn.center = Z1;
  return drawn;
}

DrawnSubspaces draw_unrelated(Index n, Index count, Index smallest, Index largest, Rng& rng) {
  DrawnSubspaces drawn;
  for (Index i = 0; i < count; ++i)
    drawn.bases.push_back(
        random_basis_outside(Matrix(n, 0), n, std::min(n, drawn_dimension(smallest, largest, rng)), rng));
  return drawn;
}

namespace synthetic {

namespace {

constexpr Index kOrder = 3;  // dimension of the centre in the paper's experiments 1a and 1b
constexpr std::string_view kRoomReason = "subspaces of dimension 3 need room to turn by a right angle";

Generated side_by_side(const Usual& usual, const DrawnSubspaces& drawn) {
  Index columns = 0;
  for (const Matrix& basis : drawn.bases) columns += basis.cols();
  RowMatrix all = table(drawn.center.rows(), columns);
  RowMatrix dims = table(Index(drawn.bases.size()), 1);
  std::vector<std::string> names;
  Index column = 0;
  for (std::size_t i = 0; i < drawn.bases.size(); ++i) {
    const Matrix& basis = drawn.bases[i];
    dims(Index(i), 0) = double(basis.cols());
    all.middleCols(column, basis.cols()) = basis;
    column += basis.cols();
    for (Index j = 1; j <= basis.cols(); ++j) names.push_back(numbered(numbered("s", Index(i) + 1) + "_", j));
  }
  Generated made = assemble(usual, std::move(all), std::move(names), {});
  made.extra.push_back({"dims", std::move(dims)});
  made.extra.push_back({"center", RowMatrix(drawn.center)});
  return made;
}

double noise_asked(const Sizes& size, const GenerateOptions& options) {
  if (options.snr >= kNoSnr) return size.noise;
  if (options.noise >= 0)
    throw Error(ErrorCode::bad_option,
                "generate.snr and generate.noise are two ways to say the same; give one of them");
  return noise_of_snr(options.snr, kOrder);
}

}  // namespace

// Figure 5's data: 7 of 10 subspaces on the unit sphere around Z₁, the others on a small sphere inside that ball.
Generated nested_ball(const GenerateOptions& options, std::uint64_t seed) {
  constexpr Usual usual{.set = "nested-ball",
                        .samples = 100,
                        .features = 10,
                        .noise = 0,
                        .min_samples = 2,
                        .min_features = 2 * kOrder,
                        .features_reason = kRoomReason};
  const Sizes size = sizes(usual, options);
  Rng rng = stream(usual.set, seed);
  NestedBall model;
  model.n = size.features;
  model.outer = std::max<Index>(1, size.samples * 7 / 10);
  model.inner = size.samples - model.outer;
  model.noise = noise_asked(size, options);
  return side_by_side(usual, draw_nested_ball(model, rng));
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
  const Sizes size = sizes(usual, options);
  Rng rng = stream(usual.set, seed);
  ArcModel model;
  model.n = size.features;
  model.anywhere = (size.samples + 2) / 3;
  model.on_arc = (2 * size.samples + 2) / 3 - model.anywhere;
  model.inside = size.samples - model.anywhere - model.on_arc;
  // Beside Z₁ and a subspace turned away from it, so many dimensions are left to complete with.
  model.largest = std::min(model.largest, size.features - kOrder);
  model.noise = noise_asked(size, options);
  return side_by_side(usual, draw_arc(model, rng));
}

}  // namespace synthetic

}  // namespace ritz
