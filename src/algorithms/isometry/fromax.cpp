// SPDX-License-Identifier: MIT
// FroMax (the paper's Algorithm 1): min ½‖P − XY‖²_F subject to |A(P) − w| ≤ δ, Y = Xᵀ, by ADMM. The printed q-step
// A(P) − λ contradicts its own Lagrangian, in which λ is not scaled: it is clip(A(P) + λ/β₁). Stops on the distortion
// of YᵀY itself.
#include <algorithm>

#include "algorithms/isometry/parts.hpp"
#include "linalg/dense/dense.hpp"
#include "linalg/projections.hpp"
#include "ritz/linalg/products.hpp"

namespace ritz::isometry {

namespace {

constexpr int kFromaxPatience = 120;  // steps without a tenth less excess over δ

}  // namespace

Attempt fromax_attempt(const WorkingSet& set, const Matrix& start, double delta, const Options& options,
                       const RunContext& context) {
  const Index d = set.columns(), r = start.rows();
  const double inner = delta * (1 - kInside);
  const double beta1 = options.beta1 > 0 ? options.beta1 : 20 * double(d) / double(std::max<Index>(set.size(), 1));
  const double beta2 = options.beta2;  // of Y to Xᵀ
  const SecantSystem system(set, beta1, context);
  Matrix Y = start, X = start.transpose(), dual = Matrix::Zero(r, d), P = product(X, Y);
  Vector lambda = Vector::Zero(set.size()), image = set.measured_by(P, context);
  const Matrix ridge = beta2 * Matrix::Identity(r, r);
  BestOfSteps best(delta, kFromaxPatience);
  for (int k = 0; k < options.steps(); ++k) {
    context.agree();
    if (best.ends(Y, (set.measured(Y, context) - set.target()).cwiseAbs().maxCoeff())) break;
    const Vector q = project_box(image + lambda / beta1, set.target().array() - inner, set.target().array() + inner);
    P = system.solve(set.adjoint(beta1 * q - lambda, context) + 0.5 * (product(X, Y) + product(X, Y).transpose()), P,
                     context);
    const Matrix left = transposed_product(Y.transpose(), Y.transpose()) + ridge;
    X = semidefinite_solve(left, dual + beta2 * Y + product(Y, P)).transpose();
    const Matrix right = transposed_product(X, X) + ridge;
    Y = semidefinite_solve(right, transposed_product(X, P) - dual + beta2 * X.transpose());
    image = set.measured_by(P, context);
    lambda += beta1 * (image - q);
    dual += beta2 * (Y - X.transpose());
  }
  return best.take();
}

}  // namespace ritz::isometry
