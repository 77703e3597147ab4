// SPDX-License-Identifier: MIT
#include "linalg/optimise/simplex_qp.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "linalg/dense/dense.hpp"
#include "ritz/base/error.hpp"
#include "ritz/base/parallel.hpp"

namespace ritz {

namespace {

// H on the free entries, factored.
class FreeEquations {
 public:
  void factor(const Matrix& H, const std::vector<Index>& free) {
    const Index f = Index(free.size());
    Matrix part(f, f);
    for (Index b = 0; b < f; ++b)
      for (Index a = 0; a < f; ++a) part(a, b) = H(free[std::size_t(a)], free[std::size_t(b)]);
    constexpr double kShift = 1e-14;  // of the largest entry: what Cholesky needs of a singular matrix, and no more
    const double least = kShift * std::max(part.diagonal().maxCoeff(), 1e-200);
    for (double shift = least;; shift *= 10) {
      Matrix shifted = part;
      shifted.diagonal().array() += shift;
      factor_ = Cholesky(std::move(shifted));
      if (factor_.definite()) break;
      if (!std::isfinite(shift)) throw std::runtime_error("a quadratic programme that is not finite");
    }
    of_one_ = factor_.solve(Vector::Ones(f));
  }
  // The change p with Σp = 0 that maximises slopeᵀp − ½pᵀHp.
  Vector change(Vector slope) const {
    slope.array() -= slope.mean();  // a constant does not matter, and its digits would be lost in the solve
    const Vector p = factor_.solve(slope);
    Vector change = p - p.sum() / of_one_.sum() * of_one_;
    change.array() -= change.mean();
    return change;
  }

 private:
  Cholesky factor_;
  Vector of_one_;
};

double value_of(const Vector& g, const Vector& x, const Vector& slope) { return 0.5 * x.dot(g + slope); }

// Moves x along p. All the way, with everything that becomes negative fixed at 0, where that is better than before;
// else only until the first becomes 0. Returns whether it went all the way within the simplex.
bool move(const Matrix& H, const Vector& g, std::vector<Index>& free, const Vector& p, Vector& x, Vector& slope,
          bool& factored) {
  double step = 1;
  std::size_t blocking = free.size(), negative = 0;
  for (std::size_t a = 0; a < free.size(); ++a)
    if (p(Index(a)) < 0 && x(free[a]) < -p(Index(a))) {
      ++negative;
      if (x(free[a]) < -step * p(Index(a))) {
        step = x(free[a]) / -p(Index(a));
        blocking = a;
      }
    }
  const auto moved = [&](double length) {
    Vector next = x;
    for (std::size_t a = 0; a < free.size(); ++a) next(free[a]) = std::max(0.0, x(free[a]) + length * p(Index(a)));
    return Vector(next / next.sum());
  };
  Vector next = moved(1), next_slope = g - H * next;
  const bool inside = negative == 0;
  if (!inside) {
    const bool all = negative > 1 && value_of(g, next, next_slope) > value_of(g, x, slope);
    if (!all) {
      next = moved(step);
      next(free[blocking]) = 0;
      next /= next.sum();
      next_slope = g - H * next;
    }
    const std::vector<Index> before = free;
    std::erase_if(free, [&, a = std::size_t(0)](Index i) mutable {
      const bool stuck = step == 0 && x(i) == 0 && p(Index(a)) < 0;  // freed in vain
      ++a;
      return next(i) == 0 && (all || stuck || i == before[blocking]);
    });
    factored = false;
  }
  x = std::move(next);
  slope = std::move(next_slope);
  return inside;
}

}  // namespace

SimplexQp maximise_on_simplex(const Matrix& H, const Vector& g, const Vector& start, const RunContext& context) {
  const Index m = g.size();
  if (m == 0 || H.rows() != m || H.cols() != m || start.size() != m)
    throw Error(ErrorCode::bad_shape, "a quadratic programme whose parts differ in size");
  const SingleThreadedBlas hold;
  SimplexQp found;
  Vector& x = found.x;
  x = start.cwiseMax(0.0);
  x /= x.sum();
  std::vector<Index> free;
  for (Index i = 0; i < m; ++i)
    if (x(i) > 0) free.push_back(i);
  constexpr int kBold = 60;               // steps that may free many entries at a time
  const int limit = kBold + 20 * int(m);  // a guard against cycles of degenerate steps
  constexpr int kRefinements = 10;        // of a full step, at most: the equations are solved for what is left
  constexpr double kNoise = 16 * std::numeric_limits<double>::epsilon();
  FreeEquations equations;
  bool factored = false;
  int refined = 0;
  Vector slope = g - H * x;
  while (found.iterations++ < limit) {
    context.poll();
    if (!factored) equations.factor(H, free);
    factored = true;
    Vector of_free(Index(free.size()));
    for (std::size_t a = 0; a < free.size(); ++a) of_free(Index(a)) = slope(free[a]);
    const Vector p = equations.change(of_free);
    if (!move(H, g, free, p, x, slope, factored)) {
      refined = 0;
      continue;
    }
    found.multiplier = x.dot(slope);
    double uneven = 0;
    for (const Index i : free) uneven = std::max(uneven, std::abs(slope(i) - found.multiplier));
    if (uneven > kNoise * slope.cwiseAbs().maxCoeff() && ++refined < kRefinements) continue;
    std::vector<Index> entering;
    const double level = found.multiplier + kNoise * slope.cwiseAbs().maxCoeff();
    for (Index i = 0; i < m; ++i)
      if (slope(i) > level && !std::ranges::binary_search(free, i)) entering.push_back(i);
    if (entering.empty()) break;
    // Several at a time while that goes well; one, which cannot go wrong, when it has not for a while.
    const bool careful = found.iterations > kBold;
    if (careful) entering = {*std::ranges::max_element(entering, {}, [&](Index i) { return slope(i); })};
    free.insert(free.end(), entering.begin(), entering.end());
    std::ranges::sort(free);
    factored = false;
    refined = 0;
  }
  found.multiplier = x.dot(slope);
  found.violation = slope.maxCoeff() - found.multiplier;
  for (Index i = 0; i < m; ++i)
    if (x(i) > 0) found.violation = std::max(found.violation, found.multiplier - slope(i));
  return found;
}

}  // namespace ritz
