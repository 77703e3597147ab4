// SPDX-License-Identifier: MIT
// (I + κA*A)L = R, the linear step of NuMax and FroMax. S pairs, d columns, κ fixed: one factorisation serves all
// steps.
#include <fmt/format.h>

#include <cmath>
#include <numeric>

#include "algorithms/isometry/parts.hpp"
#include "ritz/base/error.hpp"
#include "ritz/base/parallel.hpp"
#include "ritz/linalg/products.hpp"

namespace ritz::isometry {

namespace {

constexpr Index kMostUnknowns = 2600;  // of a factored system: 54 MB, and d = 71 in the basis of symmetric matrices
constexpr Index kPairsPerTile = 2048;
constexpr double kRelativeResidual = 1e-9;  // of conjugate gradients
constexpr int kMostSteps = 200;

Cholesky factored(Matrix M, const char* what) {
  Cholesky factor(std::move(M));
  if (!factor.definite())
    throw Error(ErrorCode::bad_data, fmt::format("{} of the secants is not positive definite", what));
  return factor;
}

// Symmetric matrices as vectors of d(d+1)/2 with the same inner product: entries off the diagonal times √2.
Vector packed(const Matrix& M) {
  const Index d = M.rows();
  Vector out(d * (d + 1) / 2);
  for (Index c = 0, k = 0; c < d; ++c)
    for (Index r = c; r < d; ++r) out(k++) = (r == c ? 1.0 : std::sqrt(2.0)) * M(r, c);
  return out;
}
Matrix unpacked(const Vector& v, Index d) {
  Matrix M(d, d);
  for (Index c = 0, k = 0; c < d; ++c)
    for (Index r = c; r < d; ++r) M(r, c) = M(c, r) = v(k++) / (r == c ? 1.0 : std::sqrt(2.0));
  return M;
}

}  // namespace

SecantSystem::SecantSystem(const WorkingSet& set, double kappa, const RunContext& context) : set_(set), kappa_(kappa) {
  const Index d = set.columns(), S = set.size(), D = d * (d + 1) / 2;
  if (S <= D && S <= kMostUnknowns) {
    // Woodbury: AA*_ij = (v_i·v_j)².
    form_ = Form::pairs;
    std::vector<Index> every(static_cast<std::size_t>(S));
    std::iota(every.begin(), every.end(), Index(0));
    const Matrix V = set.secants(every);
    Matrix M = kappa * product(V, Matrix(V.transpose())).cwiseAbs2();
    M.diagonal().array() += 1;
    factor_ = factored(std::move(M), "the Gram matrix");
  } else if (D <= kMostUnknowns) {
    form_ = Form::packed;
    Matrix M = Matrix::Identity(D, D), part(D, D);
    for (Index t = 0; t < tile_count(S, kPairsPerTile); ++t) {
      context.agree();
      const Range range = tile_range(S, kPairsPerTile, t);
      std::vector<Index> some(std::size_t(range.size()));
      std::iota(some.begin(), some.end(), range.begin);
      const RowMatrix V = set.secants(some);
      Matrix U(range.size(), D);
      for (Index c = 0, k = 0; c < d; ++c)
        for (Index r = c; r < d; ++r) U.col(k++) = (r == c ? 1.0 : std::sqrt(2.0)) * V.col(r).cwiseProduct(V.col(c));
      multiply_transposed(U, U, part);
      M += kappa * part;
    }
    factor_ = factored(std::move(M), "the moment matrix");
  }
}

Matrix SecantSystem::solve(const Matrix& right, const Matrix& guess, const RunContext& context) const {
  if (form_ == Form::packed) return unpacked(factor_.solve(packed(right)), right.rows());
  if (form_ == Form::pairs) {
    const Vector z = factor_.solve(set_.measured_by(right, context));
    return right - kappa_ * set_.adjoint(z, context);
  }
  const auto applied = [&](const Matrix& L) {
    return Matrix(L + kappa_ * set_.adjoint(set_.measured_by(L, context), context));
  };
  Matrix L = guess.size() > 0 ? guess : right;
  Matrix residual = right - applied(L), direction = residual;
  double norm = residual.squaredNorm();
  const double enough = std::pow(kRelativeResidual * right.norm(), 2);
  for (int k = 0; k < kMostSteps && norm > enough; ++k) {
    context.agree();
    const Matrix image = applied(direction);
    const double length = norm / direction.cwiseProduct(image).sum();
    L += length * direction;
    residual -= length * image;
    const double next = residual.squaredNorm();
    direction = residual + (next / norm) * direction;
    norm = next;
  }
  return L;
}

}  // namespace ritz::isometry
