// SPDX-License-Identifier: MIT
// Centres that all subspaces have a say in: mean, median and Karcher mean.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "algorithms/center/parts.hpp"
#include "linalg/subspace.hpp"
#include "linalg/tall_products.hpp"
#include "ritz/base/parallel.hpp"
#include "ritz/linalg/products.hpp"

namespace ritz::center {

namespace {

constexpr double kNearest = 1e-6;  // distances below it count the same: the weights of the median stay finite

// (I − UUᵀ)·Σw_i·X_iX_iᵀ·U
Matrix pull(const Collection& all, BlockIn U, const Vector& weights, const RunContext& context) {
  RowMatrix inner = tall_product(all.vectors, U, context);
  for (Index i = 0; i < all.size(); ++i) inner.middleRows(all.begin[std::size_t(i)], all.dimension(i)) *= weights(i);
  const Matrix moved = tall_transposed_product(all.vectors, inner, context);
  return moved - U * (U.transpose() * moved);
}

// The logarithm of X_i at U, n × k: the tangent of the geodesic to the nearest subspace that X_i holds, or that holds
// X_i. With UᵀX = Q·cosθ·Rᵀ it is (XR − UQ·cosθ)·(θ/sinθ)·Qᵀ. Adds it to `sum`; returns Σθ².
double add_logarithm(const Collection& all, Index i, const Matrix& U, Matrix& sum) {
  const auto X = all.vectors.middleRows(all.begin[std::size_t(i)], all.dimension(i)).transpose();
  const SingularValues angles = thin_svd(U.transpose() * X);
  Matrix towards = X * angles.V - U * (angles.U * angles.values.asDiagonal());
  double squares = 0;
  for (Index a = 0; a < angles.values.size(); ++a) {
    const double sine = towards.col(a).norm(), theta = std::atan2(sine, angles.values(a));
    if (sine > 0) towards.col(a) *= theta / sine;
    squares += theta * theta;
  }
  sum += towards * angles.U.transpose();
  return squares;
}

AverageAt karcher_at(const Collection& all, BlockIn U, const RunContext& context) {
  constexpr Index kPerTile = 64;
  const Index tiles = tile_count(all.size(), kPerTile);
  const Matrix here = U;
  std::vector<Matrix> sums(std::size_t(tiles), Matrix::Zero(U.rows(), U.cols()));
  Vector squares = Vector::Zero(tiles);
  for_each_tile(tiles, context, [&](Index t) {
    const Range range = tile_range(all.size(), kPerTile, t);
    for (Index i = range.begin; i < range.end; ++i) squares(t) += add_logarithm(all, i, here, sums[std::size_t(t)]);
  });
  AverageAt at;
  at.direction = Matrix::Zero(U.rows(), U.cols());
  for (const Matrix& sum : sums) at.direction += sum / double(all.size());
  at.objective = squares.sum() / double(all.size());
  at.weights = Vector::Constant(all.size(), 1.0 / double(all.size()));
  return at;
}

// U along the geodesic whose tangent is `direction`, as far as t times its length.
Matrix along(BlockIn U, const Matrix& direction, double t) {
  const SingularValues svd = thin_svd(direction);
  const Vector angles = t * svd.values;
  const Matrix moved = (U * svd.V) * angles.array().cos().matrix().asDiagonal() * svd.V.transpose() +
                       svd.U * angles.array().sin().matrix().asDiagonal() * svd.V.transpose();
  return spanning_basis(moved);
}

// Σθ² has several valleys where subspaces lie far apart: the descent begins where a few steps lead lowest, from the
// mean's eigenvectors, as many as k and the next ones, and from the lowest of some of the subspaces.
Matrix karcher_start(const Collection& all, Index k, const Vector& weights, Result& result, const RunContext& context) {
  constexpr Index kWindows = 3, kTried = 20;
  constexpr std::size_t kOwn = 3;
  constexpr int kTrialSteps = 5;
  const Matrix V = dual(all, weights, std::min(kWindows * k, all.ambient()), context).U;
  struct Start {
    Matrix U;
    AverageAt at;
  };
  const auto start = [&](Matrix U) {
    ++result.evaluations;
    AverageAt at = karcher_at(all, U, context);
    return Start{std::move(U), std::move(at)};
  };
  const auto lower = [](const Start& a, const Start& b) { return a.at.objective < b.at.objective; };
  std::vector<Start> starts;
  for (Index i = 0; i < all.size(); i += 1 + (all.size() - 1) / kTried)
    if (all.dimension(i) == k) starts.push_back(start(all.basis(i)));
  std::ranges::stable_sort(starts, lower);
  if (starts.size() > kOwn) starts.erase(starts.begin() + kOwn, starts.end());
  for (Index first = 0; first + k <= V.cols(); first += k) starts.push_back(start(V.middleCols(first, k)));
  for (Start& each : starts)
    for (int t = 0; t < kTrialSteps; ++t) {
      Start next = start(along(each.U, each.at.direction, 1));
      if (!lower(next, each)) break;
      each = std::move(next);
    }
  return std::ranges::min_element(starts, lower)->U;
}

}  // namespace

AverageAt average_at(const Collection& all, BlockIn U, Method method, const RunContext& context) {
  if (method == Method::karcher) return karcher_at(all, U, context);
  AverageAt at;
  const Vector distance = distances(all, U, context);
  at.weights = Vector::Constant(all.size(), 1.0 / double(all.size()));
  at.objective = method == Method::minimax ? distance.maxCoeff() : distance.mean();
  if (method == Method::median) {
    at.objective = distance.cwiseSqrt().mean();
    at.weights = distance.cwiseSqrt().cwiseMax(kNearest).cwiseInverse();
    at.weights /= at.weights.sum();
  }
  at.direction = pull(all, U, at.weights, context);
  return at;
}

Result solve_average(const Collection& all, Index k, Method method, const Options& options, RunContext& context) {
  check(options);
  require_order(all, k);
  Result result;
  result.k = k;
  const Vector equal = Vector::Constant(all.size(), 1.0 / double(all.size()));
  result.evaluations = 1;
  Matrix U = method == Method::karcher ? karcher_start(all, k, equal, result, context) : dual(all, equal, k, context).U;
  AverageAt at = average_at(all, U, method, context);
  constexpr int kHalvings = 30;
  const auto step = [&](int t) {
    if (t > 1 && at.direction.squaredNorm() > options.tolerance) {
      bool fell = false;
      for (double share = 1; !fell && share > std::ldexp(1.0, -kHalvings); share /= 2) {
        const Matrix moved =
            method == Method::karcher ? along(U, at.direction, share) : dual(all, at.weights, k, context).U;
        AverageAt next = average_at(all, moved, method, context);
        ++result.evaluations;
        // The reweighted mean never raises the sum; where rounding says otherwise the gradient decides.
        fell = next.objective < at.objective || next.direction.squaredNorm() < at.direction.squaredNorm();
        if (fell) U = moved, at = std::move(next);
        if (method != Method::karcher) break;
      }
      if (!fell)
        return StepReport{.objective = at.objective,
                          .measure = at.direction.squaredNorm(),
                          .stalled = true,
                          .note = "no step lowers the sum of distances"};
    }
    return StepReport{.objective = at.objective, .measure = at.direction.squaredNorm()};
  };
  result.summary = iterate(step, {options.tolerance, options.max_iterations}, {}, context, [&](Archive& archive) {
    archive(U, at.objective, at.direction, at.weights, result.evaluations);
  });
  if (result.summary.converged()) result.summary.message = fmt::format("the gradient is {:.1e}", at.direction.norm());
  fix_signs(U);
  result.U = std::move(U);
  const RunContext calm = context.uninterrupted();
  result.distances = distances(all, result.U, calm);
  result.objective = at.objective;
  result.slope = at.direction.norm();
  result.weights = at.weights;
  result.working = all.size();
  const Dual last = dual(all, result.weights, k, calm);
  result.eigenvalues = last.eigenvalues;
  result.dimension = last.dimension;
  if (method == Method::mean ||
      method == Method::flag) {  // the sum of the k largest eigenvalues bounds what any U shows
    result.dual = result.dual_bound = last.value;
    result.gap = result.objective - result.dual;
  }
  return result;
}

}  // namespace ritz::center
