// SPDX-License-Identifier: MIT
#include "ritz/algorithms/ism.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "algorithms/ism_parts.hpp"
#include "ritz/linalg/products.hpp"
#include "ritz/linalg/subspace.hpp"

namespace ritz::ism {

namespace {

// A first shift of this share of the spectrum's width, raised fourfold until the objective does not fall.
constexpr double kFirstShift = 0.1, kShiftGrowth = 4, kLargestShift = 1e8;
// The change of eigenvalues in the first step, which has nothing to compare with.
constexpr double kFirstChange = 1;
// F may fall by rounding only.
constexpr double kObjectiveRounding = 1e-12;
// Mixed precision cannot tell residuals below a few times its error in Φ from 0.
constexpr double kResolved = 10;
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

// Eigenvectors a hundred times better than the residual asked for: more would be lost in the next Φ.
EigenRequest top_request(const Options& options) {
  return {.pick = Count{options.dimension}, .tolerance = std::clamp(1e-2 * options.tolerance, 1e-12, 1e-8)};
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

// Overflow is the kernel's doing: the data were checked when they were read.
PairSums finite_sums(PairPass& pass, const Problem& problem, const Matrix& W, const RunContext& context) {
  PairSums sums = pass.sums(W, problem.kernel, context);
  require_finite(sums.phi, problem.kernel);
  return sums;
}

}  // namespace

Result solve(const Problem& problem, const Options& options, RunContext& context, const Matrix& start) {
  check(options);
  const Index d = problem.X.cols(), q = options.dimension;
  if (q > d)
    throw Error(ErrorCode::bad_option,
                fmt::format("the dimension is {}; it must lie in [1, {}] because the data has {} columns", q, d, d));
  const auto pass = make_pass(problem, options.accuracy(), context);
  const EigenRequest request = top_request(options);
  std::map<std::string, double> seconds;

  Result result;
  PairSums now;
  {
    const PhaseTimer timer(seconds, "start");
    result.W = start.size() > 0 ? start : spectral_start(problem, *pass, q, context);
    if (result.W.rows() != d || result.W.cols() != q)
      throw Error(ErrorCode::bad_shape,
                  fmt::format("the start is {} x {}; it must be {} x {}", result.W.rows(), result.W.cols(), d, q));
    now = finite_sums(*pass, problem, result.W, context);
  }
  EigenSolver eigen = eigen_solver(now.phi);
  eigen.start_from(result.W);
  result.start_objective = now.objective;
  double shift = 0;
  Vector last_values;  // of the Φ before: empty in the first step

  // Mixed precision leads near the answer; the end, and the certificate, are in double.
  bool mixed = options.precision == Precision::mixed;
  const auto go_on_in_double = [&] {
    pass->set_accuracy({Precision::full, options.approximate});
    now = finite_sums(*pass, problem, result.W, context);
    mixed = false;
  };
  const auto unresolved = [&](double residual) {
    const double error = pass->precision_error();  // unknown: all sums took exact routes
    return mixed && !std::isnan(error) && residual <= std::max(options.tolerance, kResolved * error);
  };

  const auto step = [&](int) -> StepReport {
    const SpectralBounds bounds = spectral_bounds(now.phi.view(), context);
    const double norm = bounds.norm(), width = bounds.highest - bounds.lowest;
    if (!(width > 0)) {  // no shift could help, and a residual relative to 0 would look like convergence
      StepReport flat{now.objective, kUnknown, {kUnknown, 0.0, 0.0}};
      flat.stalled = true;
      flat.note =
          "Φ vanishes: the kernel does not change over the distances of the data; give it another width or scale";
      return flat;
    }
    // A shift that was needed is tried at a quarter next time, and forgotten when it has become small.
    shift = shift > kFirstShift * width ? shift / kShiftGrowth : 0;
    for (;;) {
      EigenPairs top;
      {
        const PhaseTimer timer(seconds, "eigen");
        top = shift > 0 ? require_complete(eigen(shifted(now.phi, result.W, shift).view(), request, context),
                                           "Φ with the level shift")
                        : top_vectors(eigen, now.phi, result.W, request, norm, context);
      }
      PairSums next;
      {
        const PhaseTimer timer(seconds, "pairs");
        next = finite_sums(*pass, problem, top.vectors, context);
      }
      if (!(next.objective < now.objective - kObjectiveRounding * std::abs(now.objective))) {
        const double moved = projector_distance(top.vectors, result.W);
        const double change =
            last_values.size() ? (top.values - last_values).norm() / last_values.norm() : kFirstChange;
        const double size =
            spectral_bounds(next.phi.view(), context).norm();  // may be interrupted: nothing is moved yet
        double stationarity = residual(next.phi, top.vectors, size);
        last_values = top.values;
        result.W = std::move(top.vectors);
        now = std::move(next);
        if (unresolved(stationarity)) {
          go_on_in_double();
          stationarity = residual(now.phi, result.W, size);
        }
        return {now.objective, options.stop == StopOn::residual ? stationarity : change, {stationarity, shift, moved}};
      }
      shift = std::max(kShiftGrowth * shift, kFirstShift * width);
      if (shift > kLargestShift * width) {
        const double stationarity = residual(now.phi, result.W, norm);
        StepReport report{now.objective, stationarity, {stationarity, shift, 0.0}};
        if (mixed) {  // perhaps only the rounding of single precision stands in the way
          go_on_in_double();
          shift = 0;
          report.measure = std::numeric_limits<double>::infinity();
          return report;
        }
        report.stalled = true;
        report.note = "no step raises the objective beyond rounding";
        return report;
      }
    }
  };
  const StopRule stop{.tolerance = options.tolerance, .max_iterations = options.max_iterations};
  result.summary = iterate(step, stop, {"residual", "shift", "moved"}, context);
  if (result.summary.iterations == 0) result.summary.objective = now.objective;
  try {
    if (mixed && !std::isnan(pass->precision_error())) go_on_in_double();  // ended by another rule: for the certificate
  } catch (const Interrupted&) {
    result.summary.notes.push_back(
        "interrupted before the sums were taken in double: the certificate is in mixed precision");
  }

  result.W = canonical_basis(now.phi, result.W);
  try {
    const PhaseTimer timer(seconds, "certificate");
    result.certificate = certify(problem, *pass, now, result.W, options.curvature, context);
  } catch (const Interrupted& interrupted) {  // W is kept; only its second-order certificate is missing
    result.certificate = certify(problem, *pass, now, result.W, Effort::never, context.uninterrupted());
    result.certificate.curvature_note = interrupted.text();
  }
  result.summary.seconds = seconds;
  result.summary.used["eigen"] = eigen.last_plan().reason;
  result.summary.used["pairs"] = pass->route_text(q, problem.kernel);
  result.summary.used["threads"] = std::to_string(resolved_threads(context));
  result.summary.used["backend"] = std::string(backend_or_cpu(context).name());
  return result;
}

double working_bytes(const PairSizes& sizes, const KernelSum& kernel, const RunContext& context,
                     const PairAccuracy& accuracy) {
  // Two sums are alive while a step is judged, and the eigen-solver copies one.
  return 2 * backend_or_cpu(context).pair_pass_bytes(sizes, kernel, accuracy, resolved_threads(context));
}

}  // namespace ritz::ism
