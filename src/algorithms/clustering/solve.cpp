// SPDX-License-Identifier: MIT
#include "ritz/algorithms/clustering.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "linalg/dense/dense.hpp"
#include "ritz/linalg/subspace.hpp"
#include "ritz/model/bandwidth.hpp"

namespace ritz::clustering {

namespace {

// The first embedding only has to point the way, and a product over all columns is the dearest of all.
constexpr double kFirstTolerance = 1e-6, kFirstLoose = 1e-2;
constexpr int kFirstProducts = 60, kFirstFew = 8;
constexpr double kDearProduct = 1e10;  // n²d operations from which on few products must do
// A round's embedding goes on from the last one, so a few products suffice; the last one is sharpened.
// Degrees leave eigenvalues that lie close together near 1: there one long Krylov space beats many short ones.
constexpr int kRoundProducts = 6, kRoundProductsByDegree = 60;
constexpr double kFinalTolerance = 1e-8;
constexpr int kFinalProducts = 60;
// The W step is solved this much better than the last round moved, and the U step, which costs less, this much again.
constexpr double kInnerShare = 0.1, kTightest = 1e-8;
// Rounds that moved W by less may be extrapolated; a jump may cost this part of F, which is not monotone anyway.
constexpr double kNear = 0.1, kFall = 1e-3;
constexpr double kNoted = 1e-6;  // a fall of F that the note's six digits do not show needs no note

Matrix scaled_rows(const Vector& degrees, const Matrix& columns) {
  return degrees.cwiseSqrt().cwiseInverse().asDiagonal() * columns;
}

// Σ g_c·G_cᵀKG_c, with D^(−½) where the guidance has it.
double guidance_value(const Problem& problem, const KernelMatrix& K, const Embedding& embedding,
                      const RunContext& context) {
  if (problem.guidance.basis.cols() == 0) return 0;
  const Matrix basis =
      problem.guidance_by_degree ? scaled_rows(embedding.degrees, problem.guidance.basis) : problem.guidance.basis;
  const RowMatrix image = K.times(RowMatrix(basis), context);
  return basis.cwiseProduct(image).colwise().sum().dot(problem.guidance.weights);
}

// ‖AAᵀ − BBᵀ‖_F as a part of the largest it can be: 0 for equal subspaces, 1 for orthogonal ones.
double relative_distance(const Matrix& A, const Matrix& B) {
  return projector_distance(A, B) / std::sqrt(2.0 * double(A.cols()));
}

struct Round {
  Matrix W;
  Embedding embedding;
  double objective = 0;
};

// Where rounds creep, their moves shrink by a steady factor r, and what is left of the way is r/(1 − r) times the last
// move. `W` came from `before`, which came from `first`; empty: they do not creep.
Matrix extrapolated(const Matrix& first, const Matrix& before, const Matrix& W) {
  constexpr double kAligned = 0.9, kCreeps = 0.5, kSteady = 0.99, kLongest = 0.2;
  if (first.size() == 0) return {};
  // Moves as seen from W: the span of A is that of W + T, WᵀT = 0, T = A(WᵀA)⁻¹ − W.
  const auto seen = [&](const Matrix& A) -> Matrix {
    return A * general_solve(W.transpose() * A, Matrix::Identity(W.cols(), W.cols())) - W;
  };
  const Matrix at = seen(before), earlier = at - seen(first), last = -at;
  const double together = (earlier.cwiseProduct(last)).sum(), r = together / earlier.squaredNorm();
  if (!(together > kAligned * earlier.norm() * last.norm()) || !(r > kCreeps)) return {};
  const double factor = std::min(r, kSteady) / (1 - std::min(r, kSteady));
  const Matrix jump = std::min(factor, kLongest * std::sqrt(double(W.cols())) / last.norm()) * last;
  return orthonormalise(W + jump).basis;
}

bool has_polynomial(const KernelSum& kernel) {
  return std::ranges::any_of(kernel, [](const KernelTerm& term) {
    const auto* polynomial = std::get_if<Polynomial>(&term.kernel);
    return polynomial && polynomial->degree > 1;
  });
}

void check_sizes(const Problem& problem, const Options& options, Index q) {
  const Index n = problem.X.rows(), d = problem.X.cols();
  if (q > d)
    throw Error(ErrorCode::bad_option,
                fmt::format("the dimension is {}; it must lie in [1, {}] because the data has {} columns", q, d, d));
  const Index most = is_centred(problem.normalisation) ? n - 1 : n;
  if (options.clusters > most)
    throw Error(ErrorCode::bad_option,
                fmt::format("{} clusters are asked for; the number must lie in [1, {}] because there are {} samples",
                            options.clusters, most, n));
}

void label(Result& result, const Problem& problem, const Options& options, const RunContext& context) {
  const bool gaussian = options.label_by == LabelBy::gaussian ||
                        (options.label_by == LabelBy::automatic && has_polynomial(problem.kernel));
  const KMeansOptions means{.clusters = options.clusters, .restarts = options.restarts};
  const RowMatrix Z = problem.X.project(result.W, context);
  SpectralClusters clusters;
  if (gaussian) {
    const Samples samples(Z);
    const KernelSum kernel = resolve_bandwidths(parse_kernel("gaussian(sigma=median)"), samples, context).kernel;
    const EmbeddingRequest request{
        .count = options.clusters, .normalisation = Normalisation::degree, .tolerance = 1e-6, .max_products = 60};
    clusters = cluster_embedding(spectral_embedding(KernelMatrix(samples, kernel), request, {}, context), Z, kernel,
                                 means, context);
    result.labelled_by = fmt::format("spectral clustering of the subspace with {}", kernel_text(kernel));
  } else {
    clusters = cluster_embedding(result.embedding, Z, problem.kernel, means, context);
    result.labelled_by = "k-means on the rows of the fitted embedding, scaled to length 1";
  }
  result.labels = std::move(clusters.labels);
  result.model = std::move(clusters.model);
}

}  // namespace

Problem unsupervised(const Samples& X, KernelSum kernel) { return {X, std::move(kernel)}; }

Problem guided(const Samples& X, KernelSum kernel, const RowMatrix& scores, double weight) {
  if (scores.rows() != X.rows() || scores.cols() < 1)
    throw Error(ErrorCode::bad_shape,
                fmt::format("the scores are {} x {}; there must be a row for each of the {} samples", scores.rows(),
                            scores.cols(), X.rows()));
  if (!(weight >= 0) || !std::isfinite(weight))
    throw Error(ErrorCode::bad_option, fmt::format("the weight of the scores is {}; it must not be negative", weight));
  Problem problem{X, std::move(kernel), Normalisation::degree};
  problem.guidance.basis = scores.rowwise() - scores.colwise().mean();
  problem.guidance.weights = Vector::Constant(scores.cols(), weight);
  for (Index c = 0; c < scores.cols(); ++c) {
    constexpr double kRounding = 1e-12;
    if (!(problem.guidance.basis.col(c).cwiseAbs().maxCoeff() > kRounding * scores.col(c).cwiseAbs().maxCoeff()))
      throw Error(ErrorCode::bad_data,
                  fmt::format("score column {} is {} for all samples; it tells nothing", c + 1, scores(0, c)));
  }
  return problem;
}

Gamma round_gamma(const Problem& problem, const Embedding& embedding) {
  const Index k = embedding.U.cols(), r = problem.guidance.basis.cols();
  SymFactor factor{Matrix(problem.X.rows(), k + r), Vector(k + r)};
  factor.basis.leftCols(k) = embedding.U;
  factor.weights.head(k).setOnes();
  if (r > 0) {  // without guidance its factor has no rows either
    factor.basis.rightCols(r) = problem.guidance.basis;
    factor.weights.tail(r) = problem.guidance.weights;
  }
  if (uses_degrees(problem.normalisation)) {
    const Index scaled = problem.guidance_by_degree ? k + r : k;
    factor.basis.leftCols(scaled) = scaled_rows(embedding.degrees, factor.basis.leftCols(scaled));
  }
  return factored_gamma(std::move(factor));
}

Result solve(const Problem& problem, const Options& options, RunContext& context, const Matrix& start) {
  check(options);
  const Index q = options.dimension > 0 ? options.dimension : std::min(options.clusters, problem.X.cols());
  check_sizes(problem, options, q);
  std::map<std::string, double> seconds;
  const auto pass = backend_or_cpu(context).pair_pass(
      problem.X, factored_gamma({Matrix(problem.X.rows(), 0), Vector(0)}));  // for products with K only
  const bool dear = double(problem.X.rows()) * double(problem.X.rows()) * double(problem.X.cols()) > kDearProduct;
  EmbeddingRequest request{options.clusters, problem.normalisation, dear ? kFirstLoose : kFirstTolerance,
                           dear ? kFirstFew : kFirstProducts};
  ism::Options inner{.dimension = q,
                     .max_iterations = options.inner_iterations,
                     .solver = options.solver,
                     .curvature = Effort::never,
                     .precision = options.precision,
                     .approximate = options.approximate,
                     .certified = false};
  Index products = 0, inner_iterations = 0, jumps = 0;

  // U and F at W.
  const auto embed = [&](const Matrix& W, const Matrix& near) {
    const PhaseTimer timer(seconds, "embedding");
    const KernelMatrix K(problem.X, problem.kernel, *pass, W);
    Round round{W, spectral_embedding(K, request, near, context)};
    round.objective = round.embedding.trace() + guidance_value(problem, K, round.embedding, context);
    products += round.embedding.products;
    return round;
  };

  Round now, best;
  Matrix before;  // what the W of this round came from, by a plain round
  {
    const PhaseTimer timer(seconds, "start");
    now.W = start;
    const KernelMatrix K = start.size() > 0 ? KernelMatrix(problem.X, problem.kernel, *pass, now.W)
                                            : KernelMatrix(problem.X, problem.kernel);
    now.embedding = spectral_embedding(K, request, {}, context);
    products += now.embedding.products;
  }
  Result result;
  double measure = 1;
  request.max_products = uses_degrees(problem.normalisation) ? kRoundProductsByDegree : kRoundProducts;

  const auto step = [&](int round_number) -> StepReport {
    inner.tolerance =
        std::clamp(kInnerShare * measure, std::min(kTightest, options.inner_tolerance), options.inner_tolerance);
    request.tolerance = kInnerShare * inner.tolerance;
    ism::Result subspace;
    {
      const PhaseTimer timer(seconds, "subspace");
      RunContext nested = context.nested("ism");
      subspace = ism::solve({problem.X, round_gamma(problem, now.embedding), problem.kernel}, inner, nested, now.W);
    }
    context.poll();  // a W step that was cut short is no round
    Round next = embed(subspace.W, now.embedding.U);
    if (round_number == 1) {
      result.start_objective = subspace.start_objective;
      best = next;
    }
    const double W_moved = now.W.size() > 0 ? relative_distance(next.W, now.W) : 1;
    const double U_moved = relative_distance(next.embedding.U, now.embedding.U);
    const double residual = next.embedding.residual;
    measure = next.embedding.identity ? 0 : std::max({W_moved, U_moved, residual});  // any U is as good
    const int iterations = subspace.summary.iterations;
    inner_iterations += iterations;
    const Matrix far = options.extrapolate && measure > options.tolerance && W_moved > 0 && W_moved < kNear
                           ? extrapolated(before, now.W, next.W)
                           : Matrix();
    before = std::move(now.W);
    now = std::move(next);
    if (now.objective >= best.objective) best = now;
    const double objective = now.objective;
    if (far.cols() == now.W.cols()) {
      Round jumped = embed(far, now.embedding.U);
      before.resize(0, 0);
      if (jumped.objective >= now.objective - kFall * std::abs(now.objective)) now = std::move(jumped), ++jumps;
    }
    return {objective, measure, {W_moved, U_moved, residual, double(iterations)}};
  };
  const StopRule stop{.tolerance = options.tolerance, .max_iterations = options.max_rounds};
  result.summary = iterate(step, stop, {"W_moved", "U_moved", "U_residual", "ism_iterations"}, context);
  if (result.summary.iterations == 0) context.poll();  // nothing to keep: tell the caller

  if (result.summary.converged()) {
    // Only where the rounds have settled is W stationary for its own U and D; an earlier round with a larger F is not.
    if (uses_degrees(problem.normalisation) && best.objective - now.objective > kNoted * std::abs(now.objective))
      result.summary.notes.push_back(
          fmt::format("F fell from {:.6g} on the way to {:.6g}, where the rounds settle, as the degrees moved",
                      best.objective, now.objective));
    best = std::move(now);
  }
  try {
    request.tolerance = kFinalTolerance;
    request.max_products = kFinalProducts;
    best = embed(best.W, best.embedding.U);
  } catch (const Interrupted&) {  // the embedding of its round is good enough
  }
  result.W = best.W;
  result.embedding = std::move(best.embedding);
  result.objective = result.summary.objective = best.objective;
  result.quality = result.embedding.trace();
  result.gamma = round_gamma(problem, result.embedding);
  const ism::Problem last{problem.X, result.gamma, problem.kernel};
  const RunContext calm = context.uninterrupted();
  {
    const PhaseTimer timer(seconds, "certificate");
    try {
      result.certificate =
          ism::certify(last, result.W, result.embedding.identity ? Effort::never : options.curvature, context);
    } catch (const Interrupted& interrupted) {  // who stops the run wants it to end; `ritz check` makes up for it
      result.certificate.objective = result.objective;
      result.certificate.curvature_note = fmt::format("{} before there was a certificate", interrupted.text());
      result.certificate.eigenvalues = Vector::Zero(result.W.cols());
    }
  }
  {
    const PhaseTimer timer(seconds, "labels");
    label(result, problem, options, calm);
  }
  result.summary.seconds = seconds;
  if (options.dimension == 0)
    result.summary.used["dimension"] =
        q == options.clusters ? fmt::format("{}, as many as clusters", q) : fmt::format("{}, all columns", q);
  result.summary.used["embedding"] = result.embedding.how;
  result.summary.used["labels"] = result.labelled_by;
  result.summary.used["pairs"] = pass->route_text(q, problem.kernel);
  result.summary.used["rounds"] =
      fmt::format("{} rounds, {} ISM iterations, {} block products of the kernel matrix{}", result.summary.iterations,
                  inner_iterations, products, jumps > 0 ? fmt::format(", {} extrapolations", jumps) : "");
  result.summary.used["threads"] = std::to_string(resolved_threads(context));
  result.summary.used["backend"] = std::string(backend_or_cpu(context).name());
  return result;
}

}  // namespace ritz::clustering
