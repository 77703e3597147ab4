// SPDX-License-Identifier: MIT
// A drawn cloud of points, and how far a projection stretches and shrinks the distances between them.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "ritz/base/random.hpp"
#include "ritz/pairs/distance_sweep.hpp"

namespace ritz::test {

inline RowMatrix cloud(Index n, Index d, std::uint64_t seed) {
  // Unequal spreads, so that directions matter.
  RowMatrix X = Rng(seed, "test cloud").normal_matrix(n, d);
  for (Index c = 0; c < d; ++c) X.col(c) *= std::pow(0.8, double(c));
  return X;
}

inline std::vector<WeightedPair> all_pairs(Index n) {
  std::vector<WeightedPair> pairs;
  for (Index a = 0; a < n; ++a)
    for (Index b = a + 1; b < n; ++b) pairs.push_back({a, b, 1.0});
  return pairs;
}

inline double ratio(const RowMatrix& X, const Matrix& psi, Index a, Index b) {
  const Vector difference = (X.row(a) - X.row(b)).transpose();
  return (psi * difference).squaredNorm() / difference.squaredNorm();
}

struct Extremes {
  double lowest = 1e300, highest = 0, distortion = 0;
  Index pairs = 0, beyond = 0;
};
// An independent double loop.
inline Extremes measured(const RowMatrix& X, const Matrix& psi, double band = 1e300) {
  Extremes found;
  for (Index a = 0; a < X.rows(); ++a)
    for (Index b = a + 1; b < X.rows(); ++b) {
      if (X.row(a) == X.row(b)) continue;
      const double q = ratio(X, psi, a, b);
      found.lowest = std::min(found.lowest, q);
      found.highest = std::max(found.highest, q);
      found.distortion = std::max(found.distortion, std::abs(q - 1));
      found.beyond += std::abs(q - 1) > band;
      ++found.pairs;
    }
  return found;
}

}  // namespace ritz::test
