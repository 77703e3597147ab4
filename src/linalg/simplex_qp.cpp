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

// The best x on Σx = 1 with only the free entries: H_FF·y = g_F − ν, Σy = 1.
Vector best_of_free(const Matrix& H, const Vector& g, const std::vector<Index>& free, double ridge) {
  const Index f = Index(free.size());
  Matrix part(f, f);
  Vector right(f);
  for (Index b = 0; b < f; ++b) {
    for (Index a = 0; a < f; ++a) part(a, b) = H(free[std::size_t(a)], free[std::size_t(b)]);
    right(b) = g(free[std::size_t(b)]);
  }
  const double middle = right.mean();  // taken off: ν absorbs it, and its digits would be lost in the solve
  right.array() -= middle;
  Eigen::LLT<Matrix> factor;
  const double least = std::numeric_limits<double>::epsilon() * std::max(part.trace() / double(f), 1e-200);
  for (double shift = ridge;; shift = std::max(least, 100 * shift)) {
    Matrix shifted = part;
    shifted.diagonal().array() += shift;
    factor.compute(shifted);
    if (factor.info() == Eigen::Success) break;
  }
  const Vector of_g = factor.solve(right), of_one = factor.solve(Vector::Ones(f));
  const double nu = (of_g.sum() - 1) / of_one.sum();
  return of_g - nu * of_one;
}

}  // namespace

SimplexQp maximise_on_simplex(const Matrix& H, const Vector& g, const Vector& start, double ridge) {
  const Index m = g.size();
  if (m == 0 || H.rows() != m || H.cols() != m || start.size() != m)
    throw Error(ErrorCode::bad_shape, "a quadratic programme whose parts differ in size");
  const double shift = ridge * H.trace() / double(m);
  SimplexQp found;
  found.x = start.cwiseMax(0.0);
  found.x /= found.x.sum();
  std::vector<Index> free;
  for (Index i = 0; i < m; ++i)
    if (found.x(i) > 0) free.push_back(i);
  const int limit = 20 * int(m) + 100;  // a guard against cycles of degenerate steps
  constexpr double kNoise = 64 * std::numeric_limits<double>::epsilon();
  while (found.iterations++ < limit) {
    const Vector y = best_of_free(H, g, free, shift);
    // As far towards y as all stay positive; who stops it is fixed at 0.
    double step = 1;
    std::size_t blocking = free.size();
    for (std::size_t a = 0; a < free.size(); ++a) {
      const double x = found.x(free[a]), move = y(Index(a)) - x;
      if (move < 0 && x < -step * move) {
        step = x / -move;
        blocking = a;
      }
    }
    for (std::size_t a = 0; a < free.size(); ++a) {
      double& x = found.x(free[a]);
      x = step == 1 ? y(Index(a)) : std::max(0.0, x + step * (y(Index(a)) - x));
    }
    if (blocking < free.size()) {
      found.x(free[blocking]) = 0;
      free.erase(free.begin() + std::ptrdiff_t(blocking));
      if (!free.empty()) continue;
    }
    const Vector slope = g - H * found.x;
    double most = -std::numeric_limits<double>::infinity(), size = 0;
    Index entering = 0;
    found.multiplier = 0;
    for (const Index i : free) found.multiplier += found.x(i) * slope(i);
    for (Index i = 0; i < m; ++i) {
      size = std::max(size, std::abs(slope(i)));
      if (found.x(i) == 0 && slope(i) > most) most = slope(i), entering = i;
    }
    if (!(most > found.multiplier + kNoise * size)) break;
    if (std::ranges::find(free, entering) != free.end()) break;  // free, and rounded to 0
    free.push_back(entering);
    std::ranges::sort(free);
  }
  found.x /= found.x.sum();
  const Vector slope = g - H * found.x;
  found.multiplier = found.x.dot(slope);
  found.violation = slope.maxCoeff() - found.multiplier;
  for (Index i = 0; i < m; ++i)
    if (found.x(i) > 0) found.violation = std::max(found.violation, found.multiplier - slope(i));
  return found;
}

}  // namespace ritz
