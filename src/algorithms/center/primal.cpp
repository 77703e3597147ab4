// SPDX-License-Identifier: MIT
// Sequential quadratic programming for max_i d_i(U) on the Grassmannian, and the baseline's geodesic step.
#include <algorithm>

#include "algorithms/center/parts.hpp"
#include "linalg/grassmann.hpp"
#include "linalg/optimise/simplex_qp.hpp"
#include "linalg/subspace.hpp"
#include "linalg/tall_products.hpp"
#include "ritz/base/parallel.hpp"
#include "ritz/linalg/products.hpp"

namespace ritz::center {

namespace {

// U and a basis of its complement, each turned so that the mixture S is diagonal in it.
struct Frame {
  Matrix inside, outside;  // r × k, r × (r − k)
  Vector alpha, beta;      // eigenvalues of S there
};

Frame frame_of(const Collection& part, const Matrix& U, const Vector& weights, const RunContext& context) {
  const Matrix S = weighted_sum(part, weights, context);
  const Matrix rest = orthonormal_complement(U);
  const SymmetricEigen in = symmetric_eigen(transposed_product(U, product(S, U)));
  const SymmetricEigen out = symmetric_eigen(transposed_product(rest, product(S, rest)));
  return {product(U, in.vectors), product(rest, out.vectors), in.values, out.values};
}

// Row i: the entries of U_⊥ᵀX_iX_iᵀU, minus half the gradient of d_i.
RowMatrix slopes(const Collection& part, const Frame& frame, const RunContext& context) {
  const Index k = frame.inside.cols(), rest = frame.outside.cols();
  const RowMatrix in = tall_product(part.vectors, frame.inside, context),
                  out = tall_product(part.vectors, frame.outside, context);
  RowMatrix G(part.size(), k * rest);
  for_each_tile(part.size(), context, [&](Index i) {
    const Index first = part.begin[std::size_t(i)];
    row_gemm(k, rest, part.dimension(i), 1, {in.data() + first * k, k}, Transpose::yes,
             {out.data() + first * rest, rest}, Transpose::no, 0, {G.data() + i * G.cols(), rest});
  });
  return G;
}

}  // namespace

PrimalFit minimise_primal(const Collection& part, const Matrix& U, const Vector& weights, double tolerance,
                          int max_steps, const RunContext& context) {
  constexpr double kFloor = 1e-3;  // of the curvature, where the mixture's eigenvalues cross
  constexpr double kEnough = 0.1;  // of the promised gain
  const Index k = U.cols(), rest = U.rows() - k;
  PrimalFit fit{U, weights, distances(part, U, context).maxCoeff(), 0, 0};
  if (rest == 0 || fit.objective <= 0) return fit;
  double damping = kFloor;
  for (; fit.steps < max_steps; ++fit.steps) {
    context.agree();
    const Vector d = distances(part, fit.U, context);
    const Frame frame = frame_of(part, fit.U, fit.weights, context);
    const RowMatrix G = slopes(part, frame, context);
    bool moved = false;
    for (int attempt = 0; attempt < 30 && !moved; ++attempt) {
      Vector h(k * rest);
      for (Index a = 0; a < k; ++a)
        for (Index b = 0; b < rest; ++b)
          h(a * rest + b) = 2 * std::max(frame.alpha(a) - frame.beta(b), kFloor) + damping;
      const RowMatrix F = 2.0 * (G * h.cwiseSqrt().cwiseInverse().asDiagonal());
      const Matrix H = row_gram(F, context);
      const SimplexQp qp = maximise_on_simplex(H, d, fit.weights, context);
      const double promised = fit.objective - (qp.x.dot(d) - 0.5 * qp.x.dot(H * qp.x));
      if (attempt == 0) fit.slope = promised;
      if (promised <= tolerance && damping <= 1) return fit;
      if (promised <= 1e-16) return fit;
      // K = 2·Σλ_i·G_i / h; U moves to the span of U + U_⊥·K.
      const Vector combined = G.transpose() * qp.x;
      const Vector move = 2 * combined.cwiseQuotient(h);
      const Eigen::Map<const Matrix> K(move.data(), rest, k);
      Matrix next = frame.inside;
      next += product(frame.outside, K);
      next = orthonormalise(next).basis;
      const double objective = distances(part, next, context).maxCoeff();
      if (objective <= fit.objective - kEnough * promised) {
        fit.U = std::move(next);
        fit.weights = qp.x;
        fit.objective = objective;
        damping = attempt == 0 ? damping / 5 : damping;
        moved = true;
      } else {
        damping = std::max(4 * damping, 1e-2);
      }
    }
    if (!moved) return fit;
  }
  return fit;
}

Matrix towards(const Collection& all, BlockIn U, Index i, double t) {
  const Matrix nearest = nearest_of_same_dimension(U, all.basis(i));
  return orthonormalise(geodesic(U, nearest).at(t)).basis;
}

}  // namespace ritz::center
