// SPDX-License-Identifier: MIT
// p = 1: minimise over K ⪰ 0 with tr K <= B. The dual has corners (the largest eigenvalue), so the primal is solved in
// a growing subspace: K = VSVᵀ with a small S, and the leading eigenvectors of A(α) at the α that fits K join V. The
// same α gives the dual value B·λmax(A(α))₊, so the gap is certified in every round.
#include <algorithm>
#include <cmath>
#include <type_traits>

#include "algorithms/kernel_dual/solvers.hpp"
#include "ritz/base/error.hpp"
#include "ritz/linalg/eigen.hpp"
#include "ritz/linalg/projections.hpp"
#include "ritz/linalg/subspace.hpp"

namespace ritz::kernel_dual {

namespace {

constexpr double kSameEigenvalue = 1e-9;  // relative: multiplicity of the largest
constexpr Index kJoin = 4;                // eigenvectors that join a round
constexpr double kNothing = 1e-12;        // eigenvalues of K below this part of B
constexpr int kInner = 400;               // gradient steps in one subspace

// The loss, with the corner of a hinge rounded over a width μ; value and slope of the rounded one.
struct Rounded {
  const AnyLoss& loss;
  double width;
  double value(double r) const {
    return std::visit(
        [&](const auto& each) {
          if (each.conjugate_curvature() > 0 || width == 0 || std::is_same_v<std::decay_t<decltype(each)>, LinearLoss>)
            return each.value(r);
          if (r <= 0) return 0.0;
          return r < width ? 0.5 * each.penalty * r * r / width : each.penalty * (r - 0.5 * width);
        },
        loss);
  }
  double slope(double r) const {
    return std::visit(
        [&](const auto& each) {
          if (each.conjugate_curvature() > 0 || width == 0 || std::is_same_v<std::decay_t<decltype(each)>, LinearLoss>)
            return each.slope(r);
          return each.penalty * std::clamp(r / width, 0.0, 1.0);
        },
        loss);
  }
};

// The nearest S ⪰ 0 with tr S <= B.
Matrix project(const Matrix& S, double budget) {
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(0.5 * (S + S.transpose()));
  Vector values = eigen.eigenvalues().cwiseMax(0.0);
  if (values.sum() > budget) values = project_simplex(eigen.eigenvalues(), budget);
  return eigen.eigenvectors() * values.asDiagonal() * eigen.eigenvectors().transpose();
}

class TraceProblem {
 public:
  TraceProblem(const Problem& problem, Dual& dual, const RunContext& context)
      : problem_(problem), dual_(dual), context_(context) {}

  struct Point {
    Vector measured;
    double base = 0;  // ⟨A₀, K⟩
  };
  Point point(const RowMatrix& V, const Matrix& base, const Matrix& S) const {
    const Eigen::SelfAdjointEigenSolver<Matrix> eigen(S);
    const Matrix root = eigen.eigenvectors() * eigen.eigenvalues().cwiseMax(0.0).cwiseSqrt().asDiagonal();
    const RowMatrix F = V * root;
    return {problem_.measurements.measure(problem_.measurements.slot_values(F, context_), context_),
            base.cwiseProduct(S).sum()};
  }
  double primal(const Point& at, double width) const {
    const Rounded loss{problem_.loss, width};
    double sum = 0;
    for (Index k = 0; k < at.measured.size(); ++k) sum += loss.value(problem_.targets(k) - at.measured(k));
    return -at.base + problem_.weight * sum;
  }
  Vector alpha(const Point& at, double width) const {
    const Rounded loss{problem_.loss, width};
    Vector a(at.measured.size());
    for (Index k = 0; k < a.size(); ++k) a(k) = loss.slope(problem_.targets(k) - at.measured(k));
    return a;
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
  Matrix image(const RowMatrix& V, const SparseSum& A) const {
    RowMatrix AV;
    A.apply_rows(V, AV, context_);
    return V.transpose() * AV;
  }

  // Accelerated projected gradient with backtracking; S is improved in place.
  void minimise(const RowMatrix& V, Matrix& S, double width) {
    const Matrix base = image(V, problem_.base);
    Matrix Y = S;
    double momentum = 1;
    for (int k = 0; k < kInner; ++k) {
      context_.poll();
      const Point at = point(V, base, project(Y, problem_.capacity.value));
      const double value = primal(at, width);
      dual_.set_matrix(alpha(at, width), context_);
      const Matrix gradient = -image(V, dual_.matrix()), from = project(Y, problem_.capacity.value);
      Matrix next;
      double after = 0;
      for (int tries = 0; tries < 60; ++tries, step_ *= 0.5) {
        next = project(from - step_ * gradient, problem_.capacity.value);
        after = primal(point(V, base, next), width);
        const Matrix move = next - from;
        if (after <=
            value + gradient.cwiseProduct(move).sum() + move.squaredNorm() / (2 * step_) + 1e-14 * std::abs(value))
          break;
      }
      step_ *= 1.3;
      const double moved = (next - S).norm();
      const double faster = 0.5 * (1 + std::sqrt(1 + 4 * momentum * momentum));
      const bool falls = gradient.cwiseProduct(next - S).sum() <= 0;  // else start the momentum anew
      Y = falls ? Matrix(next + (momentum - 1) / faster * (next - S)) : next;
      momentum = falls ? faster : 1;
      S = next;
      if (moved <= 1e-12 * std::max(1.0, S.norm())) break;
    }
  }

 private:
  const Problem& problem_;
  Dual& dual_;
  const RunContext& context_;
  double step_ = 1;
};

}  // namespace

Result solve_trace(const Problem& problem, const Options& options, RunContext& context) {
  const double budget = problem.capacity.value;
  const Index n = problem.base.size();
  Dual dual(problem, context);
  TraceProblem trace(problem, dual, context);
  const bool linear = std::holds_alternative<LinearLoss>(problem.loss);
  EigenSolver eigen;
  RowMatrix V(n, 0);
  Matrix S(0, 0);
  double width = std::holds_alternative<Hinge>(problem.loss) ? 0.1 : 0.0;
  Result result;
  double largest_of_best = 0;
  result.primal = std::numeric_limits<double>::infinity();
  result.dual = -result.primal;

  const auto step = [&](int iteration) {
    // K = 0 before the first round; its α starts V.
    TraceProblem::Point at{Vector::Zero(problem.targets.size()), 0};
    if (V.cols() > 0) at = trace.point(V, trace.image(V, problem.base), S);
    const double primal = trace.primal(at, 0);
    const Vector alpha = trace.alpha(at, width);
    dual.set_matrix(alpha, context);
    EigenRequest request;
    request.pick = Count{std::min(n, kJoin)};
    if (linear) request.pick = LeadingCluster{kSameEigenvalue, n};
    const EigenPairs top = require_complete(eigen(dual.matrix(), request, context), "the largest eigenvalues of A");
    const double largest = top.values(0), value = trace.dual_value(alpha, largest);
    const auto keep = [&](double reached) {
      if (reached >= result.primal) return;
      result.primal = reached;
      if (V.cols() == 0) return;
      const Eigen::SelfAdjointEigenSolver<Matrix> small(S);
      const Index rank = (small.eigenvalues().array() > kNothing * budget).count();
      result.kernel = {V * small.eigenvectors().rightCols(rank).rowwise().reverse(),
                       small.eigenvalues().tail(rank).reverse()};
    };
    keep(primal);
    if (value > result.dual) {
      result.dual = value;
      result.best.alpha = alpha;
      largest_of_best = largest;
    }
    if (linear) {  // the leading eigenspace, evenly: K = B/m·Σvvᵀ
      if (largest > 0) {
        V = top.vectors;
        S = Matrix::Identity(V.cols(), V.cols()) * (budget / double(V.cols()));
        keep(trace.primal(trace.point(V, trace.image(V, problem.base), S), 0));
      }
    } else {
      Matrix wide(n, V.cols() + top.vectors.cols());
      if (V.cols() > 0) wide.leftCols(V.cols()) = V;
      wide.rightCols(top.vectors.cols()) = top.vectors;
      const Matrix basis = orthonormalise(wide, 1e-10).basis;
      const Matrix turn = V.cols() > 0 ? Matrix(basis.transpose() * V) : Matrix(basis.cols(), 0);
      S = V.cols() > 0 ? Matrix(turn * S * turn.transpose()) : Matrix(Matrix::Zero(basis.cols(), basis.cols()));
      V = basis;
      trace.minimise(V, S, width);
      width *= 0.5;
      keep(trace.primal(trace.point(V, trace.image(V, problem.base), S), 0));
    }
    StepReport report;
    report.objective = result.primal;
    const double size = std::max(std::abs(result.primal), std::abs(result.dual));
    report.measure = size > 0 ? std::max(0.0, result.primal - result.dual) / size : 0.0;
    report.extra = {double(iteration), double(V.cols())};
    return report;
  };
  StopRule stop;
  stop.tolerance = options.tolerance;
  stop.max_iterations = options.max_iterations;
  result.summary = iterate(step, stop, {"evaluations", "positive"}, context);
  require_any(result.best.alpha.size() == problem.targets.size(), result.summary);
  if (result.kernel.basis.rows() != n) result.kernel = {Matrix(n, 0), Vector(0)};
  dual.set_matrix(result.best.alpha, context.uninterrupted());
  result.matrix = dual.matrix();
  result.eigenvalues = Vector::Constant(result.kernel.weights.size(), largest_of_best);
  result.gap = result.primal - result.dual;
  result.relative_gap = result.summary.measure;
  result.best.dual = result.dual;
  result.best.primal = result.primal;
  result.evaluations = result.summary.iterations;
  result.best.spectrum.count = (result.kernel.weights.array() > 0).count();
  result.summary.used["solver"] = linear ? "closed form" : "growing subspace";
  return result;
}

}  // namespace ritz::kernel_dual
