// SPDX-License-Identifier: MIT
#include "ritz/algorithms/ism.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ritz/linalg/eigen.hpp"
#include "ritz/linalg/products.hpp"
#include "ritz/linalg/subspace.hpp"

namespace ritz::ism {

namespace {

// Eigenvalues closer than this, relative to ‖Φ‖, are taken as tied: which of their vectors enter W is then our choice.
constexpr double kTie = 1e-10;
// A first shift of this share of the spectrum's width, raised fourfold until the objective does not fall.
constexpr double kFirstShift = 0.1, kShiftGrowth = 4, kLargestShift = 1e8;
// F may fall by rounding only.
constexpr double kObjectiveRounding = 1e-12;
// `Effort::automatic` computes the curvature for at most this many pairs and entries of W: a product is one sweep, and
// the number of products grows with the entries of W.
constexpr double kCheapPairs = 2e7, kCheapEntries = 1000;
// Φ's spectrum may have hardly a gap at the cut, where iterating takes longer than LAPACK's direct way; above this size
// that way would hold up Ctrl-C.
constexpr Index kDirectSize = 1500;

PhiMatrix shifted(const PhiMatrix& phi, const Matrix& W, double shift) {
  if (const auto* factor = std::get_if<SymFactor>(&phi.form)) {
    SymFactor sum{Matrix(W.rows(), factor->basis.cols() + W.cols()), Vector(factor->weights.size() + W.cols())};
    sum.basis << factor->basis, W;
    sum.weights << factor->weights, Vector::Constant(W.cols(), shift);
    return {std::move(sum)};
  }
  Matrix sum = std::get<DenseOperator>(phi.form).matrix;
  const Matrix transposed = shift * W.transpose();
  sum += product(W, transposed);
  return {DenseOperator{std::move(sum)}};
}

EigenSolver eigen_solver(const PhiMatrix& phi) {
  const bool direct = std::holds_alternative<DenseOperator>(phi.form) && phi.size() <= kDirectSize;
  return EigenSolver(direct ? EigenMethod::dense : EigenMethod::automatic);
}

// Eigenvectors a hundred times better than the residual asked for: more would be lost in the next Φ.
EigenRequest top_request(const Options& options) {
  return {.pick = Count{options.dimension}, .tolerance = std::clamp(1e-2 * options.tolerance, 1e-12, 1e-8)};
}

double residual(const PhiMatrix& phi, const Matrix& W, double norm) {
  const Matrix image = phi.times(W);
  const double outside = (image - W * (W.transpose() * image)).norm();
  return norm > 0 ? outside / norm : 0;
}

// The top q eigenvectors of Φ. A tie at the cut is broken towards W: a tiny shift lifts W's part of the tied eigenspace
// and moves nothing else by more than its own size.
EigenPairs top_vectors(EigenSolver& eigen, const PhiMatrix& phi, const Matrix& W, const EigenRequest& request,
                       double norm, const RunContext& context) {
  const Index q = W.cols();
  EigenPairs top = require_complete(eigen(phi.view(), request, context), "Φ");
  const bool tied = q < phi.size() && top.values[q - 1] - top.next <= kTie * norm;
  if (!tied) return top;
  constexpr double kTieBreak = 1e-7;
  const PhiMatrix nudged = shifted(phi, W, kTieBreak * std::max(norm, 1e-300));
  return require_complete(eigen(nudged.view(), request, context), "Φ with the tie-breaking shift");
}

// Leading eigenvectors of PCP: C = XᵀX/n of the centred samples, P the projector away from `found`.
EigenPairs axes_outside(const Samples& X, const Matrix& found, Index count, const RunContext& context) {
  const Index n = X.rows(), d = X.cols();
  const RowMatrix ones = RowMatrix::Ones(n, 1);
  const Vector mean = X.adjoint(ones, context) / double(n);
  const auto outside = [&](Matrix block) { return Matrix(block - found * (found.transpose() * block)); };
  EigenSolver eigen;
  if (d <= kDirectSize) {
    const Matrix covariance = X.weighted_gram(Vector::Constant(n, 1 / double(n)), context) - mean * mean.transpose();
    const Matrix projected = outside(outside(covariance).transpose());
    return eigen(DenseOperator{0.5 * (projected + projected.transpose())}, {.pick = Count{count}}, context);
  }
  const MatrixFreeOperator covariance{d, [&](BlockIn in, BlockOut out) {
                                        const Matrix block = outside(in);
                                        RowMatrix image = X.project(block, context);
                                        image.rowwise() -= (mean.transpose() * block).row(0);
                                        const Eigen::RowVectorXd sums = image.colwise().sum();
                                        out = outside((X.adjoint(image, context) - mean * sums) / double(n));
                                      }};
  return eigen(covariance, {.pick = Count{count}}, context);
}

// `count` orthonormal columns outside the span of `found`: principal axes, then, where the data have no variance left,
// coordinate axes.
Matrix principal_axes_outside(const Samples& X, const Matrix& found, Index count, const RunContext& context) {
  const Index d = X.cols();
  const Matrix axes = require_complete(axes_outside(X, found, count, context), "the covariance").vectors;
  Orthonormalised clean = orthonormalise_against(found, axes, 1e-8);
  if (clean.rank < count) {
    Matrix candidates(d, clean.rank + d);
    candidates << clean.basis, Matrix::Identity(d, d);
    clean = orthonormalise_against(found, candidates, 1e-8);
  }
  return clean.basis.leftCols(count);
}

// Top eigenvectors of Φ₀. Where Φ₀ has fewer than q positive eigenvalues (k classes give rank k − 1) LAPACK would
// return arbitrary null vectors; the leading principal axes outside the rest stand in for them.
Matrix spectral_start(const Problem& problem, PairPass& pass, Index q, const RunContext& context) {
  const PhiMatrix phi = pass.start_phi(problem.kernel, context);
  EigenSolver eigen = eigen_solver(phi);
  const EigenPairs top = require_complete(eigen(phi.view(), {.pick = Count{q}}, context), "the start Φ₀");
  const double size = std::max(std::abs(top.values[0]), std::isnan(top.norm) ? 0.0 : top.norm);
  Index informative = 0;
  while (informative < q && top.values[informative] > kTie * size) ++informative;
  if (informative == q) return top.vectors;
  Matrix W(problem.X.cols(), q);
  W.leftCols(informative) = top.vectors.leftCols(informative);
  W.rightCols(q - informative) =
      principal_axes_outside(problem.X, top.vectors.leftCols(informative), q - informative, context);
  return W;
}

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

Certificate certify_with(const Problem& problem, PairPass& pass, const PairSums& sums, const Matrix& W,
                         Effort curvature, const RunContext& context) {
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

// The basis of W's span that diagonalises WᵀΦW, largest first.
Matrix canonical_basis(const PhiMatrix& phi, const Matrix& W) {
  const Matrix inside = W.transpose() * phi.times(W);
  EigenSolver eigen(EigenMethod::dense);
  const DenseOperator small{0.5 * (inside + inside.transpose())};
  const RunContext context;
  Matrix rotated = W * require_complete(eigen(small, {.pick = Count{W.cols()}}, context), "WᵀΦW").vectors;
  fix_signs(rotated);
  return rotated;
}

}  // namespace

Result solve(const Problem& problem, const Options& options, RunContext& context) {
  check(options);
  const Index d = problem.X.cols(), q = options.dimension;
  if (q > d)
    throw Error(ErrorCode::bad_option,
                fmt::format("the dimension is {}; it must lie in [1, {}] because the data has {} columns", q, d, d));
  const auto pass = backend_or_cpu(context).pair_pass(problem.X, problem.gamma);
  const EigenRequest request = top_request(options);
  std::map<std::string, double> seconds;

  Result result;
  PairSums now;
  {
    const PhaseTimer timer(seconds, "start");
    result.W = spectral_start(problem, *pass, q, context);
    now = pass->sums(result.W, problem.kernel, context);
  }
  EigenSolver eigen = eigen_solver(now.phi);
  eigen.start_from(result.W);
  double shift = 0;

  const auto step = [&](int) -> StepReport {
    const SpectralBounds bounds = spectral_bounds(now.phi.view(), context);
    const double norm = bounds.norm(), width = bounds.highest - bounds.lowest;
    // A shift that was needed is tried at a quarter next time, and forgotten when it has become small.
    shift = shift > kFirstShift * width ? shift / kShiftGrowth : 0;
    for (;;) {
      Matrix W;
      {
        const PhaseTimer timer(seconds, "eigen");
        W = shift > 0 ? require_complete(eigen(shifted(now.phi, result.W, shift).view(), request, context),
                                         "Φ with the level shift")
                            .vectors
                      : top_vectors(eigen, now.phi, result.W, request, norm, context).vectors;
      }
      PairSums next;
      {
        const PhaseTimer timer(seconds, "pairs");
        next = pass->sums(W, problem.kernel, context);
      }
      if (!(next.objective < now.objective - kObjectiveRounding * std::abs(now.objective))) {
        const double moved = projector_distance(W, result.W);
        result.W = std::move(W);
        now = std::move(next);
        const double size = spectral_bounds(now.phi.view(), context).norm();
        return {now.objective, residual(now.phi, result.W, size), {shift, moved}};
      }
      shift = std::max(kShiftGrowth * shift, kFirstShift * width);
      if (shift > kLargestShift * width) {
        StepReport report{now.objective, residual(now.phi, result.W, norm), {shift, 0.0}};
        report.stalled = true;
        report.note = "no step raises the objective beyond rounding";
        return report;
      }
    }
  };
  const StopRule stop{.tolerance = options.tolerance, .max_iterations = options.max_iterations};
  result.summary = iterate(step, stop, {"shift", "moved"}, context);
  if (result.summary.iterations == 0) result.summary.objective = now.objective;

  result.W = canonical_basis(now.phi, result.W);
  try {
    const PhaseTimer timer(seconds, "certificate");
    result.certificate = certify_with(problem, *pass, now, result.W, options.curvature, context);
  } catch (const Interrupted&) {  // W is kept; only its second-order certificate is missing
    RunContext calm = context;
    calm.cancel = nullptr;
    calm.deadline = std::chrono::steady_clock::time_point::max();
    result.certificate = certify_with(problem, *pass, now, result.W, Effort::never, calm);
    result.certificate.curvature_note = "interrupted";
  }
  result.summary.seconds = seconds;
  result.summary.used["eigen"] = eigen.last_plan().reason;
  result.summary.used["pairs"] = pass->route_text(q, problem.kernel);
  result.summary.used["threads"] = std::to_string(resolved_threads(context));
  result.summary.used["backend"] = std::string(backend_or_cpu(context).name());
  return result;
}

Certificate certify(const Problem& problem, const Matrix& W, Effort curvature, const RunContext& context) {
  const auto pass = backend_or_cpu(context).pair_pass(problem.X, problem.gamma);
  return certify_with(problem, *pass, pass->sums(W, problem.kernel, context), W, curvature, context);
}

DimensionChoice choose_dimension(const Problem& problem, Index most, const RunContext& context) {
  const auto pass = backend_or_cpu(context).pair_pass(problem.X, problem.gamma);
  const PhiMatrix phi = pass->start_phi(problem.kernel, context);
  const Index count = std::min(phi.size(), most + 1);
  EigenSolver eigen = eigen_solver(phi);
  const EigenPairs top = require_complete(eigen(phi.view(), {.pick = Count{count}}, context), "the start Φ₀");
  DimensionChoice choice{1, ""};
  double widest = -1;
  std::string spectrum;
  for (Index q = 1; q <= std::min(most, count); ++q) {
    const double below = q < count ? std::max(top.values[q], 0.0) : 0.0, gap = top.values[q - 1] - below;
    spectrum += fmt::format("{}{:.4g}", q > 1 ? ", " : "", top.values[q - 1]);
    if (gap > widest) {
      widest = gap;
      choice.dimension = q;
    }
  }
  choice.reason =
      fmt::format("{}: the widest gap ({:.4g}) in the spectrum of the start, {}", choice.dimension, widest, spectrum);
  return choice;
}

double working_bytes(const PairSizes& sizes, const KernelSum& kernel, const RunContext& context) {
  // Two sums are alive while a step is judged, and the eigen-solver copies one.
  return 2 * backend_or_cpu(context).pair_pass_bytes(sizes, kernel, resolved_threads(context));
}

}  // namespace ritz::ism
