// SPDX-License-Identifier: MIT
#include "ritz/linalg/simplex_qp.hpp"

#include <Eigen/Cholesky>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "ritz/base/error.hpp"

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
      factor_.compute(shifted);
      if (factor_.info() == Eigen::Success) break;
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
  Eigen::LLT<Matrix> factor_;
  Vector of_one_;
};

}  // namespace

SimplexQp maximise_on_simplex(const Matrix& H, const Vector& g, const Vector& start) {
  const Index m = g.size();
  if (m == 0 || H.rows() != m || H.cols() != m || start.size() != m)
    throw Error(ErrorCode::bad_shape, "a quadratic programme whose parts differ in size");
  SimplexQp found;
  Vector& x = found.x;
  x = start.cwiseMax(0.0);
  x /= x.sum();
  std::vector<Index> free;
  for (Index i = 0; i < m; ++i)
    if (x(i) > 0) free.push_back(i);
  const int limit = 20 * int(m) + 100;  // a guard against cycles of degenerate steps
  constexpr int kRefinements = 2;       // of a full step: the equations are solved for what is left
  constexpr double kNoise = 16 * std::numeric_limits<double>::epsilon();
  FreeEquations equations;
  bool factored = false;
  int refined = 0;
  Vector slope = g - H * x;
  while (found.iterations++ < limit) {
    if (!factored) equations.factor(H, free);
    factored = true;
    Vector of_free(Index(free.size()));
    for (std::size_t a = 0; a < free.size(); ++a) of_free(Index(a)) = slope(free[a]);
    const Vector p = equations.change(of_free);
    // As far along p as all stay positive; who stops it is fixed at 0.
    double step = 1;
    std::size_t blocking = free.size();
    for (std::size_t a = 0; a < free.size(); ++a)
      if (p(Index(a)) < 0 && x(free[a]) < -step * p(Index(a))) {
        step = x(free[a]) / -p(Index(a));
        blocking = a;
      }
    for (std::size_t a = 0; a < free.size(); ++a) x(free[a]) = std::max(0.0, x(free[a]) + step * p(Index(a)));
    if (blocking < free.size()) {
      x(free[blocking]) = 0;
      free.erase(free.begin() + std::ptrdiff_t(blocking));
      factored = false;
      refined = 0;
    }
    x /= x.sum();
    slope = g - H * x;
    if (!factored || ++refined < kRefinements) continue;
    found.multiplier = x.dot(slope);
    Index entering = -1;
    for (Index i = 0; i < m; ++i)
      if (!std::ranges::binary_search(free, i) && (entering < 0 || slope(i) > slope(entering))) entering = i;
    if (entering < 0 || !(slope(entering) > found.multiplier + kNoise * slope.cwiseAbs().maxCoeff())) break;
    free.insert(std::ranges::lower_bound(free, entering), entering);
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
