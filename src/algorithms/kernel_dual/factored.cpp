// SPDX-License-Identifier: MIT
// Without a capacity the kernel is found as K = FFᵀ: F is thin (n × r), and the primal is a smooth function of it whose
// every product costs O((m + n)·r). Its stationary points of rank below r are global optima; whether this one is, the
// dual says: α = ℓ′(residual) is dual feasible once λmax(A(α)) <= 0, and a little of the `repair` stress makes it so.
//
//   f(F) = −⟨A₀, FFᵀ⟩ + w·Σℓ(b − ⟨M_k, FFᵀ⟩)      ∇f = −2·A(α)·F
//   H[V] = −2·A(α)·V + 2w·Σ_k ℓ″_k·⟨M_k, FVᵀ + VFᵀ⟩·M_k·F
//
// Newton's equation is solved by conjugate gradients, preconditioned by the Laplacian of the springs w·Σ 2ℓ″_k·m_k·M_k.
#include <fmt/format.h>
#include <Eigen/IterativeLinearSolvers>
#include <Eigen/SparseCholesky>

#include <algorithm>
#include <cmath>

#include "algorithms/kernel_dual/solvers.hpp"
#include "linalg/dense/dense.hpp"
#include "linalg/eigen.hpp"
#include "linalg/tall_products.hpp"
#include "ritz/base/random.hpp"

namespace ritz::kernel_dual {

namespace {

constexpr int kFactoredProducts = 200;     // of the curvature, in one step
constexpr double kFactoredForcing = 0.05;  // relative residual of Newton's equation
constexpr int kStepsBetweenLooks = 8;      // at the dual
constexpr std::size_t kPatience = 10;      // steps over which progress is judged
constexpr Index kDense = 2000;  // samples up to which LAPACK finds λmax: next to it lies a cluster at 0, and the width
                                // of the spectrum is that of C, which costs Lanczos thousands of products
constexpr double kRounding = 1e-12;  // of the trace: eigenvalues of K that are rounding
constexpr double kFill = 40;         // non-zeros of the Cholesky factor, in those of the matrix, that pay

double loss_curvature(const AnyLoss& loss, double residual) {
  return std::visit([&](const auto& each) { return each.curvature(residual); }, loss);
}

// LLᵀ of a sparse matrix, applied to rows: each entry of L meets a whole row of the right side, which is contiguous.
class RowCholesky : public Eigen::SimplicialLLT<Sparse> {
 public:
  Index non_zeros() const { return m_matrix.nonZeros(); }
  RowMatrix solve_rows(const RowMatrix& R) const {
    RowMatrix X = m_P * R;
    const int* const begin = m_matrix.outerIndexPtr();
    const int* const row = m_matrix.innerIndexPtr();
    const double* const value = m_matrix.valuePtr();  // the diagonal is the first of its column
    const Index r = X.cols();
    const auto subtract = [r](double* into, double factor, const double* from) {
      for (Index c = 0; c < r; ++c) into[c] -= factor * from[c];
    };
    for (Index j = 0; j < X.rows(); ++j) {
      X.row(j) /= value[begin[j]];
      for (int k = begin[j] + 1; k < begin[j + 1]; ++k) subtract(X.row(row[k]).data(), value[k], X.row(j).data());
    }
    for (Index j = X.rows() - 1; j >= 0; --j) {
      for (int k = begin[j] + 1; k < begin[j + 1]; ++k) subtract(X.row(j).data(), value[k], X.row(row[k]).data());
      X.row(j) /= value[begin[j]];
    }
    return m_Pinv * X;
  }
};

// P⁻¹ for the springs: exact where the graph lets it, else incomplete.
class Springs {
 public:
  void make(const Sparse& P) {
    if (first_) {
      exact_.analyzePattern(P);
      use_exact_ = double(exact_.non_zeros()) < kFill * double(P.nonZeros());
      first_ = false;
    }
    if (use_exact_) {
      exact_.factorize(P);
      ready_ = exact_.info() == Eigen::Success;
    } else {
      incomplete_.compute(P);
      ready_ = incomplete_.info() == Eigen::Success;
    }
  }
  RowMatrix solve(const RowMatrix& R) const {
    if (!ready_) return R;
    if (use_exact_) return exact_.solve_rows(R);
    return incomplete_.solve(Matrix(R));
  }

 private:
  bool first_ = true, use_exact_ = true, ready_ = false;
  RowCholesky exact_;
  Eigen::IncompleteCholesky<double> incomplete_;
};

double inner(const RowMatrix& A, const RowMatrix& B) { return A.cwiseProduct(B).sum(); }

class Factored {
 public:
  Factored(const Problem& problem, Dual& dual, const RunContext& context)
      : problem_(problem), dual_(dual), context_(context) {}

  struct Point {
    RowMatrix F, gradient;
    Vector residual, alpha;
    double value = 0;
  };
  Point at(RowMatrix F) const {
    Point point;
    const Measurements& measurements = problem_.measurements;
    point.residual = problem_.targets - measurements.measure(measurements.slot_values(F, context_), context_);
    point.alpha.resize(point.residual.size());
    double sum = 0;
    std::visit(
        [&](const auto& each) {
          for (Index k = 0; k < point.alpha.size(); ++k) {
            sum += each.value(point.residual(k));
            point.alpha(k) = each.slope(point.residual(k));
          }
        },
        problem_.loss);
    RowMatrix image;
    problem_.base.apply_rows(F, image, context_);
    point.value = -inner(image, F) + problem_.weight * sum;
    RowMatrix forces;
    multiply_rows(dual_.slot_matrix(problem_.weight * point.alpha, context_), F, forces, context_);
    point.gradient = -2 * (image + forces);
    point.F = std::move(F);
    return point;
  }
  struct Curvature {
    SparseRows stress;  // w·Σα_k·M_k
    Vector bend;        // w·ℓ″
  };
  Curvature curvature(const Point& point) const {
    Curvature result{dual_.slot_matrix(problem_.weight * point.alpha, context_), Vector(point.residual.size())};
    for (Index k = 0; k < result.bend.size(); ++k)
      result.bend(k) = problem_.weight * loss_curvature(problem_.loss, point.residual(k));
    return result;
  }
  RowMatrix product(const Point& point, const Curvature& curve, const RowMatrix& V) const {
    const Measurements& measurements = problem_.measurements;
    RowMatrix image, part;
    problem_.base.apply_rows(V, image, context_);
    multiply_rows(curve.stress, V, part, context_);
    image += part;
    const Vector moved = measurements.measure(measurements.slot_values(point.F, V, context_), context_);
    multiply_rows(dual_.slot_matrix(curve.bend.cwiseProduct(moved), context_), point.F, part, context_);
    return 2 * (part - image);
  }
  Sparse springs(const Point& point, const Curvature& curve, double shift) const {
    const Vector lengths = (problem_.targets - point.residual).cwiseMax(0.0);
    SparseRows P = dual_.slot_matrix(2 * curve.bend.cwiseProduct(lengths), context_);
    Sparse sum = P;
    Sparse identity(sum.rows(), sum.cols());
    identity.setIdentity();
    sum += (shift + 2) * identity;
    return sum;
  }
  // A lower bound of the optimum from α, repaired where A(α) is not negative semidefinite.
  double dual_value(Vector alpha) {
    dual_.set_matrix(alpha, context_);
    EigenRequest request;
    request.pick = Count{1};
    request.tolerance = 1e-7;
    const SparseSum& A = dual_.matrix();
    const bool dense = A.size() <= kDense;
    const EigenPairs top = dense ? EigenSolver(EigenMethod::dense)(DenseOperator{A.dense()}, request, context_)
                                 : eigen_(A, request, context_);
    if (top.values.size() == 0) return -std::numeric_limits<double>::infinity();
    const double above = top.values(0) + top.residual;
    escape_ = top.vectors.col(0);
    above_ = above;
    if (above > 0) {
      if (problem_.repair.size() != alpha.size()) return -std::numeric_limits<double>::infinity();
      alpha += above * problem_.repair;
    }
    return std::visit(
        [&](const auto& each) {
          double sum = 0;
          for (Index k = 0; k < alpha.size(); ++k) sum += alpha(k) * problem_.targets(k) - each.conjugate(alpha(k));
          return problem_.weight * sum;
        },
        problem_.loss);
  }
  const Vector& escape() const { return escape_; }
  double above() const { return above_; }

 private:
  const Problem& problem_;
  Dual& dual_;
  const RunContext& context_;
  EigenSolver eigen_;
  Vector escape_;
  double above_ = 0;
};

RowMatrix newton_move(const Factored& problem, const Factored::Point& now, double damping, Springs& springs,
                      double& foretold, const RunContext& context) {
  const Factored::Curvature curve = problem.curvature(now);
  springs.make(problem.springs(now, curve, damping));
  RowMatrix x = RowMatrix::Zero(now.F.rows(), now.F.cols()), r = -now.gradient, z = springs.solve(r), p = z;
  double rz = inner(r, z);
  const double goal = kFactoredForcing * r.norm();
  for (int k = 0; k < kFactoredProducts && r.norm() > goal; ++k) {
    context.poll();
    const RowMatrix image = problem.product(now, curve, p) + damping * p;
    const double bend = inner(p, image);
    if (!(bend > 1e-14 * p.squaredNorm())) {  // downhill without end in the model: follow it a little
      if (k == 0) x = p * (0.1 * now.F.norm() / std::max(p.norm(), 1e-300));
      break;
    }
    const double step = rz / bend;
    x += step * p;
    r -= step * image;
    z = springs.solve(r);
    const double next = inner(r, z);
    p = z + (next / rz) * p;
    rz = next;
  }
  foretold = -inner(now.gradient, x) - 0.5 * inner(x, problem.product(now, curve, x));
  return x;
}

class FactoredSearch {
 public:
  FactoredSearch(const Problem& problem, const Options& options, const RunContext& context, const RowMatrix& start)
      : problem_(problem),
        options_(options),
        context_(context),
        dual_(problem, context),
        factored_(problem, dual_, context),
        now_(factored_.at(widened(start))),
        best_alpha_(now_.alpha) {}

  StepReport step(int iteration) {
    double foretold = 0;
    const RowMatrix move = newton_move(factored_, now_, damping_, springs_, foretold, context_);
    Factored::Point trial = factored_.at(now_.F + move);
    const double gained = now_.value - trial.value, quality = foretold > 0 ? gained / foretold : (gained > 0 ? 1 : 0);
    const double relative = gained / std::max(std::abs(now_.value), 1e-300);
    if (quality > 0.6) damping_ = std::max(damping_ / 4, 1e-6);
    if (quality < 0.2) damping_ *= 4;
    const bool accepted = gained > 0;
    if (accepted) now_ = std::move(trial);
    const bool settled = accepted && relative < 0.01 * options_.tolerance;
    if (iteration % kStepsBetweenLooks == 0 || settled) {
      look();
      if (settled && relative_gap() > options_.tolerance && factored_.above() > 0) lead_on();
    }
    StepReport report;
    report.objective = now_.value;
    report.measure = std::isfinite(best_dual_) ? relative_gap() : 1.0;
    report.extra = {double(iteration), double(now_.F.cols())};
    history_.push_back(now_.value);
    const bool slow = history_.size() > kPatience &&
                      history_[history_.size() - 1 - kPatience] - now_.value < options_.settled * std::abs(now_.value);
    if (slow || (!accepted && damping_ > 1e16)) {
      if (!std::isfinite(best_dual_)) look();
      report.measure = relative_gap();
      report.stalled = report.measure > options_.tolerance;
      report.note = "the objective does not fall any more, but the dual does not certify it as the optimum";
    }
    return report;
  }

  Result finished(Summary summary) {
    if (!std::isfinite(best_dual_)) {
      try {
        look();
      } catch (const Interrupted&) {  // the kernel is kept without its certificate
      }
    }
    Result result;
    result.summary = std::move(summary);
    result.kernel = factor_of_product(now_.F, kRounding * now_.F.squaredNorm());
    result.eigenvalues = Vector::Zero(result.kernel.weights.size());
    result.primal = now_.value;
    result.dual = best_dual_;
    result.gap = result.primal - result.dual;
    result.relative_gap = std::isfinite(best_dual_) ? relative_gap() : kUnknown;
    result.best.alpha = best_alpha_;
    result.best.measured = problem_.targets - now_.residual;
    result.best.spectrum.count = result.kernel.weights.size();
    result.from = result.best;
    result.evaluations = result.summary.iterations;
    dual_.set_matrix(now_.alpha, context_.uninterrupted());
    result.matrix = dual_.matrix();
    result.summary.used["solver"] = fmt::format("factored, {} columns", now_.F.cols());
    return result;
  }

 private:
  // The start with further columns, small and at random.
  RowMatrix widened(const RowMatrix& start) const {
    const Index n = problem_.base.size();
    RowMatrix F = 1e-3 * std::sqrt(std::max(start.squaredNorm(), 1e-300) / double(n)) *
                  Rng(context_.seed, "kernel_dual_factored").normal_matrix(n, std::max(options_.columns, start.cols()));
    F.rowwise() -= F.colwise().mean().eval();
    F.leftCols(start.cols()) += start;
    return F;
  }
  void look() {
    const double bound = factored_.dual_value(now_.alpha);
    if (bound > best_dual_) best_dual_ = bound, best_alpha_ = now_.alpha;
  }
  double relative_gap() const {
    return std::max(0.0, now_.value - best_dual_) / std::max({std::abs(now_.value), std::abs(best_dual_), 1e-300});
  }
  // A stationary point that is not the optimum: A(α) has a positive eigenvalue, and its vector leads on.
  void lead_on() {
    RowMatrix wider = now_.F;
    Index weakest = 0;
    wider.colwise().norm().minCoeff(&weakest);
    wider.col(weakest) += 0.05 * wider.norm() / std::sqrt(double(wider.cols())) * factored_.escape();
    Factored::Point further = factored_.at(wider);
    if (further.value < now_.value) now_ = std::move(further);
  }

  const Problem& problem_;
  const Options& options_;
  const RunContext& context_;
  Dual dual_;
  Factored factored_;
  Factored::Point now_;
  Springs springs_;
  double damping_ = 1, best_dual_ = -std::numeric_limits<double>::infinity();
  Vector best_alpha_;
  std::vector<double> history_;
};

}  // namespace

Result solve_factored(const Problem& problem, const Options& options, RunContext& context, const RowMatrix& start) {
  FactoredSearch search(problem, options, context, start);
  const StopRule stop{.tolerance = options.tolerance, .max_iterations = options.max_iterations};
  return search.finished(
      iterate([&](int iteration) { return search.step(iteration); }, stop, {"evaluations", "positive"}, context));
}

}  // namespace ritz::kernel_dual
