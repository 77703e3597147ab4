// SPDX-License-Identifier: MIT
// NuMax (Hegde, Sankaranarayanan, Yin, Baraniuk): min tr P subject to |A(P) − w| ≤ δ, P ⪰ 0, by ADMM with the blocks
// (P, q) and L: tr P + ρ/2‖P − L − Λ‖² + ρκ/2‖A(L) − q − u‖², |q − w| ≤ δ′.
#include <algorithm>
#include <cmath>

#include "algorithms/isometry/parts.hpp"
#include "linalg/dense/dense.hpp"
#include "linalg/eigen.hpp"
#include "linalg/projections.hpp"
#include "ritz/linalg/products.hpp"

namespace ritz::isometry {

namespace {

constexpr double kNumaxRoom = 1e-4;  // of δ: what the iterates may still be outside by
constexpr int kCheckEvery = 20;      // steps between two looks at certificate and distortion
constexpr int kBalanceEvery = 10;
constexpr double kUnbalanced = 5;  // ratio of the residuals from which ρ is changed
constexpr double kNothing = 1e-9;  // of the largest: eigenvalues that are rounding

double largest_eigenvalue(const Matrix& M, const RunContext& context) {
  const EigenPairs top = EigenSolver(EigenMethod::dense)(DenseOperator{M}, {.pick = Count{1}}, context);
  return top.values.size() > 0 ? top.values(0) : kUnknown;
}

}  // namespace

double trace_bound(const WorkingSet& set, const Vector& y, double delta, const RunContext& context) {
  const double above = set.target().dot(y) - delta * y.cwiseAbs().sum();
  if (!(above > 0)) return 0;
  const double top = largest_eigenvalue(set.adjoint(y, context), context);
  return top > 0 ? above / top : 0;
}

Matrix factor_of(const Matrix& P, double relative_tolerance, Index most) {
  const auto [values, vectors] = symmetric_eigen(P);
  Index rank = 0;
  while (rank < std::min(most, values.size()) && values(rank) > relative_tolerance * std::max(values(0), 0.0)) ++rank;
  return SymFactor{vectors.leftCols(rank), values.head(rank)}.root().transpose();
}

NumaxResult numax(const WorkingSet& set, double delta, const Options& options, double gap, const RunContext& context) {
  const Index d = set.columns(), S = set.size();
  const double inner = delta * (1 - kNumaxRoom);
  // The mean eigenvalue of A*A on symmetric matrices is about 2S/d²: κ makes it count as much as I does.
  const double kappa = std::max(1e-6, 0.5 * double(d) / double(std::max<Index>(S, 1)) * double(d) / 4);
  const SecantSystem system(set, kappa, context);
  double rho = 1;
  Matrix L = Matrix::Identity(d, d), multiplier = Matrix::Zero(d, d), P = L;
  Vector image = set.measured_by(L, context), u = Vector::Zero(S), q = image;
  NumaxResult found;
  found.bound = 0;
  for (int k = 1; k <= options.steps(); ++k) {
    context.agree();
    const EigenPairs pairs =
        EigenSolver(EigenMethod::dense)(DenseOperator{L + multiplier}, {.pick = Above{1 / rho, d}}, context);
    const Vector shrunk = pairs.values.array() - 1 / rho;
    P = product(Matrix(pairs.vectors * shrunk.asDiagonal()), Matrix(pairs.vectors.transpose()));
    q = project_box(image - u, set.target().array() - inner, set.target().array() + inner);
    const Matrix before = L;
    const Vector image_before = image;
    L = system.solve(P - multiplier + kappa * set.adjoint(q + u, context), L, context);
    image = set.measured_by(L, context);
    multiplier -= P - L;
    u -= image - q;
    found.iterations = k;

    if (k % kCheckEvery == 0 || k == options.steps()) {
      found.bound = std::max(found.bound, trace_bound(set, rho * kappa * u, delta, context));
      const double distortion = (set.measured_by(P, context) - set.target()).cwiseAbs().maxCoeff();
      if (distortion <= delta * (1 - 1e-8)) {
        const bool better = !(found.distortion <= delta) || P.trace() < found.trace;
        if (better) {
          found.psi = factor_of(P, kNothing, d);
          found.trace = P.trace();
          found.distortion = distortion;
        }
        if (found.trace - found.bound <= gap * found.trace) {
          found.converged = true;
          return found;
        }
      } else if (!(found.distortion <= distortion)) {
        found.psi = factor_of(P, kNothing, d);
        found.trace = P.trace();
        found.distortion = distortion;
      }
    }
    if (k % kBalanceEvery == 0) {
      const double primal = std::sqrt((P - L).squaredNorm() + kappa * (image - q).squaredNorm());
      const double dual = std::sqrt((L - before).squaredNorm() + kappa * (image - image_before).squaredNorm());
      const double factor = primal > kUnbalanced * dual ? 2.0 : dual > kUnbalanced * primal ? 0.5 : 1.0;
      rho *= factor;
      multiplier /= factor;
      u /= factor;
    }
  }
  return found;
}

}  // namespace ritz::isometry
