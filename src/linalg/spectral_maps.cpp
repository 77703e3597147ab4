// SPDX-License-Identifier: MIT
#include "linalg/spectral_maps.hpp"

#include <algorithm>
#include <cmath>

namespace ritz {
namespace {

SymFactor without_zero_weights(const Matrix& vectors, const Vector& weights) {
  SymFactor factor{Matrix(vectors.rows(), (weights.array() != 0).count()), Vector((weights.array() != 0).count())};
  Index kept = 0;
  for (Index j = 0; j < weights.size(); ++j) {
    if (weights(j) == 0) continue;
    factor.basis.col(kept) = vectors.col(j);
    factor.weights(kept++) = weights(j);
  }
  return factor;
}

}  // namespace

SymFactor shrink(const EigenPairs& pairs, double threshold) {
  return without_zero_weights(pairs.vectors, (pairs.values.array() - threshold).max(0.0));
}

SymFactor positive_power(const EigenPairs& pairs, double power, double scale) {
  // A non-positive eigenvalue gives 0 whatever the power: 0⁰ would be 1 and 0⁻¹ infinite.
  const Vector weights =
      pairs.values.unaryExpr([&](double value) { return value > 0 ? scale * std::pow(value, power) : 0.0; });
  return without_zero_weights(pairs.vectors, weights);
}

SymFactor projector(const EigenPairs& pairs) { return {pairs.vectors, Vector::Ones(pairs.vectors.cols())}; }

}  // namespace ritz
