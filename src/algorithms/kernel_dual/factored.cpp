// SPDX-License-Identifier: MIT
// Without a capacity the kernel is found as K = FFᵀ: F is thin (n × r), and the primal is a smooth function of it whose
// gradient costs O((m + n)·r). Its stationary points of rank below r are global optima; whether this one is, the dual
// says: α = ℓ′(residual) is dual feasible once A(α) ⪯ 0, and a little of the `repair` stress makes it so.
//
//   f(F) = −⟨A₀, FFᵀ⟩ + w·Σℓ(b − ⟨M_k, FFᵀ⟩)      ∇f = −2·A(α)·F
//
// L-BFGS, with the Laplacian P of the repair as its first guess of the curvature: in strong columns this is that of
// the springs, in weak ones that of the stress, and both are Laplacians of the graph. Where that has not come to an end
// after some hundred steps, long soft directions are left, and Newton steps within a trust region go on. What makes the
// certificate is the least t with A(α) ⪯ t·P (stiffness.hpp): α + t·repair is feasible.
//
// Within a basis W (Problem::within) F = WX, and X takes the place of F, WᵀAW that of A: what is certified is then the
// optimum among kernels WQWᵀ.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "algorithms/kernel_dual/solvers.hpp"
#include "algorithms/kernel_dual/stiffness.hpp"
#include "linalg/dense/dense.hpp"
#include "linalg/optimise/lbfgs.hpp"
#include "linalg/optimise/trust_region.hpp"
#include "linalg/tall_products.hpp"
#include "ritz/base/random.hpp"

namespace ritz::kernel_dual {

namespace {

constexpr int kFactoredMemory = 10;    // steps that L-BFGS remembers
constexpr int kFirstLook = 40;         // steps before the dual is looked at, and between two looks at least
constexpr int kLooksPart = 6;          // … later this part of the steps made so far
constexpr int kNewtonAfter = 300;      // steps of L-BFGS
constexpr int kNewtonLook = 2;         // Newton steps between two looks
constexpr int kNewtonProducts = 200;   // of a Newton step
constexpr double kAccuracy = 0.05;     // of a Newton step's equations
constexpr double kSmoothNoise = 1e-3;  // of the radius: length of the new columns
constexpr double kFirstRadius = 0.1;   // of the factor, in the norm of P
constexpr double kExcessShare = 0.05;  // of the gap: what the excess may be too large by
constexpr double kCertainShare = 0.01, kLeastStep = 1e-10;  // of the tolerance: the step to certainty; and of |f|
constexpr Index kSoonCertain = 1500;                        // samples up to which certainty takes less than a second
constexpr double kLoosely = 1e-6;       // who is content with less progress than this wants no certificate
constexpr double kRoundedStep = 1e-15;  // of the value: a step that promises less
constexpr double kRounding = 1e-12;     // of the trace: eigenvalues of K that are rounding
constexpr double kNewColumns = 1e-3;    // size of columns that the start does not have, in that of the start
constexpr Index kMostColumns = 64;      // of F
// A penalty this many times the one that lets go of whole distances is begun with; the asked one is reached tenfold by
// tenfold, since under a stiff one the way from the start is long and bent.
constexpr double kEasy = 1e3, kHarder = 10;
constexpr int kEasySteps = 40;  // with an easier penalty

double inner(const RowMatrix& A, const RowMatrix& B) { return A.cwiseProduct(B).sum(); }

// f and its gradient, with a penalty that may be eased.
class Factored {
 public:
  Factored(const Problem& problem, Dual& dual, const RunContext& context)
      : problem_(problem), dual_(dual), context_(context), loss_(problem.loss) {}

  struct Point {
    RowMatrix X, gradient;  // F, or its coordinates within W
    Vector residual, alpha;
    double value = 0;
    void keep(Archive& archive) { archive(X, gradient, residual, alpha, value); }
  };
  RowMatrix factor(const RowMatrix& X, const RunContext& context) const {
    return problem_.within.cols() > 0 ? tall_product(problem_.within, Matrix(X), context) : X;
  }
  RowMatrix coordinates(const RowMatrix& F, const RunContext& context) const {
    return problem_.within.cols() > 0 ? RowMatrix(tall_transposed_product(problem_.within, F, context)) : F;
  }
  Point at(RowMatrix X) const { return at(std::move(X), context_); }
  Point at(RowMatrix X, const RunContext& context) const {
    Point point;
    const RowMatrix F = factor(X, context);
    const Measurements& measurements = problem_.measurements;
    point.residual = problem_.targets - measurements.measure(measurements.slot_values(F, context), context);
    point.alpha.resize(point.residual.size());
    double sum = 0;
    std::visit(
        [&](const auto& each) {
          for (Index k = 0; k < point.alpha.size(); ++k) {
            sum += each.value(point.residual(k));
            point.alpha(k) = each.slope(point.residual(k));
          }
        },
        loss_);
    RowMatrix image;
    problem_.base.apply_rows(F, image, context);
    point.value = -inner(image, F) + problem_.weight * sum;
    RowMatrix forces;
    multiply_rows(dual_.slot_matrix(problem_.weight * point.alpha, context), F, forces, context);
    point.gradient = coordinates(-2 * (image + forces), context);
    point.X = std::move(X);
    return point;
  }
  // Of the value, along V, at a point whose A(α) has the sparse part `forces`: −2·(A(α)·V + Σw·dα·M·F).
  RowMatrix curvature(const Point& at, const SparseRows& forces, const RowMatrix& X) const {
    const RowMatrix F = factor(at.X, context_), V = factor(X, context_);
    const Measurements& measurements = problem_.measurements;
    // ⟨M, FVᵀ + VFᵀ⟩ by the two squares of F ± s·V, which are of one size.
    const double s = F.norm() / std::max(V.norm(), 1e-300);
    const Vector slots =
        (measurements.slot_values(F + s * V, context_) - measurements.slot_values(F - s * V, context_)) / (2 * s);
    Vector change = measurements.measure(slots, context_);
    std::visit(
        [&](const auto& each) {
          for (Index k = 0; k < change.size(); ++k) change(k) *= -each.curvature(at.residual(k));
        },
        loss_);
    RowMatrix image, pushed, turned;
    problem_.base.apply_rows(V, image, context_);
    multiply_rows(forces, V, pushed, context_);
    multiply_rows(dual_.slot_matrix(problem_.weight * change, context_), F, turned, context_);
    return coordinates(-2 * (image + pushed + turned), context_);
  }
  SparseRows forces(const Point& at) const { return dual_.slot_matrix(problem_.weight * at.alpha, context_); }
  // −⟨A₀, FFᵀ⟩ + wC/2·Σ(b − s·D)² is least at s = (⟨A₀, FFᵀ⟩/(wC) + ΣbD)/ΣD².
  double best_scale(const RowMatrix& F) const {
    const RunContext calm = context_.uninterrupted();
    RowMatrix image;
    problem_.base.apply_rows(F, image, calm);
    const Vector D = problem_.measurements.measure(problem_.measurements.slot_values(F, calm), calm);
    const double pull = inner(image, F) / (problem_.weight * bend());
    return std::max(1e-3, (pull + D.dot(problem_.targets)) / std::max(D.squaredNorm(), 1e-300));
  }
  // The penalty at which α of the order ‖A₀‖·tr K/Σb lets go of whole distances.
  double slack_penalty(const RowMatrix& F) const {
    RowMatrix image;
    problem_.base.apply_rows(F, image, context_.uninterrupted());
    return image.norm() * F.norm() / (problem_.weight * problem_.targets.squaredNorm());
  }
  double length(const Point& at) const {  // √⟨P, FFᵀ⟩, P = −w·Σ repair·M
    return std::sqrt(std::max(0.0, -problem_.weight * problem_.repair.dot(problem_.targets - at.residual)));
  }
  double bend() const {  // ℓ″ where ℓ bends
    return std::visit([](const auto& each) { return each.curvature(1.0); }, loss_);
  }
  double penalty() const {
    return std::visit([](const auto& each) { return each.penalty; }, problem_.loss);
  }
  double eased_penalty() const {
    return std::visit([](const auto& each) { return each.penalty; }, loss_);
  }
  void ease(double penalty) {
    std::visit([&](auto& each) { each.penalty = penalty; }, loss_);
  }
  double dual_value(const Vector& alpha) const {
    return std::visit(
        [&](const auto& each) {
          double sum = 0;
          for (Index k = 0; k < alpha.size(); ++k) sum += alpha(k) * problem_.targets(k) - each.conjugate(alpha(k));
          return problem_.weight * sum;
        },
        problem_.loss);
  }

 private:
  const Problem& problem_;
  Dual& dual_;
  const RunContext& context_;
  AnyLoss loss_;
};

class FactoredSearch {
 public:
  FactoredSearch(const Problem& problem, const Options& options, const RunContext& context, const RowMatrix& start)
      : problem_(problem),
        options_(options),
        context_(context),
        dual_(problem, context),
        factored_(problem, dual_, context),
        stiffness_(made_stiffness()),
        certifies_(options.settled < kLoosely),
        next_penalty_(std::min(factored_.penalty(), kEasy * factored_.slack_penalty(start))) {
    harder();
    const RunContext calm = context.uninterrupted();  // there is an embedding to keep from here on
    restart(factored_.at(widened(factored_.coordinates(start * std::sqrt(factored_.best_scale(start)), calm)), calm));
    looked_value_ = first_value_ = now_.value;
  }

  StepReport step(int iteration) {
    if (eased() && iteration > harder_at_) {
      harder();
      harder_at_ = iteration + kEasySteps;
      restart(factored_.at(now_.X));
      note_look(iteration);
      first_value_ = now_.value;
    }
    const bool newton = radius_ > 0;
    const bool moved = newton ? newton_step() : search_->step([&](const Vector& x) { return evaluated(x); });
    if (moved) now_ = std::move(last_);
    const int since = iteration - looked_at_, first_look = newton ? kNewtonLook : kFirstLook;
    const double fallen = looked_value_ - now_.value;
    const double little =
        std::max(options_.settled * std::abs(now_.value), options_.enough * (first_value_ - now_.value));
    bool slow = !moved || (since >= first_look && fallen < little);
    bool led = false;
    if (!eased() && (slow || since >= (newton ? first_look : std::max(first_look, iteration / kLooksPart)))) {
      if (certifies_) {
        look();
        if (relative_gap() <= options_.tolerance) make_certain();
        led = relative_gap() > options_.tolerance && lead_on(fallen);
      }
      note_look(iteration);
      if (!newton && certifies_ && (slow || iteration >= kNewtonAfter) && relative_gap() > options_.tolerance) {
        begin_newton();
        slow = false;
      }
    }
    StepReport report;
    report.objective = now_.value;
    report.measure = std::isfinite(best_dual_) ? relative_gap() : 1.0;
    report.extra = {double(iteration), double(now_.X.cols())};
    if (slow && !led && !eased()) {
      report.stalled = report.measure > options_.tolerance;
      report.note =
          "the objective does not fall any more, but is not certified to the tolerance: a smaller penalty, or a larger "
          "tolerance, would do";
    }
    return report;
  }

  void keep(Archive& archive) {
    double penalty = factored_.eased_penalty();
    archive(dual_, penalty, next_penalty_, harder_at_, looked_at_, now_);
    if (archive.restores()) {
      factored_.ease(penalty);
      restart(Factored::Point(now_));
    }
    archive(*search_, radius_, excess_.least, excess_.direction, looked_value_, first_value_, best_dual_, best_alpha_,
            certain_);
  }

  Result finished(Summary summary) {
    if (eased()) {  // stopped on the way: the value is that of the asked penalty
      factored_.ease(factored_.penalty());
      now_ = factored_.at(now_.X, context_.uninterrupted());
    }
    if (!std::isfinite(best_dual_) && certifies_) {
      try {
        look();
      } catch (const Interrupted&) {  // the kernel is kept without its certificate
      }
    }
    try {
      if (std::isfinite(best_dual_)) make_certain();
    } catch (const Interrupted&) {  // the same
      best_dual_ = -std::numeric_limits<double>::infinity();
    }
    Result result;
    result.summary = std::move(summary);
    result.kernel =
        factor_of_product(factored_.factor(now_.X, context_.uninterrupted()), kRounding * now_.X.squaredNorm());
    result.eigenvalues = Vector::Zero(result.kernel.weights.size());
    result.primal = now_.value;
    const bool bounded = std::isfinite(best_dual_);
    result.dual = bounded ? best_dual_ : kUnknown;
    result.gap = result.primal - result.dual;
    result.relative_gap = bounded ? relative_gap() : kUnknown;
    result.best.alpha = bounded ? best_alpha_ : now_.alpha;
    result.best.measured = problem_.targets - now_.residual;
    result.best.spectrum.count = result.kernel.weights.size();
    result.from = result.best;
    result.evaluations = result.summary.iterations;
    dual_.set_matrix(now_.alpha, context_.uninterrupted());
    result.matrix = dual_.matrix();
    result.summary.objective = result.primal;
    result.summary.used["solver"] = fmt::format("factored, {} columns{}", now_.X.cols(),
                                                stiffness_->factored() ? "" : ", without a Cholesky factor");
    return result;
  }

 private:
  std::unique_ptr<Stiffness> made_stiffness() const {
    const RunContext calm = context_.uninterrupted();
    SparseRows P = dual_.slot_matrix(-problem_.weight * problem_.repair, calm);
    if (problem_.within.cols() > 0) return stiffness_within(P, problem_.within, calm);
    try {
      return stiffness_of(P, context_);
    } catch (const Interrupted&) {  // the embedding that there is needs none
      return unfactored_stiffness(std::move(P));
    }
  }
  bool eased() const { return next_penalty_ > 0; }
  // The next penalty on the way to the asked one, which is the last.
  void harder() {
    factored_.ease(next_penalty_);
    next_penalty_ = next_penalty_ >= factored_.penalty() ? 0.0 : std::min(factored_.penalty(), kHarder * next_penalty_);
  }
  void note_look(int iteration) {
    looked_at_ = iteration;
    looked_value_ = now_.value;
  }
  void restart(Factored::Point point) {
    now_ = std::move(point);
    const Index n = now_.X.rows(), r = now_.X.cols();
    const auto inverse = [this, n, r](const Vector& g) {
      const RowMatrix Z = stiffness_->solve(Eigen::Map<const RowMatrix>(g.data(), n, r));
      return Vector(Eigen::Map<const Vector>(Z.data(), Z.size()));
    };
    search_.emplace(taken(now_), inverse, kFactoredMemory);
  }
  static Lbfgs::Point taken(const Factored::Point& point) {
    return {Eigen::Map<const Vector>(point.X.data(), point.X.size()),
            Eigen::Map<const Vector>(point.gradient.data(), point.gradient.size()), point.value};
  }
  Lbfgs::Point evaluated(const Vector& x) {
    context_.agree();
    last_ = factored_.at(Eigen::Map<const RowMatrix>(x.data(), now_.X.rows(), now_.X.cols()));
    return taken(last_);
  }
  // To last_, where a step within the radius is downhill.
  bool newton_step() {
    const Index n = now_.X.rows(), r = now_.X.cols();
    const auto block = [n, r](const Vector& v) { return Eigen::Map<const RowMatrix>(v.data(), n, r); };
    const SparseRows forces = factored_.forces(now_);
    const auto apply = [&](const Vector& v) {
      context_.poll();
      const RowMatrix image = factored_.curvature(now_, forces, block(v));
      return Vector(Eigen::Map<const Vector>(image.data(), image.size()));
    };
    const auto inverse = [&](const Vector& v) {
      const RowMatrix image = stiffness_->solve(block(v));
      return Vector(Eigen::Map<const Vector>(image.data(), image.size()));
    };
    const Vector gradient = Eigen::Map<const Vector>(now_.gradient.data(), now_.gradient.size());
    constexpr int kMostTries = 8;
    for (int tries = 0; tries < kMostTries; ++tries) {
      context_.agree();
      const TrustStep step = trust_region_step(gradient, apply, inverse, radius_, kAccuracy, kNewtonProducts);
      if (!(step.promised > kRoundedStep * std::abs(now_.value))) return false;
      last_ = factored_.at(now_.X + block(step.move));
      const double kept = (now_.value - last_.value) / step.promised;
      if (kept < 0.25) radius_ = 0.25 * step.length;
      if (kept > 0.75 && step.border) radius_ *= 2;
      if (kept > 1e-4) return true;
    }
    return false;
  }
  // The start with further columns, small and at random.
  RowMatrix widened(const RowMatrix& start) const {
    const Index n = start.rows();
    RowMatrix X = kNewColumns * std::sqrt(std::max(start.squaredNorm(), 1e-300) / double(n)) *
                  Rng(context_.seed, "kernel_dual_factored").normal_matrix(n, std::max(options_.columns, start.cols()));
    if (problem_.within.cols() == 0) X.rowwise() -= X.colwise().mean().eval();
    X.leftCols(start.cols()) += start;
    return X;
  }
  // A hard problem stops at one saddle after the other, a column each: Newton's steps begin with twice as many. The new
  // ones are smooth, P⁺ times noise, and so short that they cost next to nothing.
  void begin_newton() {
    radius_ = kFirstRadius * factored_.length(now_);
    const Index n = now_.X.rows(), r = now_.X.cols();
    const Index more = std::min(r, std::min(kMostColumns, n) - r);
    if (more < 1) return;
    RowMatrix noise = Rng(context_.seed, "kernel_dual_newton").normal_matrix(n, more);
    if (problem_.within.cols() == 0) noise.rowwise() -= noise.colwise().mean().eval();
    const RowMatrix smooth = stiffness_->solve(noise);
    const double length = std::sqrt(std::max(inner(noise, smooth), 1e-300));
    RowMatrix wider(n, r + more);
    wider << now_.X, kSmoothNoise * radius_ / length * smooth;
    restart(factored_.at(std::move(wider)));
  }
  // A lower bound of the optimum from α, repaired where A(α) is not negative semidefinite.
  void look() {
    dual_.set_matrix(now_.alpha, context_);
    const double size = std::max(std::abs(now_.value), 1e-300);
    const double gap = std::isfinite(best_dual_) ? std::max(options_.tolerance, relative_gap()) : 1.0;
    excess_ = stiffness_->excess(dual_.matrix(), kExcessShare * std::min(gap, 1.0) * size / price(), context_);
    const Vector alpha = now_.alpha + std::max(0.0, excess_.least) * problem_.repair;
    const double bound = factored_.dual_value(alpha);
    if (bound > best_dual_) best_dual_ = bound, best_alpha_ = alpha, certain_ = false;
  }
  // A Lanczos space can miss the largest eigenvalue: what is claimed in the end is certain.
  void make_certain() {
    if (certain_) return;
    // The end of the time is no end of this; Ctrl-C is, where it would be felt.
    RunContext calm = context_.uninterrupted();
    if (now_.X.rows() > kSoonCertain) calm.cancel = context_.cancel;
    dual_.set_matrix(best_alpha_, calm);
    const double step = std::max(kCertainShare * options_.tolerance, kLeastStep) * std::abs(now_.value) / price();
    best_alpha_ += stiffness_->certain_excess(dual_.matrix(), std::max(step, 1e-300), calm) * problem_.repair;
    best_dual_ = factored_.dual_value(best_alpha_);
    certain_ = true;
  }
  double price() const {  // of a unit of the repair
    return problem_.weight * problem_.repair.cwiseAbs().dot(problem_.targets.cwiseAbs());
  }
  double relative_gap() const {
    return std::max(0.0, now_.value - best_dual_) / std::max({std::abs(now_.value), std::abs(best_dual_), 1e-300});
  }
  // Where A(α) is positive along v, a new column s·v lowers f by s²·vᵀAv − s⁴·wC/2·Σ⟨M_k, vvᵀ⟩². Takes it where that
  // gains more than the steps since the last look.
  bool lead_on(double fallen) {
    if (!(excess_.least > 0) || now_.X.cols() >= std::min(kMostColumns, now_.X.rows())) return false;
    const RowMatrix direction = excess_.direction, v = factored_.factor(direction, context_);
    dual_.set_matrix(now_.alpha, context_);
    RowMatrix image;
    dual_.matrix().apply_rows(v, image, context_);
    const double gain = inner(image, v);
    const Vector moved = problem_.measurements.measure(problem_.measurements.slot_values(v, context_), context_);
    const double cost = problem_.weight * factored_.bend() * moved.squaredNorm();
    if (!(gain > 0 && cost > 0) || gain * gain / (2 * cost) <= std::max(fallen, 0.0)) return false;
    RowMatrix wider(direction.rows(), now_.X.cols() + 1);
    wider << now_.X, std::sqrt(gain / cost) * direction;
    Factored::Point further = factored_.at(std::move(wider));
    if (!(further.value < now_.value)) return false;
    restart(std::move(further));
    return true;
  }

  const Problem& problem_;
  const Options& options_;
  const RunContext& context_;
  Dual dual_;
  Factored factored_;
  const std::unique_ptr<Stiffness> stiffness_;
  const bool certifies_;     // else it only has to settle, without a look at the dual
  double next_penalty_ = 0;  // 0: the asked one is in force
  int harder_at_ = kEasySteps, looked_at_ = 0;
  Factored::Point now_, last_;
  std::optional<Lbfgs> search_;
  double radius_ = 0;  // of Newton's steps; 0: not yet
  Stiffness::Excess excess_;
  double looked_value_ = kUnknown, first_value_ = kUnknown;  // of the last look, and first with this penalty
  double best_dual_ = -std::numeric_limits<double>::infinity();
  Vector best_alpha_;     // repaired
  bool certain_ = false;  // … for certain
};

Result solve_once(const Problem& problem, const Options& options, RunContext& context, const RowMatrix& start) {
  FactoredSearch search(problem, options, context, start);
  const StopRule stop{.tolerance = options.tolerance, .max_iterations = options.max_iterations};
  return search.finished(iterate([&](int iteration) { return search.step(iteration); }, stop,
                                 {"evaluations", "positive"}, context, [&](Archive& archive) { archive(search); }));
}

}  // namespace

Result solve_factored(const Problem& problem, const Options& options, RunContext& context, const RowMatrix& start) {
  return stage(context, "factored", [&] { return solve_once(problem, options, context, start); });
}

}  // namespace ritz::kernel_dual
