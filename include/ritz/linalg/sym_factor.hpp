// SPDX-License-Identifier: MIT
#pragma once

#include "ritz/base/types.hpp"

namespace ritz {

// basis · diag(weights) · basisᵀ: Γ, a learned kernel, a projector, a weighted sum of subspaces. Weights have any sign
// and the basis need not be orthonormal.
struct SymFactor {
  Matrix basis;    // n × r
  Vector weights;  // r
  Index size() const { return basis.rows(); }
  Index rank_bound() const { return basis.cols(); }
  void apply(BlockIn in, BlockOut out) const;
  const SymFactor& factor() const { return *this; }
  Matrix dense() const;  // tests and small problems
  Matrix root() const;   // basis·diag(√weights), for weights that are not negative
  double trace() const;
};

}  // namespace ritz
