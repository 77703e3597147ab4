// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "linalg/eigen/engine.hpp"
#include "ritz/base/error.hpp"
#include "ritz/base/parallel.hpp"
#include "ritz/base/random.hpp"
#include "ritz/linalg/products.hpp"

namespace ritz {

double SpectralBounds::norm() const { return std::max(std::abs(lowest), std::abs(highest)); }

namespace detail {

SpectralBounds estimated_bounds(Product& multiply, int steps) {
  const Index n = multiply.size();
  const Index most = std::min<Index>(n, steps);
  Matrix basis(n, most), images(n, most);
  Vector next = Rng(multiply.context().seed, "spectral_bounds").normal_matrix(n, 1);
  Index size = 0;
  double before = next.stableNorm();
  while (size < most) {
    // Twice against all earlier directions: a few dozen short vectors, and no ghost copies to think about.
    for (int pass = 0; pass < 2; ++pass)
      subtract_product(basis.leftCols(size), transposed_product(basis.leftCols(size), next), next);
    // What is left is rounding: the space is invariant, and its values are exact.
    constexpr double kVanished = 1e-13;
    const double norm = next.stableNorm();
    if (!(norm > kVanished * before)) break;
    basis.col(size) = next / norm;
    multiply(basis.col(size), images.col(size));
    next = images.col(size);
    before = next.stableNorm();
    ++size;
  }
  const Matrix projected = transposed_product(basis.leftCols(size), images.leftCols(size));
  const Vector values = symmetric_values(0.5 * (projected + projected.transpose()));
  return {values(size - 1), values(0)};
}

}  // namespace detail

SpectralBounds spectral_bounds(const OperatorView& op, const RunContext& context, int steps) {
  if (op.size() < 1) throw Error(ErrorCode::bad_shape, "an operator of size 0 has no eigenvalues");
  if (steps < 1)
    throw Error(ErrorCode::bad_option, "spectral_bounds needs at least one step, not " + std::to_string(steps));
  const SingleThreadedBlas hold;
  detail::Product multiply(op, context);
  return detail::estimated_bounds(multiply, steps);
}

}  // namespace ritz
