// SPDX-License-Identifier: MIT
// How good a W is, from W and the data alone.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "algorithms/ism_parts.hpp"
#include "ritz/linalg/subspace.hpp"

namespace ritz::ism {

namespace {

// `Effort::automatic` computes the curvature for at most this many pairs and entries of W: a product is one sweep, and
// the number of products grows with the entries of W.
constexpr double kCheapPairs = 2e7, kCheapEntries = 1000;

// Largest eigenvalue of E ↦ P(2ΦE − 2E(WᵀΦW) + T[E]), P = I − WWᵀ, on tangents E = PE (d × q).
double tangent_curvature(const Problem& problem, PairPass& pass, const PhiMatrix& phi, const Matrix& W,
                         const RunContext& context) {
  const Index d = W.rows(), q = W.cols();
  const Matrix inside = W.transpose() * phi.times(W);
  const auto hessian = [&](const Matrix& E) {
    Matrix H = 2 * phi.times(E) - 2 * E * inside + pass.curvature_product(W, problem.kernel, E, context);
    H -= W * (W.transpose() * H);
    return H;
  };
  // Directions inside W are no tangents; they are moved to −lift, below every eigenvalue that matters.
  double lift = 0;
  const MatrixFreeOperator on_tangents{d * q, [&](BlockIn in, BlockOut out) {
                                         for (Index c = 0; c < in.cols(); ++c) {
                                           const Matrix E = in.col(c).reshaped(d, q);
                                           const Matrix inner = W * (W.transpose() * E);
                                           const Matrix image = hessian(E - inner) - lift * inner;
                                           out.col(c) = image.reshaped();
                                         }
                                       }};
  const SpectralBounds bounds = spectral_bounds(on_tangents, context);
  lift = 2 * bounds.norm();
  EigenSolver eigen;
  return require_complete(eigen(on_tangents, {.pick = Count{1}, .tolerance = 1e-7}, context), "the tangent Hessian")
      .values[0];
}

}  // namespace

void require_finite(const PhiMatrix& phi, const KernelSum& kernel) {
  const bool finite = std::visit(
      [](const auto& form) {
        if constexpr (requires { form.matrix; })
          return form.matrix.allFinite();
        else
          return form.basis.allFinite() && form.weights.allFinite();
      },
      phi.form);
  if (!finite)
    throw Error(
        ErrorCode::bad_option,
        fmt::format("kernel {} overflows on this data; change its parameters or scale the data", kernel_text(kernel)));
}

EigenSolver eigen_solver(const PhiMatrix& phi) {
  const bool direct = std::holds_alternative<DenseOperator>(phi.form) && phi.size() <= kDirectSize;
  return EigenSolver(direct ? EigenMethod::dense : EigenMethod::automatic);
}

double residual(const PhiMatrix& phi, const Matrix& W, double norm) {
  if (!(norm > 0)) return 0;
  const Matrix image = phi.times(W) / norm;  // divided first: squares of large entries would overflow
  return (image - W * (W.transpose() * image)).norm();
}

Certificate certify(const Problem& problem, PairPass& pass, const PairSums& sums, const Matrix& W, Effort curvature,
                    const RunContext& context) {
  const Index n = problem.X.rows(), d = W.rows(), q = W.cols();
  Certificate certificate;
  EigenSolver eigen = eigen_solver(sums.phi);
  const EigenPairs top = require_complete(eigen(sums.phi.view(), {.pick = Count{q}}, context), "Φ");
  const SpectralBounds bounds = spectral_bounds(sums.phi.view(), context);
  certificate.objective = sums.objective;
  certificate.phi_norm = std::max(bounds.norm(), top.values.cwiseAbs().maxCoeff());
  certificate.first_order = residual(sums.phi, W, certificate.phi_norm);
  certificate.eigenvalues = top.values;
  certificate.eigengap = q < d ? top.values[q - 1] - top.next : kUnknown;
  certificate.precision_error = pass.precision_error();
  certificate.orthonormality = orthonormality_error(W);
  // Eigenvectors that are tied at the cut are as good as any other choice among them.
  const double cut = top.values[q - 1] + kTie * certificate.phi_norm;
  Index certain = 0;
  while (certain < q && (top.values[certain] > cut || !(certificate.eigengap <= kTie * certificate.phi_norm)))
    ++certain;
  certificate.dominance = certain > 0 ? std::sin(principal_angles(top.vectors.leftCols(certain), W).maxCoeff()) : 0.0;

  if (q == d) {
    certificate.curvature_note = "the dimension equals the number of columns: there is no tangent direction";
  } else if (curvature == Effort::never) {
    certificate.curvature_note = "not asked for";
  } else if (curvature == Effort::automatic &&
             (double(n) * double(n) > kCheapPairs || double(d) * double(q) > kCheapEntries)) {
    certificate.curvature_note =
        fmt::format("not computed for {} samples and {} entries of W; ask with --curvature always", n, d * q);
  } else {
    certificate.curvature = tangent_curvature(problem, pass, sums.phi, W, context);
    certificate.curvature_note = "largest eigenvalue of the tangent Hessian by matrix-free Lanczos";
  }
  return certificate;
}

Certificate certify(const Problem& problem, const Matrix& W, Effort curvature, const RunContext& context) {
  const auto pass = make_pass(problem, {}, context);
  return certify(problem, *pass, pass->sums(W, problem.kernel, context), W, curvature, context);
}

}  // namespace ritz::ism
