// SPDX-License-Identifier: MIT
// The paper's dual subgradient method (Algorithm A.1) and the primal method of Renard, Gallivan & Absil.
#include <algorithm>
#include <cmath>
#include <deque>

#include "algorithms/center/parts.hpp"
#include "linalg/projections.hpp"
#include "linalg/subspace.hpp"

namespace ritz::center {

namespace {

// The best of both sides so far; the ends may come from different iterates.
class Best {
 public:
  Best(const Collection& all, Index k, const Matrix* truth) : all_(all), truth_(truth) { result_.k = k; }
  void primal(const Matrix& U, const Vector& distance) {
    const double objective = distance.maxCoeff();
    if (objective >= result_.objective) return;
    result_.U = U;
    result_.distances = distance;
    result_.objective = objective;
  }
  void dual(const Vector& weights, double value) {
    if (value <= result_.dual) return;
    result_.weights = weights;
    result_.dual = value;
  }
  StepReport report() {
    StepReport step;
    step.objective = result_.objective;
    step.measure = result_.gap = result_.objective - result_.dual;
    step.extra = {result_.dual};
    if (truth_) result_.distance_to_truth.push_back(principal_angles(result_.U, *truth_).array().sin().square().sum());
    return step;
  }
  Result finish(Summary summary) {
    result_.working = all_.size();
    result_.gap = result_.objective - result_.dual;
    summary.objective = result_.objective;
    result_.summary = std::move(summary);
    return std::move(result_);
  }
  int& evaluations() { return result_.evaluations; }
  void keep(Archive& archive) { archive(result_); }

 private:
  const Collection& all_;
  const Matrix* truth_;
  Result result_;
};

Vector equal_or(const Vector& start, Index size) {
  return start.size() == size ? start : Vector::Constant(size, 1.0 / double(size));
}

}  // namespace

// Line numbers are those of Algorithm A.1, which minimises f = −d. Its constants are not printed; these are ours.
Result solve_subgradient(const Collection& all, Index k, const Options& options, const Vector& start,
                         RunContext& context, const Matrix* truth) {
  constexpr double kZeta = 1e-3, kBeta = 1.5;
  constexpr std::size_t kWindow = 10;
  double a = options.step_size;
  const bool adaptive = options.step == StepRule::adaptive;
  const auto back = [&](const Vector& moved) -> Vector {  // line 13 as printed, or (4.1)
    return options.solver == Solver::subgradient_printed ? Vector(moved / moved.sum()) : project_simplex(moved);
  };
  struct Point {
    Vector weights, g;  // g_i = d_i(U_λ)
    Matrix U;
    double value;
  };
  Best best(all, k, truth);
  const auto at = [&](const Vector& weights) {
    Dual found = dual(all, weights, k, context);
    ++best.evaluations();
    Vector g = distances(all, found.U, context);
    best.primal(found.U, g);
    best.dual(weights, found.value);
    return Point{weights, std::move(g), std::move(found.U), found.value};
  };
  Point now = at(equal_or(start, all.size()));  // lines 5 to 9
  std::deque<double> values{now.value};
  const auto length = [&](int t) {
    switch (options.step) {
      case StepRule::constant:
        return a;
      case StepRule::length:
        return a / std::max(now.g.norm(), std::numeric_limits<double>::min());
      case StepRule::harmonic:
        return a / (1 + double(t));
      default:
        return a / std::sqrt(double(t));  // lines 12 to 15
    }
  };
  const auto step = [&](int t) {
    const double alpha = length(t);
    Point next = at(back(now.weights + alpha * now.g));
    for (double shorter = alpha; adaptive && next.value < now.value && shorter > kZeta * alpha;) {  // lines 19 to 25
      a /= 2;
      shorter = a / std::sqrt(double(t));
      Point tried = at(back(now.weights + shorter * now.g));
      if (tried.value >= now.value) {  // lines 26 to 30
        a *= kBeta;
        next = std::move(tried);
      }
    }
    now = std::move(next);
    StepReport report = best.report();
    double change = 0;
    for (const double earlier : values) change = std::max(change, now.value - earlier);
    report.stalled = adaptive && values.size() == kWindow && change <= options.tolerance;  // line 10
    report.note = "the dual value has not grown for ten iterations";
    values.push_back(now.value);
    if (values.size() > kWindow) values.pop_front();
    return report;
  };
  return best.finish(
      iterate(step, {options.tolerance, options.max_iterations}, {"dual"}, context,
              [&](Archive& archive) { archive(best, a, now.weights, now.g, now.U, now.value, values); }));
}

Result solve_renard(const Collection& all, Index k, const Options& options, const Vector& start, RunContext& context,
                    const Matrix* truth) {
  constexpr int kBetweenBounds = 25;
  Best best(all, k, truth);
  const Vector first = equal_or(start, all.size());
  const Dual mean = dual(all, first, k, context);
  best.dual(first, mean.value);
  best.evaluations() = 1;
  Matrix U = mean.U;
  Vector distance = distances(all, U, context);
  best.primal(U, distance);
  // How often each subspace was the farthest: feasible weights, and so a lower bound for a method that has none.
  Vector visits = Vector::Zero(all.size());
  const auto step = [&](int t) {
    Index farthest = 0;
    distance.maxCoeff(&farthest);
    U = towards(all, U, farthest, 1.0 / (t + 1));
    distance = distances(all, U, context);
    best.primal(U, distance);
    visits(farthest) += 1;
    if (t % kBetweenBounds == 0 || t == options.max_iterations) {
      const Vector weights = visits / visits.sum();
      best.dual(weights, dual(all, weights, k, context).value);
      ++best.evaluations();
    }
    return best.report();
  };
  return best.finish(iterate(step, {options.tolerance, options.max_iterations}, {"dual"}, context,
                             [&](Archive& archive) { archive(best, U, distance, visits); }));
}

}  // namespace ritz::center
