// SPDX-License-Identifier: MIT
// How good a W is, from W and the data alone.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "algorithms/ism/parts.hpp"
#include "backends/dense_eigen.hpp"
#include "linalg/subspace.hpp"

namespace ritz::ism {

namespace {

// Entries of kernel matrices times columns of W that nobody waits for: some hundredths of a second.
constexpr double kCheapEntries = 4e7;
// Fewer products than this settle nothing but tiny problems: they are not begun.
constexpr double kFewestProducts = 40;
// A product takes about as long as so many sums Φ (measured on 200 to 6,000 samples).
constexpr double kSweepsAProduct = 4;
// The papers' inequality is about fixed points: W and the leading eigenvectors agree to this sine.
constexpr double kFixedPoint = 1e-3;

// max_a ‖(I − WWᵀ)Φw_a‖ / |w_aᵀΦw_a| over the columns of W, which diagonalise WᵀΦW.
double kept_residual(const PhiMatrix& phi, const Matrix& W) {
  const Matrix image = phi.times(W), left = outside(W, image);
  double worst = 0;
  for (Index a = 0; a < W.cols(); ++a) {
    const double value = std::abs(W.col(a).dot(image.col(a))), rest = left.col(a).stableNorm();
    if (rest > 0) worst = std::max(worst, rest / value);
  }
  return worst;
}

}  // namespace

TangentHessian::TangentHessian(const Problem& problem, PairPass& pass, const PhiMatrix& phi, const Matrix& W)
    : problem_(problem), pass_(pass), phi_(phi), W_(W), inside_(W.transpose() * phi.times(W)) {}

Matrix TangentHessian::operator()(const Matrix& E, const RunContext& context) const {
  return outside(W_, 2 * phi_.times(E) - 2 * E * inside_ + pass_.curvature_product(W_, problem_.kernel, E, context));
}

TangentHessian::Top TangentHessian::largest(double& left, const RunContext& context) const {
  const Index d = W_.rows(), q = W_.cols();
  // Directions inside W are no tangents; they are moved to −lift, below every eigenvalue that matters.
  double lift = 0;
  const double most = left;
  const MatrixFreeOperator on_tangents{d * q, [&](BlockIn in, BlockOut out) {
                                         if (double(in.cols()) > left) {
                                           left = 0;
                                           throw Error(ErrorCode::unsupported,
                                                       fmt::format("the curvature did not settle in {:.0f} products, "
                                                                   "which is what the fit took itself; ask with "
                                                                   "ism.curvature always",
                                                                   most));
                                         }
                                         left -= double(in.cols());
                                         for (Index c = 0; c < in.cols(); ++c) {
                                           const Matrix E = in.col(c).reshaped(d, q), tangent = outside(W_, E);
                                           const Matrix image = (*this)(tangent, context) - lift * (E - tangent);
                                           out.col(c) = image.reshaped();
                                         }
                                       }};
  lift = 2 * spectral_bounds(on_tangents, context).norm();
  EigenSolver eigen;
  const EigenPairs top =
      require_complete(eigen(on_tangents, {.pick = Count{1}, .tolerance = 1e-7}, context), "the tangent Hessian");
  const Matrix direction = outside(W_, top.vectors.col(0).reshaped(d, q));
  return {top.values[0], direction / std::max(direction.norm(), 1e-300)};
}

double curvature_products(const Problem& problem, Index q, Effort effort, int sweeps) {
  if (effort != Effort::automatic) return std::numeric_limits<double>::infinity();
  const double n = double(problem.X.rows());
  return std::max(double(sweeps) / kSweepsAProduct, std::floor(kCheapEntries / (n * n * double(q))));
}

std::string no_curvature(const Problem& problem, Index q, Effort effort, double products) {
  const Index d = problem.X.cols();
  if (q == d) return "the dimension equals the number of columns: there is no tangent direction";
  if (effort == Effort::never) return "not asked for";
  if (products < std::min(kFewestProducts, double(d * q)))
    return fmt::format(
        "not computed for {} samples and {} entries of W: it would take longer than the fit; ask with "
        "ism.curvature always",
        problem.X.rows(), d * q);
  return {};
}

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

EigenPairs leading_pairs(EigenSolver& eigen, const PhiMatrix& phi, const EigenRequest& request,
                         const RunContext& context, double norm) {
  if (const auto* dense = std::get_if<DenseOperator>(&phi.form))
    if (auto pairs = backend_eigen(dense->matrix, request, context, norm)) return *std::move(pairs);
  return eigen(phi.view(), request, context);
}

Matrix outside(const Matrix& W, const Matrix& block) { return block - W * (W.transpose() * block); }

double residual(const PhiMatrix& phi, const Matrix& W, double norm) {
  if (!(norm > 0)) return 0;
  const Matrix image = phi.times(W) / norm;  // divided first: squares of large entries would overflow
  return outside(W, image).norm();
}

void keep(Archive& archive, Sampling& sampling) {
  auto& [share, rows, fitted, estimate, low, high, exact, corrected, exact_first_order] = sampling;
  archive(share, rows, fitted, estimate, low, high, exact, corrected, exact_first_order);
}

void keep(Archive& archive, Certificate& certificate) {
  auto& [first_order, kept_order, eigengap, dominance, curvature, orthonormality, phi_norm, objective, inequality_gap,
         inequality_bound, inequality_holds, approximation, first_order_bound, precision_error, sampling, eigenvalues,
         curvature_note] = certificate;
  archive(first_order, kept_order, eigengap, dominance, curvature, orthonormality, phi_norm, objective, inequality_gap,
          inequality_bound, inequality_holds, approximation, first_order_bound, precision_error, sampling, eigenvalues,
          curvature_note);
}

void keep(Archive& archive, Result& result) {
  auto& [W, start_objective, certificate, summary] = result;
  archive(W, start_objective, certificate, summary);
}

Certificate certify(const Problem& problem, PairPass& pass, const PairSums& sums, const Matrix& W, Effort curvature,
                    const RunContext& context, std::optional<double> known_curvature, std::optional<double> products) {
  const Index d = W.rows(), q = W.cols();
  Certificate certificate;
  EigenSolver eigen = eigen_solver(sums.phi);
  const SpectralBounds bounds = spectral_bounds(sums.phi.view(), context);
  const EigenPairs top =
      require_complete(leading_pairs(eigen, sums.phi, {.pick = Count{q}}, context, bounds.norm()), "Φ");
  certificate.objective = sums.objective;
  certificate.phi_norm = std::max(bounds.norm(), top.values.cwiseAbs().maxCoeff());
  certificate.first_order = residual(sums.phi, W, certificate.phi_norm);
  certificate.kept_order = kept_residual(sums.phi, W);
  certificate.approximation = sums.error;
  // ‖(I − WWᵀ)(Φ + E)W‖_F <= ‖(I − WWᵀ)ΦW‖_F + √q·‖E‖₂, and ‖Φ + E‖₂ >= ‖Φ‖₂ − ‖E‖₂.
  const double error = certificate.phi_norm > 0 ? sums.error.phi / certificate.phi_norm : 0;
  if (error < 1) certificate.first_order_bound = (certificate.first_order + std::sqrt(double(q)) * error) / (1 - error);
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

  double left = products ? *products : curvature_products(problem, q, curvature, 0);
  certificate.curvature_note = known_curvature ? "" : no_curvature(problem, q, curvature, left);
  if (!certificate.curvature_note.empty()) return certificate;
  try {
    certificate.curvature =
        known_curvature ? *known_curvature : TangentHessian(problem, pass, sums.phi, W).largest(left, context).value;
    certificate.curvature_note = "largest eigenvalue of the tangent Hessian by matrix-free Lanczos";
    certificate.inequality_gap = certificate.eigengap;
    certificate.inequality_bound = pass.curvature_bound(W, problem.kernel, context);
    certificate.inequality_holds =
        certificate.dominance <= kFixedPoint && certificate.inequality_gap >= certificate.inequality_bound;
  } catch (const Error& missing) {  // W and what is known of it stay: the second order is an extra
    certificate.curvature_note = missing.what();
  }
  return certificate;
}

Certificate certify(const Problem& problem, const Matrix& W, Effort curvature, const RunContext& context) {
  const auto pass = make_pass(problem, {}, context);
  return certify(problem, *pass, pass->sums(W, problem.kernel, context), W, curvature, context);
}

}  // namespace ritz::ism
