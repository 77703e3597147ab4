// SPDX-License-Identifier: MIT
// Feasibility at a rank as a smooth problem. Only pairs outside the band enter the gradient; near a solution they are
// few, and the damped Gauss–Newton step on them alone (Levenberg–Marquardt) gets where L-BFGS stalls.

#include <algorithm>
#include <cmath>
#include <optional>

#include "algorithms/isometry/parts.hpp"
#include "linalg/dense/dense.hpp"
#include "linalg/eigen.hpp"
#include "linalg/optimise/lbfgs.hpp"
#include "ritz/base/parallel.hpp"
#include "ritz/linalg/products.hpp"

namespace ritz::isometry {

namespace {

constexpr int kWindow = 60;  // L-BFGS steps in which the hinge must fall by kProgress of itself
constexpr double kProgress = 0.08;
constexpr int kDampedWindow = 8;  // the same for Levenberg–Marquardt
constexpr double kDampedProgress = 0.25;
constexpr double kHopeless = 1.5;      // times δ after L-BFGS: damped steps do not help any more
constexpr double kRounding = 1e-8;     // the points are measured again as they were given
constexpr Index kMostDamped = 20'000;  // pairs of a damped step
constexpr Index kMostFactored = 600;   // of them, whose system is factored
constexpr int kGradients = 40;
constexpr double kInexact = 0.05;  // of the gradient, that conjugate gradients leave
// The least trace: pairs at the edge are pressed out of the band by this share of it, on average.
constexpr double kPress = 0.01;
constexpr int kLeanStages = 3;  // in each the pull is set anew
constexpr int kLeanSteps = 10;

double largest_distortion(const Vector& measured, const Vector& target) {
  return measured.size() == 0 ? 0.0 : (measured - target).cwiseAbs().maxCoeff();
}

// ½Σ out² + ½·pull·‖Ψ‖² at Ψ, whose entries are x, column by column.
Lbfgs::Point point_at(const WorkingSet& set, const Vector& x, Index rows, const Vector& out, double pull,
                      const RunContext& context) {
  const Matrix psi = Eigen::Map<const Matrix>(x.data(), rows, set.columns());
  Matrix slope = 2 * set.adjoint_times(out, Matrix(psi.transpose()), context).transpose();
  if (pull > 0) slope += pull * psi;
  Lbfgs::Point point;
  point.x = x;
  point.value = 0.5 * out.squaredNorm() + 0.5 * pull * x.squaredNorm();
  point.gradient = Eigen::Map<const Vector>(slope.data(), slope.size());
  return point;
}

struct Search {
  const WorkingSet& set;
  double delta, inner, enough;
  const Options& options;
  const RunContext& context;
  Index r, d;
  Attempt best;

  bool done() const { return best.distortion <= enough * (1 - kRounding); }
  void offer(const Matrix& psi, double distortion) {
    if (!(distortion >= best.distortion)) best.psi = psi, best.distortion = distortion;
  }

  Matrix by_lbfgs(const Matrix& start) {
    const auto evaluate = [&](const Vector& x) {
      context.agree();
      const Matrix psi = Eigen::Map<const Matrix>(x.data(), r, d);
      const Vector measured = set.measured(psi, context);
      offer(psi, largest_distortion(measured, set.target()));
      return point_at(set, x, r, excess(measured, set.target(), inner), 0, context);
    };
    Lbfgs search(evaluate(Eigen::Map<const Vector>(start.data(), start.size())));
    std::vector<double> values{search.now().value};
    for (int k = 0; k < options.steps() && !done(); ++k) {
      if (!search.step(evaluate)) break;
      ++best.iterations;
      values.push_back(search.now().value);
      const std::size_t n = values.size();
      if (n > kWindow && values[n - 1] > (1 - kProgress) * values[n - 1 - kWindow]) break;
    }
    return Eigen::Map<const Matrix>(search.now().x.data(), r, d);
  }

  void by_damped_steps(Matrix psi) {
    Vector measured = set.measured(psi, context), out = excess(measured, set.target(), inner);
    double value = 0.5 * out.squaredNorm(), damping = 1e-2;
    std::vector<double> values{value};
    for (int k = 0; k < options.steps() && !done() && value > 0; ++k) {
      context.agree();
      std::vector<Index> which;
      for (Index i = 0; i < out.size(); ++i)
        if (out(i) != 0) which.push_back(i);
      if (Index(which.size()) > kMostDamped) return;
      Vector e(Index(which.size()));
      for (std::size_t i = 0; i < which.size(); ++i) e(Index(i)) = out(which[i]);
      const RowMatrix V = set.secants(which);
      const Linearised model(V, product(V, Matrix(psi.transpose())), e);
      bool moved = false;
      for (int tries = 0; tries < 12 && !moved; ++tries) {
        const auto step = model.step(damping);
        if (!step) {
          damping *= 4;
          continue;
        }
        const Matrix next = psi + *step;
        const Vector there = set.measured(next, context), outside = excess(there, set.target(), inner);
        const double reached = 0.5 * outside.squaredNorm();
        if (reached < value) {
          psi = next, measured = there, out = outside, value = reached;
          damping = std::max(damping / 4, 1e-12);
          moved = true;
        } else {
          damping *= 4;
        }
      }
      if (!moved) return;
      ++best.iterations;
      offer(psi, largest_distortion(measured, set.target()));
      values.push_back(value);
      const std::size_t n = values.size();
      if (n > kDampedWindow && values[n - 1] > (1 - kDampedProgress) * values[n - 1 - kDampedWindow]) return;
    }
  }
};

}  // namespace

Vector excess(const Vector& measured, const Vector& target, double inner) {
  Vector out(measured.size());
  for (Index i = 0; i < out.size(); ++i) {
    const double off = measured(i) - target(i);
    out(i) = off > inner ? off - inner : off < -inner ? off + inner : 0.0;
  }
  return out;
}

Linearised::Linearised(Matrix secants, Matrix images, const Vector& outside)
    : V_(std::move(secants)), Y_(std::move(images)), e_(outside) {
  if (V_.rows() <= kMostFactored)
    system_ = 4 * product(Y_, Matrix(Y_.transpose())).cwiseProduct(product(V_, Matrix(V_.transpose())));
  double trace = 0;
  for (Index i = 0; i < V_.rows(); ++i) trace += 4 * Y_.row(i).squaredNorm() * V_.row(i).squaredNorm();
  mean_ = std::max(trace / double(std::min(V_.rows(), Y_.cols() * V_.cols())), 1e-300);
}

Vector Linearised::across(const Matrix& along) const {
  return 2 * product(V_, Matrix(along.transpose())).cwiseProduct(Y_).rowwise().sum();
}

Matrix Linearised::back(const Vector& z) const { return 2 * transposed_product(Matrix(z.asDiagonal() * Y_), V_); }

Matrix Linearised::by_gradients(double damping) const {
  Matrix rest = -back(e_), x = Matrix::Zero(rest.rows(), rest.cols()), aim = rest;
  double size = rest.squaredNorm();
  const double enough = kInexact * kInexact * size;
  for (int k = 0; k < kGradients && size > enough; ++k) {
    const Vector image = across(aim);
    const double length = size / (image.squaredNorm() + damping * mean_ * aim.squaredNorm());
    x += length * aim;
    rest -= length * (back(image) + damping * mean_ * aim);
    const double next = rest.squaredNorm();
    aim = rest + next / size * aim;
    size = next;
  }
  return x;
}

std::optional<Matrix> Linearised::step(double damping) const {
  if (system_.size() == 0) return by_gradients(damping);
  Matrix damped = system_;
  damped.diagonal().array() += damping * mean_;
  const Cholesky factor(std::move(damped));
  if (!factor.definite()) return std::nullopt;
  return -back(factor.solve(e_));
}

HingeValue hinge(const WorkingSet& set, const Matrix& psi, double delta, const RunContext& context) {
  const Vector measured = set.measured(psi, context);
  const Vector out = excess(measured, set.target(), delta * (1 - kInside));
  return {0.5 * out.squaredNorm(), largest_distortion(measured, set.target()),
          2 * set.adjoint_times(out, Matrix(psi.transpose()), context).transpose()};
}

Vector growth_direction(const WorkingSet& set, const Matrix& psi, double delta, const RunContext& context) {
  const Vector out = excess(set.measured(psi, context), set.target(), delta * (1 - kInside));
  DenseOperator slope{set.adjoint(out, context)};
  const EigenPairs lowest = EigenSolver()(slope, {.end = End::smallest, .tolerance = 1e-6}, context);
  if (lowest.values.size() == 0 || !(lowest.values(0) < 0)) return {};
  const Vector u = lowest.vectors.col(0);
  // Along t·uuᵀ the hinge changes by t·uᵀSu + t²/2·Σ (uᵀv)⁴ over the pairs outside.
  const Vector along = set.measured(u.transpose(), context);
  double curvature = 0;
  for (Index i = 0; i < out.size(); ++i)
    if (out(i) != 0) curvature += along(i) * along(i);
  return std::sqrt(-lowest.values(0) / std::max(curvature, 1e-300)) * u;
}

Matrix leaner(const WorkingSet& set, const Matrix& start, double delta, const RunContext& context) {
  const SingleThreadedBlas hold;
  const Index r = start.rows(), d = start.cols();
  Matrix psi = start;
  for (int stage = 0; stage < kLeanStages; ++stage) {
    const auto outside = [&](const Matrix& at) { return excess(set.measured(at, context), set.target(), delta); };
    const Vector out = outside(psi);
    const Index pressed = std::max<Index>((out.array() != 0).count(), r);
    const double pull = 2 * (1 - delta) * kPress * delta * double(pressed) / psi.squaredNorm();
    const auto evaluate = [&](const Vector& x) {
      context.agree();
      return point_at(set, x, r, outside(Eigen::Map<const Matrix>(x.data(), r, d)), pull, context);
    };
    Lbfgs search(evaluate(Eigen::Map<const Vector>(psi.data(), psi.size())));
    for (int step = 0; step < kLeanSteps; ++step)
      if (!search.step(evaluate)) break;
    psi = Eigen::Map<const Matrix>(search.now().x.data(), r, d);
  }
  return psi;
}

Attempt hinge_attempt(const WorkingSet& set, const Matrix& start, double delta, double enough, const Options& options,
                      const RunContext& context) {
  Search search{set, delta, delta * (1 - kInside), enough, options, context, start.rows(), start.cols(), {}};
  const SingleThreadedBlas hold;
  const Matrix last = search.by_lbfgs(start);
  if (!search.done() && search.best.distortion < kHopeless * delta) search.by_damped_steps(last);
  search.best.reached = search.done();
  return std::move(search.best);
}

}  // namespace ritz::isometry
