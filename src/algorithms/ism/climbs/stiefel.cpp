// SPDX-License-Identifier: MIT
// Z. Wen, W. Yin, A feasible method for optimization with orthogonality constraints (2013): a curvilinear search along
// Cayley transforms on the Stiefel manifold.
#include "algorithms/ism/climbs/first_order.hpp"
#include "linalg/dense/dense.hpp"

namespace ritz::ism {

namespace {

// (I − τ/2·A)⁻¹(I + τ/2·A)W with the skew A = TWᵀ − WTᵀ = UVᵀ, U = [T, W], V = [W, −T], by the 2q × 2q system of
// Sherman, Morrison and Woodbury: W + τU(I − τ/2·VᵀU)⁻¹VᵀW. Its derivative at τ = 0 is AW = T. (WᵀG is symmetric for
// the gradient G = 2ΦW, so A is the same with T = (I − WWᵀ)G as with G itself.)
Matrix cayley(const Matrix& W, const Matrix& T, double step) {
  const Index d = W.rows(), q = W.cols();
  Matrix U(d, 2 * q), V(d, 2 * q);
  U << T, W;
  V << W, -T;
  const Matrix small = Matrix::Identity(2 * q, 2 * q) - 0.5 * step * transposed_product(V, U);
  return W + step * product(U, general_solve(small, transposed_product(V, W)));
}

}  // namespace

Climb climb_sm(const Setting& setting, Matrix start, RunContext& context) {
  const Curve curve{.tangent = [](const Matrix& W, const Matrix& phi_W) { return Matrix(2 * outside(W, phi_W)); },
                    .point = cayley,
                    .memory = 0.85};
  return climb_along(curve, setting, std::move(start), setting.options.max_iterations, context);
}

}  // namespace ritz::ism
