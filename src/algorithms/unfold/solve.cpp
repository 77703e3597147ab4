// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "algorithms/unfold/parts.hpp"
#include "base/part_of_time.hpp"
#include "linalg/dense/dense.hpp"
#include "linalg/eigen.hpp"
#include "linalg/subspace.hpp"
#include "oracles/csdp/kernel_program.hpp"
#include "ritz/base/error.hpp"

namespace ritz::unfold {

namespace {

constexpr double kStretch = 0.01;             // share of a squared distance that the automatic penalty lets go
constexpr double kDualTolerance = 1e-6;       // with a capacity
constexpr double kFreeTolerance = 1e-2;       // without
constexpr double kColourTolerance = 1e-3;     // … coloured: labels leave few directions, and it costs little
constexpr double kStructureTolerance = 1e-3;  // spe
constexpr double kSettled = 1e-3;             // movement of mve's leading subspace, or of its objective (relative)
constexpr double kFinal = 1e-11, kOnTheWay = 1e-4;  // progress of a fit over ten steps below which it ends
constexpr double kEnough = 0.05;                    // … of mve, on the way: of the fit's whole progress
constexpr Index kPathColumns = 5;                   // dimensions that paths along the graph are laid out in
constexpr double kRounding = 1e-9;
constexpr Index kWidestFirst = 1000;              // samples up to which a bounded mve begins with mvu: nearly all of
                                                  // its eigenvalues are positive, which costs n³ a step
constexpr Index kFreeUpTo = 5000, kSmooth = 100;  // samples beyond which this many smooth vectors come first
constexpr Index kColumns = 12;                    // of the factor, at first
constexpr Index kShown = 10;                      // eigenvalues of K that are reported, at least

bool free_of_capacity(const Options& options) { return options.ridge == 0 && options.budget == 0; }

Matrix leading_directions(const RowMatrix& X, Index dim) {
  Matrix centred = X;
  centred.rowwise() -= centred.colwise().mean().eval();
  const Matrix V = symmetric_eigen(centred.transpose() * centred).vectors;
  return orthonormalise(centred * V.leftCols(std::min(dim, centred.cols()))).basis;
}

SparseSum first_base(const Problem& problem, const Options& options) {
  const Index n = problem.graph.vertices;
  if (options.method == Method::cmvu) return colour_base(problem.labels);
  if (options.method == Method::mve) return volume_base(n, leading_directions(problem.start, options.dim));
  return variance_base(n);
}

// At the optimum Σα·D = −⟨A₀, K⟩ and α = C·(D − ⟨T, K⟩): the mean of the relative stretch, weighted by D², is
// ⟨A₀, K⟩/(C·ΣD²). ⟨A₀, K⟩ is overrated, as distances along the graph overrate those of any embedding, so that the
// stretch is at most the one asked for, about.
double automatic_penalty(const Problem& problem, const Options& options, const SparseSum& base,
                         const RunContext& context) {
  const RowMatrix Z = geodesic_embedding(problem.graph, problem.squared, kPathColumns, context);
  double pull = Z.squaredNorm();  // mve draws what it keeps as mvu does
  if (options.method == Method::cmvu) pull = (base.factor.basis.transpose() * Z).squaredNorm() + kRounding * pull;
  return pull / (kStretch * problem.squared.squaredNorm());
}

void require_smooth(const Problem& problem, const Options& options) {
  if (options.solver == Solver::csdp)
    throw Error(ErrorCode::bad_option, "unfold.smooth is not for solver csdp: give as many vectors as samples");
  const Index n = problem.graph.vertices, vectors = asked_smooth(options, n);
  if (options.dim > vectors)
    throw Error(ErrorCode::bad_option,
                fmt::format("unfold.dim is {}, but the embedding is bound to {} smooth vectors: raise unfold.smooth",
                            options.dim, vectors));
  if (const Index parts = connected_components(problem.graph).count; parts > 1)
    throw Error(ErrorCode::bad_data,
                fmt::format("the graph has {} parts that no edge joins: its smoothest vectors only tell them apart; "
                            "give unfold.connect, or unfold.smooth as many as samples",
                            parts));
}

// Of neighbours: the solver multiplies four distances.
constexpr double kFarthest = 1e50;

void require_sense(const Problem& problem, const Options& options) {
  check(options);
  const Index n = problem.graph.vertices;
  if (n < 2) throw Error(ErrorCode::bad_data, fmt::format("an embedding needs at least two samples; there are {}", n));
  if (options.dim >= n)
    throw Error(ErrorCode::bad_option,
                fmt::format("unfold.dim is {}; it must be below the number of samples, {}", options.dim, n));
  if (problem.graph.edges.empty()) throw Error(ErrorCode::bad_data, "the graph has no edge");
  if (options.ridge > 0 && options.budget > 0)
    throw Error(ErrorCode::bad_option,
                "unfold.ridge and unfold.budget are two forms of the same limit; give one of them");
  if (options.smooth > 0 && options.method == Method::spe)
    throw Error(ErrorCode::bad_option, "unfold.smooth is for the methods that keep distances, not for spe");
  if (asked_smooth(options, n) > 0) require_smooth(problem, options);
  if (options.method == Method::spe) return;
  if (problem.squared.size() != Index(problem.graph.edges.size()))
    throw Error(ErrorCode::bad_shape,
                fmt::format("{} distances for {} edges", problem.squared.size(), problem.graph.edges.size()));
  if (!(problem.squared.maxCoeff() > 0))
    throw Error(ErrorCode::bad_data, "all neighbours lie on the same spot: there is nothing to unfold");
  if (const double largest = std::sqrt(problem.squared.maxCoeff()); !(largest >= 1 / kFarthest && largest <= kFarthest))
    throw Error(ErrorCode::bad_data,
                fmt::format("neighbours lie as far as {:.3g} from each other, where products of squared distances are "
                            "no numbers any more: scale the data (unfold.scale)",
                            largest));
  if (options.method == Method::cmvu && Index(problem.labels.size()) != n)
    throw Error(ErrorCode::bad_option, "method cmvu needs labels");
  if (free_of_capacity(options)) {
    const Components parts = connected_components(problem.graph);
    if (parts.count > 1)
      throw Error(
          ErrorCode::bad_data,
          fmt::format("the graph has {} parts that no edge joins, which would be pushed apart without end: raise "
                      "unfold.neighbours, give unfold.connect, or bound the kernel by unfold.ridge or unfold.budget",
                      parts.count));
  }
}

kernel_dual::Options fit_options(const Options& options, double settled = kFinal) {
  kernel_dual::Options how;
  how.solver = options.solver;
  how.tolerance = resolved_tolerance(options);
  how.max_iterations = options.max_iterations;
  how.settled = settled;
  if (settled > kFinal && options.method == Method::mve) how.enough = kEnough;
  how.columns = std::max<Index>(kColumns, options.dim + 5);
  return how;
}

void take_fit(Result& result, const kernel_dual::Result& fit, const Problem& problem) {
  result.objective = fit.primal;
  result.dual = fit.dual;
  result.gap = fit.gap;
  result.relative_gap = fit.relative_gap;
  result.alpha = fit.best.alpha;
  result.kernel_alpha = fit.from.alpha;
  result.measured = fit.from.measured;
  result.evaluations += fit.evaluations;
  result.constraints = problem.squared.size();
  Vector wanted = problem.squared;
  const double floor = 1e-12 * wanted.maxCoeff();  // duplicate points
  result.stretch = ((fit.from.measured - wanted).array().abs() / wanted.array().max(floor)).mean();
}

// K does not know where the origin is (1 is in the kernel of A), so the start is centred.
kernel_dual::Result fit_once(const kernel_dual::Problem& dual, const Options& options, RunContext& context,
                             RowMatrix start, const std::optional<Vector>& alpha, double settled = kFinal) {
  start.rowwise() -= start.colwise().mean().eval();
  if (options.solver == Solver::csdp) return solve_by_csdp(dual, SdpOptions{}.tolerance, context);
  if (dual.capacity.form == kernel_dual::Capacity::Form::none)
    return kernel_dual::solve_factored(dual, fit_options(options, settled), context, start);
  return kernel_dual::solve(dual, fit_options(options), context, alpha);
}

// The widest smooth kernel, a problem of few unknowns, as the start of the whole one. A graph too dense for a Cholesky
// factor leaves the problem within the smooth vectors. Half of the time that is left is for this.
RowMatrix smooth_start(const Problem& problem, const Options& options, kernel_dual::Problem& dual,
                       const RunContext& whole) {
  RunContext context = part_of_time(whole, 2);
  SmoothVectors smooth = smoothest_vectors(problem.graph, std::max(kSmooth, 2 * options.dim), context);
  kernel_dual::Problem first = dual;
  first.within = smooth.vectors;
  if (options.method == Method::mve) first.base = variance_base(problem.graph.vertices);
  RunContext inner = context.nested("smooth");
  const kernel_dual::Result fit = fit_once(first, options, inner, problem.start, {}, kOnTheWay);
  if (!smooth.factored) dual.within = std::move(smooth.vectors);
  if (options.method == Method::mve)
    dual.base =
        volume_base(problem.graph.vertices, fit.kernel.basis.leftCols(std::min(options.dim, fit.kernel.basis.cols())));
  return fit.kernel.root();
}

}  // namespace

double resolved_tolerance(const Options& options) {
  if (options.tolerance > 0) return options.tolerance;
  if (options.method == Method::spe) return kStructureTolerance;
  if (free_of_capacity(options)) return options.method == Method::cmvu ? kColourTolerance : kFreeTolerance;
  return options.method == Method::mve ? kSettled : kDualTolerance;  // as exact as its outer loop
}

Index asked_smooth(const Options& options, Index samples) { return options.smooth < samples - 1 ? options.smooth : 0; }

bool begins_smoothly(const Options& options, Index samples) {
  return samples > kFreeUpTo && options.smooth == 0 && free_of_capacity(options) && options.method != Method::spe &&
         options.solver != Solver::csdp;
}

kernel_dual::Problem dual_problem(const Problem& problem, const Options& options, RunContext& context) {
  require_sense(problem, options);
  const Index n = problem.graph.vertices, m = Index(problem.graph.edges.size());
  std::vector<SignedPair> pairs;
  pairs.reserve(problem.graph.edges.size());
  for (const Edge& edge : problem.graph.edges) pairs.push_back({edge.i, edge.j, 1.0});
  kernel_dual::Problem dual;
  dual.base = first_base(problem, options);
  dual.measurements = pair_distances(n, pairs);
  dual.targets = problem.squared;
  double penalty = options.penalty;
  if (free_of_capacity(options)) {
    dual.capacity.form = kernel_dual::Capacity::Form::none;
    dual.repair = Vector::Constant(m, -1.0);
    if (penalty == 0) penalty = automatic_penalty(problem, options, dual.base, context);
  } else if (options.budget > 0) {
    dual.capacity = {kernel_dual::Capacity::Form::budget, options.budget, 2};
  } else {
    dual.capacity = {kernel_dual::Capacity::Form::ridge, options.ridge, 2};
  }
  dual.loss = SquareLoss{penalty > 0 ? penalty : 1.0};
  if (const Index vectors = asked_smooth(options, n); vectors > 0)
    dual.within = smoothest_vectors(problem.graph, vectors, context).vectors;
  return dual;
}

void take_kernel(Result& result, const kernel_dual::Result& fit, const Options& options, const RunContext& context) {
  const Index n = fit.matrix.size() > 0 ? fit.matrix.size() : fit.kernel.basis.rows();
  // Without a capacity K is thin, and kept whole: the certificate is that of all its columns.
  const bool thin = options.method != Method::spe && free_of_capacity(options) && options.solver != Solver::csdp;
  const Index wanted = thin ? fit.kernel.weights.size() : std::min(n, std::max(options.dim, kShown));
  if (fit.from.spectrum.side == Side::positive) {
    const Index known = std::min(wanted, fit.kernel.weights.size());
    result.spectrum = fit.kernel.weights.head(known);
    result.vectors = fit.kernel.basis.leftCols(known);
    result.trace = fit.kernel.weights.sum();
  } else {  // K = c·A₊: its leading vectors are A's
    EigenRequest request;
    request.pick = Count{wanted};
    request.tolerance = 1e-8;
    const EigenPairs top =
        require_complete(EigenSolver()(fit.matrix, request, context), "the embedding's eigenvectors");
    result.spectrum = fit.from.scale * top.values.cwiseMax(0.0);
    result.vectors = top.vectors;
    const SpectrumSide& negative = fit.from.spectrum;
    result.trace = fit.from.scale * (fit.matrix.trace() + negative.values.head(negative.count).sum());
  }
  fix_signs(result.vectors);
  const Index d = std::min(options.dim, result.spectrum.size());
  result.embedding = RowMatrix::Zero(n, options.dim);
  result.embedding.leftCols(d) = SymFactor{result.vectors.leftCols(d), result.spectrum.head(d)}.root();
  result.held = result.trace > 0 ? result.spectrum.head(d).sum() / result.trace : 0.0;
}

void require_embedding(const Result& result) {
  if (result.rounds > 0) return;
  throw_if_interrupted(result.summary.termination);
  throw Interrupted{Interrupted::Why::cancelled};  // by the observer, before there was anything
}

void keep(Archive& archive, Result& result) {
  auto& [embedding, spectrum, vectors, trace, held, objective, dual, gap, relative_gap, penalty, stretch, slack,
         constraints, alpha, kernel_alpha, measured, drawn_to, smooth, triples, evaluations, rounds, summary] = result;
  archive(embedding, spectrum, vectors, trace, held, objective, dual, gap, relative_gap, penalty, stretch, slack,
          constraints, alpha, kernel_alpha, measured, drawn_to, smooth, triples, evaluations, rounds, summary);
}

namespace {

bool cut_short(const kernel_dual::Result& fit) {
  return fit.summary.termination == Termination::interrupted || fit.summary.termination == Termination::time_limit;
}

// MVE: each fit draws K to the leading subspace of the one before.
void solve_by_rounds(const Problem& problem, const Options& options, kernel_dual::Problem dual, RowMatrix start,
                     Result& result, RunContext& context) {
  Matrix leading = dual.base.factor.basis;
  std::optional<Vector> alpha;
  kernel_dual::Result fit;
  const bool bounded = dual.capacity.form != kernel_dual::Capacity::Form::none;
  if (bounded && problem.graph.vertices <= kWidestFirst) {
    // A budget bends the principal plane out of shape: the first directions are those of the widest kernel under it.
    kernel_dual::Problem widest = dual;
    widest.base = variance_base(problem.graph.vertices);
    fit = fit_once(widest, options, context, start, {});
    Result wide;
    take_kernel(wide, fit, options, context.uninterrupted());
    result.evaluations = fit.evaluations;
    leading = wide.vectors.leftCols(std::min(options.dim, wide.spectrum.size()));
    dual.base = volume_base(problem.graph.vertices, leading);
    if (options.solver != Solver::csdp) alpha = fit.best.alpha;
  }
  bool last = false;
  double before = kUnknown;
  const auto step = [&](int round) {
    RunContext inner = context.nested("fit");
    fit = fit_once(dual, options, inner, start, alpha, last ? kFinal : kOnTheWay);
    // A fit that was cut short counts where it is better than the one before, and as long as it is the only one.
    if (round == 1 || !cut_short(fit) || fit.primal < result.objective) {
      take_fit(result, fit, problem);
      take_kernel(result, fit, options, context.uninterrupted());
      result.drawn_to = leading;
      result.rounds = round;
    }
    if (round > 1) throw_if_interrupted(fit.summary.termination);
    const Index d = std::min(options.dim, result.spectrum.size());
    const Matrix next = result.vectors.leftCols(d);
    const double gained = std::abs(fit.primal - before) / std::max(std::abs(fit.primal), 1e-300);
    before = fit.primal;
    const double turned = next.cols() == leading.cols() ? projector_distance(leading, next) : 1.0;
    const double moved = std::isnan(gained) ? turned : std::min(turned, gained);
    leading = next;
    dual.base = volume_base(problem.graph.vertices, leading);
    alpha = fit.best.alpha;
    start = fit.kernel.basis.cols() > 0 ? RowMatrix(fit.kernel.root()) : result.embedding;
    // A fit on the way need not be finished; the one that counts begins where the subspace has settled.
    const bool again = !bounded && options.solver != Solver::csdp && !last && moved <= kSettled;
    last = last || again;
    StepReport report;
    report.objective = fit.primal;
    report.measure = again ? 2 * kSettled : moved;
    report.extra = {fit.relative_gap, result.held};
    // Settled is not enough: the certificate has to hold, too.
    if (report.measure <= kSettled && !fit.summary.converged()) {
      report.measure = 2 * kSettled;
      report.stalled = true;
      report.note = "the subspace has settled, but of the last fit " + fit.summary.message;
    }
    return report;
  };
  StopRule stop;
  stop.tolerance = kSettled;
  stop.max_iterations = options.rounds;
  result.summary = iterate(step, stop, {"relative_gap", "held"}, context, [&](Archive& archive) {
    archive(result, fit, leading, alpha, start, dual.base, last, before);
  });
  require_embedding(result);
  result.summary.objective = result.objective;
  result.summary.used["solver"] = fit.summary.used["solver"];
}

}  // namespace

Result solve(const Problem& problem, const Options& options, RunContext& context) {
  if (options.method == Method::spe) {
    require_sense(problem, options);
    return solve_structure(problem, options, context);
  }
  kernel_dual::Problem dual = dual_problem(problem, options, context);
  RowMatrix start = problem.start;
  if (begins_smoothly(options, problem.graph.vertices)) try {
      start = smooth_start(problem, options, dual, context);
    } catch (const Interrupted&) {  // the samples are a start, too
    }
  Result result;
  result.penalty = std::get<SquareLoss>(dual.loss).penalty;
  result.smooth = dual.within;
  if (options.method == Method::mve) {
    solve_by_rounds(problem, options, std::move(dual), std::move(start), result, context);
    return result;
  }
  const kernel_dual::Result fit = fit_once(dual, options, context, start, {});
  result.summary = fit.summary;
  take_fit(result, fit, problem);
  take_kernel(result, fit, options, context.uninterrupted());
  result.rounds = 1;
  return result;
}

}  // namespace ritz::unfold
