// SPDX-License-Identifier: MIT
// What brute-force searches for neighbours share: the distance that decides, and how far one from products may be off.
#pragma once

#include <limits>

#include "ritz/base/types.hpp"

namespace ritz {

inline double squared_distance(const double* a, const double* b, Index d) {
  double sum = 0;
  for (Index f = 0; f < d; ++f) sum += (a[f] - b[f]) * (a[f] - b[f]);
  return sum;
}

// Merges the two rows; features that neither has would add 0.
inline double squared_distance(const SparseRows& A, Index i, const SparseRows& B, Index j) {
  double sum = 0;
  SparseRows::InnerIterator a(A, i), b(B, j);
  while (a || b) {
    double difference = 0;
    if (!b || (a && a.col() < b.col())) {
      difference = a.value();
      ++a;
    } else if (!a || b.col() < a.col()) {
      difference = b.value();
      ++b;
    } else {
      difference = a.value() - b.value();
      ++a;
      ++b;
    }
    sum += difference * difference;
  }
  return sum;
}

template <class Values>
bool all_whole(const Values& values) {
  return (values.array() == values.array().floor()).all();
}

// |a|² + |b|² + 2|ab| ≤ 2(|a|² + |b|²) stays below 2⁵³: products of whole numbers are exact.
inline constexpr double kExact = 0x1p51;
// Three sums of d products, each within (d + 1)ε of the sum of its terms' magnitudes, which the norms bound.
inline double product_slack(Index columns) { return 4 * double(columns + 2) * std::numeric_limits<double>::epsilon(); }

}  // namespace ritz
