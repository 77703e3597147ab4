// SPDX-License-Identifier: MIT
// The smoothed dual: its value, gradient and curvature, and Newton's method on the simplex.
#include <algorithm>
#include <cmath>

#include "algorithms/center/parts.hpp"
#include "linalg/optimise/simplex_qp.hpp"
#include "linalg/tall_products.hpp"
#include "ritz/base/parallel.hpp"
#include "ritz/linalg/products.hpp"

namespace ritz::center {

namespace {

Index leading(const Vector& gamma) {  // how many have γ > 0
  Index s = 0;
  while (s < gamma.size() && gamma(s) > 0) ++s;
  return s;
}

// A smoothing that mixes few eigenvectors beyond the k first: the eigenvalues of unlike subspaces lie close together.
double spread(const Vector& e, Index k) {
  constexpr double kSmallest = 1e-4;
  const Index last = e.size() - 1;
  return std::max(kSmallest, 0.5 * (e(std::min(k - 1, last)) - e(std::min(3 * k + 10, last))));
}

}  // namespace

DualPoint dual_point(const Collection& all, const Vector& weights, Index k, double mu, const Matrix& center,
                     const RunContext& context) {
  DualPoint at;
  at.weights = weights;
  Matrix S = weighted_sum(all, weights, context);
  const double capped = caps(all, k).dot(weights);
  const Index first = std::min(k, S.rows());
  if (center.size() > 0) {
    at.value = capped - symmetric_values(S).head(first).sum();
    S += mu * center;
  }
  at.spectrum = symmetric_eigen(std::move(S));
  const Vector& e = at.spectrum.values;
  if (center.size() == 0) at.value = capped - e.head(first).sum();
  at.gamma = mixture(e, k, mu);
  at.smooth = capped - at.gamma.dot(e) + 0.5 * mu * at.gamma.squaredNorm();
  const Index s = leading(at.gamma);
  at.gradient = mixed_distances(all, at.spectrum.vectors.leftCols(s), at.gamma.head(s), k, context);
  at.bound = at.gradient.maxCoeff();
  return at;
}

// −∇²d_μ = Σ_ab Γ_ab·(A_i)_ab·(A_j)_ab in the eigenbasis, Γ the divided differences of γ over the eigenvalues; θ moves
// along so that Σγ stays k, which takes the mean off the diagonal entries of the fractional block. Each term is an
// inner product of features, so nothing cancels however small μ is.
Matrix dual_curvature(const Collection& all, const DualPoint& at, double mu, const RunContext& context) {
  const Index m = all.size(), r = all.ambient(), s = leading(at.gamma);
  const Vector &e = at.spectrum.values, &gamma = at.gamma;
  Index whole = 0;  // γ = 1
  while (whole < s && gamma(whole) >= 1) ++whole;
  const Index fractional = s - whole;
  Matrix root = Matrix::Zero(s, r);  // √ of the weight of entry (a, b), b ≥ a
  for (Index a = 0; a < s; ++a)
    for (Index b = std::max(a, whole); b < r; ++b) {
      const bool both = a >= whole && b < s;
      const double apart = e(a) - e(b), rise = gamma(a) - (b < s ? gamma(b) : 0.0);
      const double slope = both || rise > apart / mu ? 1 / mu : rise / apart;  // γ rises by at most 1/μ
      root(a, b) = std::sqrt((a == b ? 1.0 : 2.0) * slope);
    }
  RowMatrix F(m, s * (r - whole));
  const RowMatrix Y = tall_product(all.vectors, at.spectrum.vectors, context);
  for_each_tile(m, context, [&](Index i) {
    const Index first = all.begin[std::size_t(i)], p = all.dimension(i);
    // (A_i)_ab for a < s and b ≥ whole: no two with γ = 1 meet.
    RowMatrix head(s, r - whole);
    row_gemm(s, r - whole, p, 1, {Y.data() + first * r, r}, Transpose::yes, {Y.data() + first * r + whole, r},
             Transpose::no, 0, {head.data(), head.cols()});
    double mean = 0;
    for (Index a = whole; a < s; ++a) mean += head(a, a - whole) / double(fractional);
    for (Index a = whole; a < s; ++a) head(a, a - whole) -= mean;
    for (Index a = 0; a < s; ++a)
      F.row(i).segment(a * (r - whole), r - whole) = head.row(a).cwiseProduct(root.row(a).tail(r - whole));
  });
  return row_gram(F, context);
}

DualFit maximise_dual(const Collection& part, Index k, const Vector& start, Matrix center, double tolerance,
                      const RunContext& context) {
  constexpr int kMostSteps = 40, kMostCenters = 200;
  constexpr double kFirstMu = 0.05;     // eigenvalues lie in [0, 1]
  constexpr double kSmallestMu = 2e-3;  // of the first
  constexpr double kArmijo = 1e-4, kShorter = 0.4, kShortest = 1e-4;
  constexpr double kRounding = 1e-13;    // values that differ by less are not told apart
  constexpr double kSingular = 1e-14;    // of the mean curvature: makes a step defined where weights do not matter
  constexpr double kNewtonsShare = 0.3;  // of the bracket: with less of it left a new centre gains more
  constexpr int kFruitless = 8;          // centres in a row that close the bracket by less than a tenth
  DualFit fit;
  const double first_mu = std::min(kFirstMu, spread(symmetric_values(weighted_sum(part, start, context)), k));
  double mu = first_mu;
  const auto evaluate = [&](const Vector& weights) {
    ++fit.evaluations;
    context.agree();
    return dual_point(part, weights, k, mu, center, context);
  };
  DualPoint at = evaluate(start), best = at;
  // The bracket's ends may come from different points; P belongs to the upper one, λ to the lower.
  const auto keep = [&](const DualPoint& point) {
    const bool higher = point.value > best.value;
    const Vector weights = higher ? point.weights : best.weights;
    const double value = std::max(point.value, best.value);
    if (point.bound < best.bound) best = point;
    best.weights = weights;
    best.value = value;
  };
  const auto closed = [&] { return best.bound - best.value <= tolerance; };
  int fruitless = 0;
  for (int centers = 0; centers < kMostCenters && !closed(); ++centers) {
    const double before = best.bound - best.value;
    int steps = 0;
    for (; steps < kMostSteps && !closed(); ++steps) {
      // Of the bracket, this part is left to Newton's method; the rest is the distance of P from the centre.
      const double left = at.bound - at.weights.dot(at.gradient);
      if (steps > 0 && left <= kNewtonsShare * (at.bound - at.value)) break;
      Matrix H = dual_curvature(part, at, mu, context);
      H.diagonal().array() += kSingular * H.trace() / double(H.rows());
      const Vector aim = maximise_on_simplex(H, at.gradient + H * at.weights, at.weights, context).x;
      const Vector move = aim - at.weights;
      const double gain = at.gradient.dot(move);
      if (!(gain > 0)) break;
      // Enough by value; or by slope, where the values differ by less than rounding: along a concave function all is
      // well as long as it does not fall steeply at the end.
      double step = 1;
      DualPoint next = evaluate(aim);
      const auto enough = [&] {
        return next.smooth >= at.smooth + kArmijo * step * gain ||
               (std::abs(next.smooth - at.smooth) < kRounding && next.gradient.dot(move) >= -0.5 * gain);
      };
      while (!enough() && step > kShortest) {
        step *= kShorter;
        next = evaluate(at.weights + step * move);
      }
      keep(next);
      if (!enough()) break;  // rounding: nothing more to gain around this centre
      at = std::move(next);
    }
    if (closed()) break;
    fruitless = best.bound - best.value > 0.9 * before ? fruitless + 1 : 0;
    if (fruitless > kFruitless) break;
    const Index s = leading(at.gamma);
    center = product(at.spectrum.vectors.leftCols(s) * at.gamma.head(s).asDiagonal(),
                     at.spectrum.vectors.leftCols(s).transpose());
    mu = steps <= 4 ? std::max(kSmallestMu * first_mu, 0.3 * mu) : steps > 10 ? std::min(first_mu, 2 * mu) : mu;
    at = evaluate(at.weights);
    keep(at);
  }
  fit.point = std::move(best);
  return fit;
}

}  // namespace ritz::center
