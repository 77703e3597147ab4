// SPDX-License-Identifier: MIT
// P.-A. Absil, C. Baker, K. Gallivan, Trust-region methods on Riemannian manifolds (2007), on the Grassmann manifold,
// as N. Boumal and P.-A. Absil use it (2011): F depends on the span of W only.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "algorithms/ism/parts.hpp"
#include "linalg/subspace.hpp"

namespace ritz::ism {

namespace {

constexpr double kAccept = 0.1, kPoor = 0.25, kGood = 0.75, kSmallestRadius = 1e-12;
constexpr double kInnerReduction = 0.1;  // of the model's gradient, and its own size besides: quadratic at the end
constexpr int kMostProducts = 200;

// M: E ↦ 2(EΛ − ΦE) without its sign and with a floor, the part of −H that Φ makes: ISM converges where the rest is
// small, and conjugate gradients then need a few products only. The identity far from a maximum, where steps end at the
// boundary and a ball of equal angles is the better trust region, and where Φ is too large to decompose.
class Preconditioner {
 public:
  Preconditioner(const PhiMatrix& phi, const Matrix& W, double norm, double residual, const RunContext& context)
      : W_(W) {
    const Index d = W.rows(), q = W.cols();
    if (residual > kNearby || d > kDirectSize) return;
    EigenSolver eigen(EigenMethod::dense);
    const auto all = [&](const Matrix& symmetric) {
      return eigen(DenseOperator{0.5 * (symmetric + symmetric.transpose())}, {.pick = Count{symmetric.rows()}},
                   context);
    };
    const EigenPairs in = all(W.transpose() * phi.times(W)), out = all(outside(W, outside(W, phi.dense()).transpose()));
    inner_ = in.vectors;
    outer_ = out.vectors;
    scale_.resize(d, q);
    for (Index j = 0; j < q; ++j)
      scale_.col(j) = ((in.values[j] - out.values.array()).abs() / (kFloor * norm)).max(1.0);
  }
  Matrix solve(const Matrix& r) const {  // M⁻¹r, M divided by its floor: ‖E‖² <= ⟨E, ME⟩, so that a radius stays one
    if (scale_.size() == 0) return r;
    const Matrix rotated = transposed_product(outer_, r) * inner_;
    return outside(W_, product(outer_, rotated.cwiseQuotient(scale_)) * inner_.transpose());
  }

 private:
  static constexpr double kFloor = 1e-3, kNearby = 1e-3;
  const Matrix& W_;
  Matrix inner_, outer_, scale_;
};

struct ModelStep {
  Matrix E;  // tangent
  double gain = 0;
  int products = 0;
  bool at_boundary = false;
};

// Steihaug and Toint: conjugate gradients for the model ⟨g, E⟩ + ½⟨E, H E⟩ → max over ⟨E, ME⟩ <= radius², left at the
// boundary or where the curvature is not negative. `relative` is the size of g on the scale of the stop rule.
ModelStep truncated_cg(const TangentHessian& hessian, const Preconditioner& precondition, const Matrix& g,
                       double relative, double radius, const RunContext& context) {
  ModelStep step{.E = Matrix::Zero(g.rows(), g.cols())};
  Matrix r = g, p = precondition.solve(g), HE = step.E;  // r: the model's gradient at E
  double zr = inner(p, r), EE = 0, Ep = 0, pp = zr;      // the last three in the inner product of M
  const double enough = r.norm() * std::min(relative, kInnerReduction);
  while (step.products < kMostProducts) {
    const Matrix Hp = hessian(p, context);
    ++step.products;
    const double curvature = -inner(p, Hp), alpha = zr / curvature;
    const double next_EE = EE + 2 * alpha * Ep + alpha * alpha * pp;
    step.at_boundary = !(curvature > 0) || next_EE >= radius * radius;
    const double length = step.at_boundary ? (-Ep + std::sqrt(Ep * Ep + pp * (radius * radius - EE))) / pp : alpha;
    step.E += length * p;
    HE += length * Hp;
    if (step.at_boundary) break;
    r += length * Hp;
    if (r.norm() <= enough) break;
    const Matrix z = precondition.solve(r);
    const double next = inner(z, r), beta = next / zr;
    p = z + beta * p;
    Ep = beta * (Ep + alpha * pp);
    pp = next + beta * beta * pp;
    EE = next_EE;
    zr = next;
  }
  step.gain = inner(g, step.E) + 0.5 * inner(step.E, HE);
  return step;
}

}  // namespace

Climb climb_gm(const Setting& setting, Matrix start, int max_iterations, RunContext& context) {
  Climb climb{.W = std::move(start)};
  climb.sums = setting.sums(climb.W, context);
  climb.start_objective = climb.sums->objective;
  double norm = spectral_bounds(climb.sums->phi.view(), context).norm();
  const double largest = std::numbers::pi / 2 * std::sqrt(double(climb.W.cols()));  // the manifold's diameter
  double radius = largest / 8;

  const auto step = [&](int) -> StepReport {
    const double F = climb.sums->objective, size = residual(climb.sums->phi, climb.W, norm);
    if (size <= setting.options.tolerance) return {F, size, {size, radius, 0.0, 0.0}};
    const Matrix g = 2 * outside(climb.W, climb.sums->phi.times(climb.W));
    ModelStep model;
    {
      const PhaseTimer timer(setting.seconds, "hessian");
      const TangentHessian hessian(setting.problem, setting.pass, climb.sums->phi, climb.W);
      const Preconditioner precondition(climb.sums->phi, climb.W, norm, size, context);
      model = truncated_cg(hessian, precondition, g, size, radius, context);
    }
    // F is told by the cheap sweep; Φ, which costs d/q times as much, is formed for the steps that are taken.
    const Matrix W = orthonormalise(climb.W + model.E).basis;
    const double next_F = setting.objective(W, context), rounding = kObjectiveRounding * std::abs(F);
    const double agreement = (next_F - F + rounding) / (model.gain + rounding);
    double next_radius = radius;
    if (!(agreement >= kPoor))
      next_radius = radius / 4;
    else if (agreement > kGood && model.at_boundary)
      next_radius = std::min(2 * radius, largest);
    StepReport report{F, size, {size, radius, 0.0, double(model.products)}};
    if (agreement > kAccept && next_F >= F - rounding) {
      PairSums sums = setting.sums(W, context);
      norm = spectral_bounds(sums.phi.view(), context).norm();
      const double moved = projector_distance(W, climb.W);
      climb.W = W;
      climb.sums = std::move(sums);
      const double next_size = residual(climb.sums->phi, climb.W, norm);
      report = {climb.sums->objective, next_size, {next_size, radius, moved, double(model.products)}};
    } else if (next_radius < kSmallestRadius) {
      report.stalled = true;
      report.note = kNoClimb;
    }
    radius = next_radius;
    return report;
  };
  const StopRule stop{.tolerance = setting.options.tolerance, .max_iterations = max_iterations};
  climb.summary = iterate(step, stop, {"residual", "radius", "moved", "products"}, context,
                          [&](Archive& archive) { archive(climb.W, climb.sums, norm, radius, setting.pass); });
  if (climb.summary.iterations == 0) climb.summary.objective = climb.sums->objective;
  return climb;
}

}  // namespace ritz::ism
