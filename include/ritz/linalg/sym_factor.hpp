// SPDX-License-Identifier: MIT
#pragma once

#include "ritz/base/types.hpp"
#include "ritz/linalg/products.hpp"

namespace ritz {

// basis · diag(weights) · basisᵀ: Γ, a learned kernel, a projector, a weighted sum of subspaces. Weights have any sign
// and the basis need not be orthonormal.
struct SymFactor {
  Matrix basis;    // n × r
  Vector weights;  // r
  Index size() const { return basis.rows(); }
  Index rank_bound() const { return basis.cols(); }
  void apply(BlockIn in, BlockOut out) const {
    multiply(basis, weights.asDiagonal() * transposed_product(basis, in), out);
  }
  const SymFactor& factor() const { return *this; }
  Matrix dense() const { return basis * weights.asDiagonal() * basis.transpose(); }  // tests and small problems
  double trace() const { return (basis.cwiseAbs2() * weights).sum(); }
};

}  // namespace ritz
