// SPDX-License-Identifier: MIT
// p = 1: minimise over K ⪰ 0 with tr K <= B. The dual −B·λmax(A(α))₊ has corners, and the optimal K a low rank, so the
// primal is solved in a thin factor: K = FFᵀ, where F and one more row, which no measurement sees and which takes what
// the trace leaves, lie on a sphere of radius √B. A product with A costs O(non-zeros·columns) and no eigenvector.
//
//   f(F) = −⟨A₀, FFᵀ⟩ + w·Σψ(b − ⟨M_k, FFᵀ⟩)      ∇f = −2(A(α) − λ)F,  λ = ⟨A(α)F, F⟩/B
//
// ψ = ℓ where ℓ bends. The hinge gets its multipliers ᾱ (proximal method of multipliers):
//   ψ(r) = max over α in [0, C] of αr − (α − ᾱ)²/(2τ),   and ᾱ := that α after each minimisation.
// The α of every minimiser gives the dual value with λmax(A(α)), hence a certified gap; where λmax > λ the point is no
// optimum and the eigenvector leads on (a column of its own). docs/algorithms/kernel.md.
#include <algorithm>
#include <cmath>
#include <type_traits>

#include "algorithms/kernel_dual/solvers.hpp"
#include "linalg/dense/dense.hpp"
#include "linalg/eigen.hpp"
#include "linalg/optimise/lbfgs.hpp"
#include "ritz/base/random.hpp"

namespace ritz::kernel_dual {

namespace {

constexpr double kSameEigenvalue = 1e-9;  // relative: multiplicity of the largest
constexpr double kNothing = 1e-12;        // eigenvalues of K below this part of B
constexpr double kIdle = 1e-6;            // … and those that its factor can do without
constexpr Index kFirstColumns = 6;
constexpr int kInner = 300;             // evaluations of one minimisation
constexpr double kGradientShare = 0.1;  // a minimisation ends when its gradient can explain no more of the gap
constexpr double kGrowth = 3;           // of τ from one minimisation to the next
constexpr double kEscape = 0.02;        // of √B: how far a new column starts out

class OnSphere {
 public:
  OnSphere(const Problem& problem, Dual& dual, const RunContext& context)
      : problem_(problem), dual_(dual), context_(context) {}

  struct Point {
    RowMatrix F;   // n × r
    Vector spare;  // the row behind it
    Vector residual, alpha;
    double value = 0, largest = 0;  // f, and λ
    Vector gradient;                // on the sphere, of F's rows and the spare one
  };
  // Multipliers ᾱ and τ; without them (hinges excepted) ψ = ℓ.
  Vector centre;
  double reach = 1;  // τ

  Point at(const Vector& x, Index r) const {
    const Index n = problem_.base.size();
    const double scale = std::sqrt(problem_.capacity.value) / x.norm();
    Point point;
    point.F = scale * Eigen::Map<const RowMatrix>(x.data(), n, r);
    point.spare = scale * x.tail(r);
    const Vector measured =
        problem_.measurements.measure(problem_.measurements.slot_values(point.F, context_), context_);
    point.residual = problem_.targets - measured;
    const double losses = rounded(point.residual, point.alpha);
    dual_.set_matrix(point.alpha, context_);
    RowMatrix image;
    dual_.matrix().apply_rows(point.F, image, context_);
    const double inner = image.cwiseProduct(point.F).sum();
    point.value = -inner + problem_.weight * (point.alpha.dot(measured) + losses);
    point.largest = inner / problem_.capacity.value;
    point.gradient.resize(x.size());
    Eigen::Map<RowMatrix>(point.gradient.data(), n, r) = 2 * (point.largest * point.F - image);
    point.gradient.tail(r) = 2 * point.largest * point.spare;
    return point;
  }
  double primal(const Point& point) const {  // with the loss itself
    double sum = 0;
    std::visit(
        [&](const auto& each) {
          for (const double r : point.residual) sum += each.value(r);
        },
        problem_.loss);
    const double base =
        point.largest * problem_.capacity.value - problem_.weight * point.alpha.dot(problem_.targets - point.residual);
    return -base + problem_.weight * sum;
  }
  double dual_value(const Vector& alpha, double largest) const {
    return std::visit(
        [&](const auto& each) {
          double sum = 0;
          for (Index k = 0; k < alpha.size(); ++k) sum += alpha(k) * problem_.targets(k) - each.conjugate(alpha(k));
          return problem_.weight * sum - problem_.capacity.value * std::max(0.0, largest);
        },
        problem_.loss);
  }

 private:
  // Σψ and its slopes α.
  double rounded(const Vector& residual, Vector& alpha) const {
    alpha.resize(residual.size());
    return std::visit(
        [&](const auto& each) {
          double sum = 0;
          for (Index k = 0; k < residual.size(); ++k) {
            if constexpr (std::is_same_v<std::decay_t<decltype(each)>, Hinge>) {
              alpha(k) = std::clamp(centre(k) + reach * residual(k), 0.0, each.penalty);
              const double away = alpha(k) - centre(k);
              sum += alpha(k) * residual(k) - away * away / (2 * reach);
            } else {
              alpha(k) = each.slope(residual(k));
              sum += each.value(residual(k));
            }
          }
          return sum;
        },
        problem_.loss);
  }

  const Problem& problem_;
  Dual& dual_;
  const RunContext& context_;
};

Vector flat(const RowMatrix& F, const Vector& spare) {
  Vector x(F.size() + spare.size());
  x.head(F.size()) = Eigen::Map<const Vector>(F.data(), F.size());
  x.tail(spare.size()) = spare;
  return x;
}

// F turned so that its columns are orthogonal, the least first, without those that K does not need but one. The spare
// row turns with it.
void trim(RowMatrix& F, Vector& spare, double budget) {
  const auto [values, V] = symmetric_eigen(F.transpose() * F + spare * spare.transpose());
  const Index idle = (values.array() <= kIdle * budget).count();
  const Matrix turn = V.leftCols(F.cols() - std::max<Index>(0, idle - 1)).rowwise().reverse();
  F = (F * turn).eval();
  spare = (turn.transpose() * spare).eval();
}

// A first column for one more direction: the idle one, or a new one where there is none.
void lead_on(RowMatrix& F, Vector& spare, const Vector& direction, double budget) {
  const double first = F.col(0).squaredNorm() + spare(0) * spare(0);
  if (first > kIdle * budget) {
    RowMatrix wider(F.rows(), F.cols() + 1);
    wider.col(0).setZero();
    wider.rightCols(F.cols()) = F;
    Vector longer = Vector::Zero(spare.size() + 1);
    longer.tail(spare.size()) = spare;
    F.swap(wider);
    spare.swap(longer);
  }
  F.col(0) += kEscape * std::sqrt(budget) * direction;
}

class TraceSearch {
 public:
  TraceSearch(const Problem& problem, const Options& options, const RunContext& context)
      : problem_(problem),
        options_(options),
        context_(context),
        budget_(problem.capacity.value),
        linear_(std::holds_alternative<LinearLoss>(problem.loss)),
        dual_(problem, context),
        sphere_(problem, dual_, context),
        columns_(std::min(problem.base.size() + 1, kFirstColumns)) {
    const Index n = problem.base.size(), m = problem.targets.size();
    const double penalty = std::visit([](const auto& each) { return each.penalty; }, problem.loss);
    const double target = m > 0 ? problem.targets.cwiseAbs().mean() : 1.0;
    sphere_.centre = Vector::Constant(m, 0.5 * penalty);
    sphere_.reach = penalty / std::max(target, 1e-300);
    x_ = Rng(context.seed, "kernel_dual_trace").normal_matrix((n + 1) * columns_, 1).col(0);
    result_.primal = std::numeric_limits<double>::infinity();
    result_.dual = -result_.primal;
    result_.kernel = {Matrix(n, 0), Vector(0)};
  }

  StepReport step(int iteration) {
    if (iteration == 1)
      try_zero();
    else
      try_factor();
    StepReport report;
    report.objective = result_.primal;
    report.measure = size() > 0 ? std::max(0.0, gap()) / size() : 0.0;
    report.extra = {double(evaluations_), double(result_.kernel.weights.size())};
    return report;
  }

  void keep(Archive& archive) {
    archive(dual_, sphere_.centre, sphere_.reach, eigen_, columns_, x_, result_, largest_of_best_, evaluations_);
  }

  Result finished(Summary summary) {
    require_any(std::isfinite(result_.dual), summary);
    result_.summary = std::move(summary);
    dual_.set_matrix(result_.best.alpha, context_.uninterrupted());
    result_.matrix = dual_.matrix();
    result_.eigenvalues = Vector::Constant(result_.kernel.weights.size(), largest_of_best_);
    result_.gap = gap();
    result_.relative_gap = result_.summary.measure;
    result_.best.dual = result_.dual;
    result_.best.primal = result_.primal;
    result_.evaluations = std::max(1, evaluations_);
    result_.best.spectrum.count = result_.kernel.weights.size();
    result_.from = result_.best;
    result_.summary.used["solver"] = linear_ ? "closed form" : "factor on a sphere";
    return std::move(result_);
  }

 private:
  double gap() const { return result_.primal - result_.dual; }
  double size() const { return std::max(std::abs(result_.primal), std::abs(result_.dual)); }

  EigenPairs top(const Selection& pick) {
    EigenRequest request;
    request.pick = pick;
    request.tolerance = std::min(1e-10, 1e-3 * options_.tolerance);
    return require_complete(eigen_(dual_.matrix(), request, context_), "the largest eigenvalue of A");
  }
  void bound(const Vector& alpha, const EigenPairs& pairs) {
    const double largest = pairs.values(0) + pairs.residual, value = sphere_.dual_value(alpha, largest);
    if (value <= result_.dual) return;
    result_.dual = value;
    result_.best.alpha = alpha;
    largest_of_best_ = largest;
  }

  // K = 0 and its α: the optimum where nothing is worth a trace.
  void try_zero() {
    const Index m = problem_.targets.size();
    Vector alpha(m);
    double losses = 0;
    std::visit(
        [&](const auto& each) {
          for (Index k = 0; k < m; ++k) {
            alpha(k) = each.slope(problem_.targets(k));
            losses += each.value(problem_.targets(k));
          }
        },
        problem_.loss);
    dual_.set_matrix(alpha, context_);
    const EigenPairs pairs =
        top(linear_ ? Selection(LeadingCluster{kSameEigenvalue, problem_.base.size()}) : Selection(Count{1}));
    result_.primal = problem_.weight * losses;
    bound(alpha, pairs);
    if (!linear_ || pairs.values(0) <= 0) return;
    // The leading eigenspace, evenly: K = B/m·Σvvᵀ, and the gap is closed.
    result_.kernel = {pairs.vectors, Vector::Constant(pairs.values.size(), budget_ / double(pairs.values.size()))};
    result_.primal -= budget_ * pairs.values.mean();
  }

  void try_factor() {
    const bool settled = minimise();
    OnSphere::Point point = sphere_.at(x_, columns_);
    const double primal = sphere_.primal(point);
    if (primal < result_.primal) {
      result_.primal = primal;
      result_.kernel = factor_of_product(point.F, kNothing * budget_);
    }
    dual_.set_matrix(point.alpha, context_);
    const EigenPairs pairs = top(Count{1});
    bound(point.alpha, pairs);
    const double missed = budget_ * (std::max(0.0, pairs.values(0)) - point.largest);
    trim(point.F, point.spare, budget_);
    if (settled && missed > 0.5 * gap()) lead_on(point.F, point.spare, pairs.vectors.col(0), budget_);
    columns_ = point.F.cols();
    x_ = flat(point.F, point.spare);
    if (std::holds_alternative<Hinge>(problem_.loss)) {
      sphere_.centre = point.alpha;
      sphere_.reach *= settled ? kGrowth : 1 / kGrowth;
    }
  }

  // From x, which it moves; whether the gradient got small enough.
  bool minimise() {
    const double enough = kGradientShare * std::max(gap(), 0.1 * options_.tolerance * size()) / std::sqrt(budget_);
    const auto evaluate = [&](const Vector& trial) {
      context_.agree();
      ++evaluations_;
      OnSphere::Point point = sphere_.at(trial, columns_);
      return Lbfgs::Point{trial, point.gradient * (std::sqrt(budget_) / trial.norm()), point.value};
    };
    Lbfgs search(evaluate(x_));
    const int last = evaluations_ + kInner;
    const auto settled = [&] {
      return search.now().gradient.norm() * search.now().x.norm() <= enough * std::sqrt(budget_);
    };
    while (!settled() && evaluations_ < last && search.step(evaluate)) continue;
    x_ = search.now().x;
    return settled();
  }

  const Problem& problem_;
  const Options& options_;
  const RunContext& context_;
  const double budget_;
  const bool linear_;
  Dual dual_;
  OnSphere sphere_;
  EigenSolver eigen_;
  Index columns_;
  Vector x_;  // F row by row, and the spare row
  Result result_;
  double largest_of_best_ = 0;
  int evaluations_ = 0;
};

}  // namespace

Result solve_trace(const Problem& problem, const Options& options, RunContext& context) {
  TraceSearch search(problem, options, context);
  const StopRule stop{.tolerance = options.tolerance, .max_iterations = options.max_iterations};
  return search.finished(iterate([&](int iteration) { return search.step(iteration); }, stop,
                                 {"evaluations", "positive"}, context, [&](Archive& archive) { archive(search); }));
}

}  // namespace ritz::kernel_dual
