// SPDX-License-Identifier: MIT
// The working set: the dual, then the primal, on few subspaces at a time; every bound is measured on all of them.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "algorithms/center/parts.hpp"
#include "linalg/subspace.hpp"
#include "ritz/base/error.hpp"
#include "ritz/base/random.hpp"
#include "ritz/linalg/products.hpp"

namespace ritz::center {

namespace {

constexpr Index kSmall = 48;       // so few subspaces are all worked on at once
constexpr Index kFirst = 24;       // the first working set, beside as many as k
constexpr double kCheapRank = 20;  // up to this many coordinates the primal is started as often as asked
constexpr int kTrialSteps = 30;    // of a random start, before it is worth a finer look
constexpr double kTrial = 1e-3;    // how near to the best it must come
constexpr int kPrimalSteps = 200;
constexpr int kRenardSteps = 30;

double squared_chordal(const Matrix& U, const Matrix& truth) {
  return principal_angles(U, truth).array().sin().square().sum();
}

class Newton {
 public:
  Newton(const Collection& all, Index k, const Options& options, const Vector& start, const Matrix* truth,
         const RunContext& context)
      : all_(all), options_(options), truth_(truth), context_(context) {
    result_.k = k;
    const bool given = start.size() == all.size();
    result_.weights = given ? start : Vector::Constant(all.size(), 1.0 / double(all.size()));
    // The support of the given weights is enough for their mean; equal weights need a sweep over everything.
    mean_ = dual(all, result_.weights, k, context);
    ++result_.evaluations;
    result_.dual = mean_.value;
    offer(mean_.U);
    inside_.assign(std::size_t(all.size()), false);
    if (all.size() <= kSmall) {
      for (Index i = 0; i < all.size(); ++i) add(i);
    } else {
      if (given)
        for (const Index i : result_.support()) add(i);
      add_largest(result_.distances, kFirst + k, -1);
    }
  }

  StepReport round() {
    if (!dual_settled_)
      improve_dual();
    else if (next_start_ <= starts())
      improve_primal(next_start_++);
    StepReport report;
    report.objective = result_.objective;
    report.measure = result_.gap = result_.objective - result_.dual;
    report.extra = {result_.dual, result_.dual_bound, double(members_.size())};
    if (truth_) result_.distance_to_truth.push_back(squared_chordal(result_.U, *truth_));
    if (dual_settled_ && next_start_ > starts()) {
      report.stalled = true;
      report.note = "every start of the primal is done";
    }
    return report;
  }

  void keep(Archive& archive) {  // but for the mean, which every run begins with
    archive(result_, last_distances_, members_, inside_, mixture_, gamma_, violation_, first_value_, dual_settled_,
            fruitless_, next_start_);
  }

  Result finish(Summary summary) {
    result_.gap = result_.objective - result_.dual;
    result_.working = Index(members_.size());
    const double bracket = result_.dual_bound - result_.dual;
    if (summary.termination == Termination::converged) {
      summary.message = fmt::format("the gap is {:.1e}", std::max(0.0, result_.gap));
    } else if (summary.termination == Termination::stalled && dual_settled_) {
      if (bracket <= options_.tolerance && result_.slope <= std::max(options_.tolerance, kStationary)) {
        summary.termination = Termination::converged;
        summary.message = fmt::format("the best dual value is known to {:.1e}, and no step of the primal gains more",
                                      std::max(0.0, bracket));
        summary.used["duality"] = fmt::format(
            "strong duality fails or a better centre was not found: a gap of {:.3g} stays between the "
            "largest dual value and the centre",
            result_.gap);
      } else {
        summary.message =
            fmt::format("the gap is {:.1e}, the bracket of the dual {:.1e}, the slope of the primal {:.1e}",
                        result_.gap, bracket, result_.slope);
      }
    }
    summary.objective = result_.objective;
    summary.measure = result_.gap;
    result_.summary = std::move(summary);
    return std::move(result_);
  }

 private:
  static constexpr double kNearEnd = 1e-5, kAlmostProjector = 1e-3;
  static constexpr double kStationary = 1e-8;
  static constexpr double kFew = 0.3;  // of the farthest's excess: those nearer wait for the next round

  void add(Index i) {
    if (inside_[std::size_t(i)]) return;
    inside_[std::size_t(i)] = true;
    members_.push_back(i);
  }

  // Up to `most` of the largest entries above `level` that are not worked on yet. Ties go to the smaller number.
  Index add_largest(const Vector& values, Index most, double level) {
    std::vector<Index> order;
    for (Index i = 0; i < values.size(); ++i)
      if (!inside_[std::size_t(i)] && values(i) > level) order.push_back(i);
    const std::size_t count = std::min(order.size(), std::size_t(most));
    std::partial_sort(order.begin(), order.begin() + std::ptrdiff_t(count), order.end(),
                      [&](Index a, Index b) { return values(a) != values(b) ? values(a) > values(b) : a < b; });
    for (std::size_t a = 0; a < count; ++a) add(order[a]);
    return Index(count);
  }

  // Keeps U when its largest distance is less than that of the best so far.
  double offer(const Matrix& U, double slope = std::numeric_limits<double>::infinity()) {
    const Vector distance = distances(all_, U, context_);
    const double objective = distance.maxCoeff();
    if (!(objective >= result_.objective)) {
      result_.U = U;
      result_.distances = distance;
      result_.objective = objective;
      result_.slope = slope;
    }
    last_distances_ = distance;
    return objective;
  }

  // k orthonormal columns of the space: those of V, and directions of the mean where there are too few.
  Matrix filled(const Matrix& V) const {
    const Index k = result_.k, n = all_.ambient();
    if (V.cols() >= k) return V.leftCols(k);
    Matrix U(n, k);
    U.leftCols(V.cols()) = V;
    Matrix more = orthonormalise_against(V, mean_.U).basis;
    if (more.cols() < k - V.cols())
      more = side_by_side(more, orthonormalise_against(side_by_side(V, more), Matrix::Identity(n, k)).basis);
    U.rightCols(k - V.cols()) = more.leftCols(k - V.cols());
    return U;
  }

  Vector part_weights() const {
    Vector some(Index(members_.size()));
    for (std::size_t a = 0; a < members_.size(); ++a) some(Index(a)) = result_.weights(members_[a]);
    // A member that is new has no weight: the quadratic programme frees it when it needs it.
    return some.sum() > 0.5 ? Vector(some / some.sum())
                            : Vector(Vector::Constant(some.size(), 1.0 / double(some.size())));
  }

  void improve_dual() {
    const Index k = result_.k;
    const Part part = part_of(all_, members_, context_);
    const double goal = std::max(0.3 * options_.tolerance, std::min(1e-2, 0.1 * violation_));
    Matrix center;  // the mixture of the last round, as far as it lies in the span of the members
    if (mixture_.cols() > 0) {
      const Matrix V = part.lowered(mixture_);
      center = product(V * gamma_.asDiagonal(), V.transpose());
    }
    const DualFit fit = maximise_dual(part.subspaces, k, part_weights(), std::move(center), goal, context_);
    result_.evaluations += fit.evaluations;
    const Index s = (fit.point.gamma.array() > 0).count();
    mixture_ = part.lifted(fit.point.spectrum.vectors.leftCols(std::max(s, std::min(k, fit.point.gamma.size()))));
    gamma_ = fit.point.gamma.head(mixture_.cols());
    const Vector gradient = mixed_distances(all_, mixture_, gamma_, k, context_);
    const double bound = gradient.maxCoeff();
    if (!(bound >= result_.dual_bound)) result_.dual_bound = bound;
    if (fit.point.value > result_.dual || first_value_) {
      first_value_ = false;
      result_.dual = fit.point.value;
      result_.weights.setZero();
      for (std::size_t a = 0; a < members_.size(); ++a) result_.weights(members_[a]) = fit.point.weights(Index(a));
    }
    const double objective = offer(filled(mixture_));
    violation_ = bound - result_.dual;
    // As many as are too far, up to as many as there are.
    Index most = std::max<Index>(16, Index(members_.size()));
    if (options_.rough > 0) most = std::min(most, std::max<Index>(1, options_.rough + 1 - Index(members_.size())));
    const Index added =
        add_largest(gradient, most, result_.dual + std::max(0.1 * options_.tolerance, kFew * violation_));
    add_largest(last_distances_, 8, std::max(objective - 1e-3, result_.dual));
    if (violation_ <= options_.tolerance) dual_settled_ = true;
    if (options_.rough > 0 && Index(members_.size()) > options_.rough) dual_settled_ = true;
    // Near the end, with P almost a projector, the primal closes the gap in a few steps, also where many weights are
    // equally good and the dual creeps.
    const double mixed = (gamma_.array() * (1 - gamma_.array())).sum();
    if (options_.rough == 0 && violation_ < kNearEnd && mixed < kAlmostProjector &&
        result_.objective - result_.dual > options_.tolerance)
      improve_primal(0);
    // Nobody outside is too far, but the bracket is open: the working set was solved to less than the goal.
    if (added == 0) {
      if (goal <= 0.3 * options_.tolerance) ++fruitless_;
      violation_ = std::min(violation_, 0.1 * goal);
      if (fruitless_ > 3) dual_settled_ = true;
    }
  }

  // Steps of the primal cost about the square of the number of coordinates: fewer starts where there are many.
  int starts() const {
    if (options_.rough > 0) return -1;
    Index rows = 0;
    for (const Index i : members_) rows += all_.dimension(i);
    const double scale = kCheapRank / double(std::min(all_.ambient(), rows));
    return 2 + std::min(options_.starts, std::max(1, int(options_.starts * scale * scale)));
  }

  // 0: from the best so far, 1: the leading part of the mixture P, 2: a few steps of Renard's method, then random ones,
  // by turns the span of √P times a random matrix, which has P as its mean, and any subspace: the best centre may have
  // no part in P (lines around an axis at more than 54.7° draw P to the plane across it).
  Matrix start_of(int number) {
    const Index k = result_.k;
    if (number == 0) return result_.U;
    if (number == 1) return filled(mixture_);
    if (number == 2) {
      Matrix U = mean_.U, best = U;
      double least = std::numeric_limits<double>::infinity();
      for (int t = 1; t <= kRenardSteps; ++t) {
        Index farthest = 0;
        const double largest = distances(all_, U, context_).maxCoeff(&farthest);
        if (largest < least) least = largest, best = U;
        U = towards(all_, U, farthest, 1.0 / (t + 1));
      }
      return best;
    }
    Rng rng(context_.seed, "center/starts", std::uint64_t(number) << 32 | std::uint64_t(k));
    if (number % 2 == 0) return orthonormalise(rng.normal_matrix(all_.ambient(), k)).basis;
    const Matrix mixed = mixture_ * gamma_.cwiseMax(0.0).cwiseSqrt().asDiagonal();
    return filled(orthonormalise(mixed * rng.normal_matrix(mixed.cols(), k), 1e-8).basis);
  }

  void improve_primal(int number) {
    const Index k = result_.k;
    Matrix U = start_of(number);
    Vector weights = part_weights();
    constexpr int kMostGrowths = 50;
    for (int growth = 0; growth < kMostGrowths; ++growth) {
      const Part part = part_of(all_, members_, context_);
      if (part.subspaces.ambient() <= k) {
        offer(filled(part.lifted(Matrix::Identity(part.subspaces.ambient(), part.subspaces.ambient()))));
        if (add_largest(last_distances_, 8, 0) == 0) return;
        continue;
      }
      Matrix inside = orthonormalise(part.lowered(U), 1e-8).basis;
      if (inside.cols() < k) {
        const Matrix more = orthonormalise_against(inside, Matrix::Identity(inside.rows(), k)).basis;
        inside = side_by_side(inside, more.leftCols(k - inside.cols()));
      }
      if (weights.size() != Index(members_.size())) {
        const Index before = weights.size();
        weights.conservativeResize(Index(members_.size()));
        weights.tail(weights.size() - before).setZero();
      }
      if (number > 2 && growth == 0) {  // a rough look first
        const PrimalFit trial = minimise_primal(part.subspaces, inside, weights, 1e-6, kTrialSteps, context_);
        if (trial.objective > result_.objective + kTrial) return;
        inside = trial.U;
        weights = trial.weights;
      }
      const PrimalFit fit =
          minimise_primal(part.subspaces, inside, weights, 0.1 * options_.tolerance, kPrimalSteps, context_);
      U = part.lifted(fit.U);
      weights = fit.weights;
      const double objective = offer(U, fit.slope);
      if (objective - result_.dual <= options_.tolerance) return;
      // Too far from the best, and what is not worked on can only be farther.
      if (number > 0 && fit.objective > result_.objective + 0.1 * options_.tolerance) return;
      if (add_largest(last_distances_, 16, fit.objective + 0.1 * options_.tolerance) == 0) return;
    }
  }

  const Collection& all_;
  const Options& options_;
  const Matrix* truth_;
  const RunContext& context_;
  Dual mean_;
  Result result_;
  Vector last_distances_;
  std::vector<Index> members_;
  std::vector<char> inside_;
  Matrix mixture_;  // P = mixture·diag(γ)·mixtureᵀ of the last round of the dual
  Vector gamma_;
  double violation_ = 1;
  bool first_value_ = true, dual_settled_ = false;
  int fruitless_ = 0, next_start_ = 0;
};

}  // namespace

Result solve_newton(const Collection& all, Index k, const Options& options, const Vector& start, RunContext& context,
                    const Matrix* truth) {
  Newton newton(all, k, options, start, truth, context);
  Summary summary = iterate([&](int) { return newton.round(); }, {options.tolerance, options.max_iterations},
                            {"dual", "dual_bound", "working_set"}, context, [&](Archive& archive) { archive(newton); });
  return newton.finish(std::move(summary));
}

void require_order(const Collection& all, Index k) {
  if (k < 1 || k > all.ambient())
    throw Error(
        ErrorCode::bad_option,
        fmt::format("center.dim is {}; it must lie in [1, {}] because the subspaces lie in a space of {} dimensions", k,
                    all.ambient(), all.ambient()));
}

void keep(Archive& archive, Result& result) {
  auto& [k, U, weights, distances, objective, dual, dual_bound, gap, slope, eigenvalues, dimension, working,
         evaluations, distance_to_truth, summary] = result;
  archive(k, U, weights, distances, objective, dual, dual_bound, gap, slope, eigenvalues, dimension, working,
          evaluations, distance_to_truth, summary);
}

namespace {

Result solve_once(const Collection& all, Index k, const Options& options, const Vector& start, RunContext& context,
                  const Matrix* truth);

}  // namespace

Result solve(const Collection& all, Index k, const Options& options, const Vector& start, RunContext& context,
             const Matrix* truth) {
  return stage(context, "center", [&] { return solve_once(all, k, options, start, context, truth); });
}

namespace {

Result solve_once(const Collection& all, Index k, const Options& options, const Vector& start, RunContext& context,
                  const Matrix* truth) {
  check(options);
  require_order(all, k);
  if (start.size() != 0 && start.size() != all.size())
    throw Error(ErrorCode::bad_shape, fmt::format("{} weights for {} subspaces", start.size(), all.size()));
  // One thread for small collections, whose steps take less than waking the others; the bits do not depend on it.
  constexpr Index kSmallSize = 200'000;  // numbers in the bases
  RunContext inner = context;
  if (all.vectors.size() <= kSmallSize) inner.threads = 1;
  const auto solver = options.solver == Solver::newton   ? solve_newton
                      : options.solver == Solver::renard ? solve_renard
                                                         : solve_subgradient;
  Result result = solver(all, k, options, start, inner, truth);
  // The numbers of the result from nothing but U and λ.
  const RunContext calm = inner.uninterrupted();
  const Dual last = dual(all, result.weights, k, calm);
  result.dual = last.value;
  result.eigenvalues = last.eigenvalues;
  result.dimension = last.dimension;
  fix_signs(result.U);
  result.gap = result.objective - result.dual;
  return result;
}

}  // namespace

}  // namespace ritz::center
