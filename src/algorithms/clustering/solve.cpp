// SPDX-License-Identifier: MIT
#include "ritz/algorithms/clustering.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "linalg/dense/dense.hpp"
#include "linalg/subspace.hpp"
#include "pairs/bandwidth.hpp"

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
// Degrees that move may lead the rounds away to where F is much lower (1.23 of 2 to 1.01, a few samples against the
// rest): by more than this part of what the embedding explains, and the best round is worth more than a settled one.
constexpr double kLost = 0.05;

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
  void keep(Archive& archive) { archive(W, embedding, objective); }
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
    const auto polynomial = polynomial_parts(term.kernel);
    return polynomial && polynomial->degree > 1;
  });
}

void check_sizes(const Problem& problem, const Options& options, Index q) {
  const Index n = problem.X.rows(), d = problem.X.cols();
  if (q > d)
    throw Error(ErrorCode::bad_option,
                fmt::format("the dimension is {}; it must lie in [1, {}] because the data has {} columns", q, d, d));
  const Index most = is_centred(problem.normalisation) ? n - 1 : n;
  if (options.clusters < 1 || options.clusters > most)
    throw Error(ErrorCode::bad_option,
                fmt::format("{} clusters are asked for; the number must lie in [1, {}] because there are {} samples",
                            options.clusters, most, n));
}

void label(Result& result, const Problem& problem, const Options& options, const RunContext& context) {
  const bool gaussian = options.label_by == LabelBy::gaussian ||
                        (options.label_by == LabelBy::automatic && has_polynomial(problem.kernel));
  const KMeansOptions means{.clusters = options.clusters, .restarts = options.kmeans_starts};
  const RowMatrix Z = problem.X.project(result.W, context);
  SpectralClusters clusters;
  if (options.label_by == LabelBy::subspace) {
    clusters = cluster_samples(Z, problem.kernel, means, context);
    result.labelled_by = "k-means of the samples in the subspace";
  } else if (gaussian) {
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

// The loop's state, and its verbs.
class Rounds {
 public:
  Rounds(const Problem& problem, const Options& options, Index q, RunContext& context)
      : problem_(problem),
        options_(options),
        context_(context),
        pass_(backend_or_cpu(context).pair_pass(
            problem.X, factored_gamma({Matrix(problem.X.rows(), 0), Vector(0)}))) {  // each round sets its own Γ
    const bool dear = double(problem.X.rows()) * double(problem.X.rows()) * double(problem.X.cols()) > kDearProduct;
    request_ = {options.clusters, problem.normalisation, dear ? kFirstLoose : kFirstTolerance,
                dear ? kFirstFew : kFirstProducts};
    take_fields(options, inner_);
    inner_.dimension = q;
    inner_.max_iterations = options.inner_iterations;
    inner_.curvature = Effort::never;
    inner_.certified = false;
  }

  // The first U, of the samples themselves or at W.
  void begin(const Matrix& W) {
    const PhaseTimer timer(seconds, "start");
    now_.W = W;
    const KernelMatrix K = W.size() > 0 && !options_.embed_samples
                               ? KernelMatrix(problem_.X, problem_.kernel, *pass_, now_.W)
                               : KernelMatrix(problem_.X, problem_.kernel);
    now_.embedding = stage(context_, "start", [&] { return spectral_embedding(K, request_, {}, context_); });
    products_ += now_.embedding.products;
    request_.max_products = uses_degrees(problem_.normalisation) ? kRoundProductsByDegree : kRoundProducts;
  }

  StepReport round(int number) {
    inner_.tolerance =
        std::clamp(kInnerShare * measure_, std::min(kTightest, options_.inner_tolerance), options_.inner_tolerance);
    request_.tolerance = kInnerShare * inner_.tolerance;
    const ism::Result subspace = turned();
    context_.agree();  // a W step that was cut short is no round
    Round next = embedded(subspace.W, now_.embedding.U);
    if (number == 1) {
      start_objective = subspace.start_objective;
      best = next;
    }
    const double W_moved = now_.W.size() > 0 ? relative_distance(next.W, now_.W) : 1;
    const double U_moved = relative_distance(next.embedding.U, now_.embedding.U);
    const double residual = next.embedding.residual;
    measure_ = next.embedding.identity ? 0 : std::max({W_moved, U_moved, residual});  // any U is as good
    const int iterations = subspace.summary.iterations;
    inner_iterations_ += iterations;
    const Matrix far = options_.extrapolate && measure_ > options_.round_tolerance && W_moved > 0 && W_moved < kNear
                           ? extrapolated(before_, now_.W, next.W)
                           : Matrix();
    before_ = std::move(now_.W);
    now_ = std::move(next);
    if (now_.objective >= best.objective) best = now_;
    const double objective = now_.objective;
    if (far.cols() == now_.W.cols()) jump(far);
    return {objective, measure_, {W_moved, U_moved, residual, double(iterations)}};
  }

  // Only where the rounds have settled is W stationary for its own U and D; an earlier round with a larger F is not,
  // and is kept, not converged, where settling would cost too much of it.
  void settle(Summary& summary) {
    if (uses_degrees(problem_.normalisation) &&
        best.objective - now_.objective > kLost * std::abs(best.embedding.trace())) {
      summary.termination = Termination::stalled;
      summary.message =
          fmt::format("the rounds settle where F is {:.4g}, below {:.4g} of an earlier round, which is kept",
                      now_.objective, best.objective);
      return;
    }
    if (uses_degrees(problem_.normalisation) && best.objective - now_.objective > kNoted * std::abs(now_.objective))
      summary.used["rounds"] =
          fmt::format("F fell from {:.6g} on the way to {:.6g}, where the rounds settle, as the degrees moved",
                      best.objective, now_.objective);
    best = std::move(now_);
  }

  // U at the best W as exactly as it can be had.
  void polish() try {
    request_.tolerance = kFinalTolerance;
    request_.max_products = kFinalProducts;
    best = embedded(best.W, best.embedding.U);
  } catch (const Interrupted&) {  // the embedding of its round is good enough
  }

  void tell(Summary& summary) const {
    const Index q = inner_.dimension;
    if (options_.dimension == 0)
      summary.used["dimension"] =
          q == options_.clusters ? fmt::format("{}, as many as clusters", q) : fmt::format("{}, all columns", q);
    summary.used["pairs"] = pass_->route_text(q, problem_.kernel);
    summary.used["rounds"] =
        fmt::format("{} rounds, {} ISM iterations, {} block products of the kernel matrix{}", summary.iterations,
                    inner_iterations_, products_, jumps_ > 0 ? fmt::format(", {} extrapolations", jumps_) : "");
    summary.used["threads"] = std::to_string(resolved_threads(context_));
    summary.used["backend"] = backend_or_cpu(context_).used();
  }

  PairPass& pass() const { return *pass_; }

  // Each round sets the pass's Γ, which takes with it what the pass has learnt.
  void keep(Archive& archive) {
    archive(best, start_objective, seconds, request_.tolerance, request_.max_products, now_, before_, measure_,
            products_, inner_iterations_, jumps_);
  }

  Round best;
  double start_objective = kUnknown;
  std::map<std::string, double> seconds;

 private:
  // The W step.
  ism::Result turned() {
    const PhaseTimer timer(seconds, "subspace");
    RunContext nested = context_.nested("ism");
    return ism::solve({problem_.X, round_gamma(problem_, now_.embedding), problem_.kernel, pass_.get()}, inner_, nested,
                      now_.W);
  }
  // U and F at W.
  Round embedded(const Matrix& W, const Matrix& near) {
    const PhaseTimer timer(seconds, "embedding");
    const KernelMatrix K(problem_.X, problem_.kernel, *pass_, W);
    Round round{W, spectral_embedding(K, request_, near, context_)};
    round.objective = round.embedding.trace() + guidance_value(problem_, K, round.embedding, context_);
    products_ += round.embedding.products;
    return round;
  }
  void jump(const Matrix& far) {
    Round jumped = embedded(far, now_.embedding.U);
    before_.resize(0, 0);
    if (jumped.objective >= now_.objective - kFall * std::abs(now_.objective)) now_ = std::move(jumped), ++jumps_;
  }

  const Problem& problem_;
  const Options& options_;
  RunContext& context_;
  std::unique_ptr<PairPass> pass_;
  EmbeddingRequest request_;
  ism::Options inner_;
  Round now_;
  Matrix before_;  // what the W of this round came from, by a plain round
  double measure_ = 1;
  Index products_ = 0, inner_iterations_ = 0, jumps_ = 0;
};

ism::Certificate certified(const ism::Problem& last, const Result& result, Effort effort, const RunContext& context) {
  try {
    return ism::certify(last, result.W, result.embedding.identity ? Effort::never : effort, context);
  } catch (const Interrupted& interrupted) {  // who stops the run wants it to end; `ritz check` makes up for it
    ism::Certificate none;
    none.objective = result.objective;
    none.curvature_note = fmt::format("{} before there was a certificate", interrupted.text());
    none.eigenvalues = Vector::Zero(result.W.cols());
    return none;
  }
}

}  // namespace

Problem unsupervised(const Samples& X, KernelSum kernel) { return {X, std::move(kernel)}; }

Problem guided(const Samples& X, KernelSum kernel, const RowMatrix& scores, double weight,
               Normalisation normalisation) {
  if (scores.rows() != X.rows() || scores.cols() < 1)
    throw Error(ErrorCode::bad_shape,
                fmt::format("the scores are {} x {}; there must be a row for each of the {} samples", scores.rows(),
                            scores.cols(), X.rows()));
  if (!(weight >= 0) || !std::isfinite(weight))
    throw Error(ErrorCode::bad_option, fmt::format("the weight of the scores is {}; it must not be negative", weight));
  Problem problem{X, std::move(kernel), normalisation};
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

void keep(Archive& archive, Result& result) {
  auto& [W, embedding, labels, model, quality, objective, start_objective, labelled_by, gamma, certificate, summary] =
      result;
  archive(W, embedding, labels, quality, objective, start_objective, labelled_by, certificate, summary);
  archive(model.Z, model.by_degree, model.coefficients, model.offset, model.centers, model.of_samples);
  archive(gamma.factor, gamma.classes, gamma.class_count);  // of all pairs
}

namespace {

// The kernel of the model is the problem's, or one of its own, which has no more than its text says.
void keep_kernel(Archive& archive, Result& result, const KernelSum& kernel) {
  std::string text = kernel_text(result.model.kernel);
  if (text == kernel_text(kernel)) text.clear();
  archive(text);
  if (archive.restores()) result.model.kernel = text.empty() ? kernel : parse_kernel(text);
}

Result solve_rounds(const Problem& problem, const Options& options, RunContext& context, const Matrix& start) {
  const Index q = options.dimension > 0 ? options.dimension : std::min(options.clusters, problem.X.cols());
  check_sizes(problem, options, q);
  Rounds rounds(problem, options, q, context);
  rounds.begin(start);
  Result result;
  const StopRule stop{.tolerance = options.round_tolerance, .max_iterations = options.max_rounds};
  result.summary = iterate([&](int number) { return rounds.round(number); }, stop,
                           {"W_moved", "U_moved", "U_residual", "ism_iterations"}, context,
                           [&](Archive& archive) { archive(rounds); });
  if (result.summary.iterations == 0) context.agree();  // nothing to keep: tell the caller
  if (result.summary.converged()) rounds.settle(result.summary);
  rounds.polish();

  result.start_objective = rounds.start_objective;
  result.W = rounds.best.W;
  result.embedding = std::move(rounds.best.embedding);
  result.objective = result.summary.objective = rounds.best.objective;
  result.quality = result.embedding.trace();
  result.gamma = round_gamma(problem, result.embedding);
  {
    const PhaseTimer timer(rounds.seconds, "certificate");
    result.certificate =
        certified({problem.X, result.gamma, problem.kernel, &rounds.pass()}, result, options.curvature, context);
  }
  {
    const PhaseTimer timer(rounds.seconds, "labels");
    label(result, problem, options, context.uninterrupted());
  }
  result.summary.seconds = std::move(rounds.seconds);
  result.summary.used["embedding"] = result.embedding.how;
  result.summary.used["labels"] = result.labelled_by;
  rounds.tell(result.summary);
  return result;
}

}  // namespace

Result solve(const Problem& problem, const Options& options, RunContext& context, const Matrix& start) {
  check(options);
  return stage(
      context, "clusters", [&] { return solve_rounds(problem, options, context, start); },
      [&](Archive& archive, Result& result) { keep_kernel(archive, result, problem.kernel); });
}

}  // namespace ritz::clustering
