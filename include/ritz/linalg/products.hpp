// SPDX-License-Identifier: MIT
// Dense products through BLAS, held to one thread so that the bits depend on nothing but the operands. `out` has the
// right shape already and overlaps neither operand. Compiled once: Eigen's own product would be instantiated, and tuned
// to the compiler's instruction set instead of the machine's, in every file that multiplies.
#pragma once

#include "ritz/base/checkpoint.hpp"
#include "ritz/base/types.hpp"

namespace ritz {

void multiply(BlockIn A, BlockIn B, BlockOut out);             // A·B
void multiply_transposed(BlockIn A, BlockIn B, BlockOut out);  // Aᵀ·B
void subtract_product(BlockIn A, BlockIn B, BlockOut out);     // out − A·B

Matrix product(BlockIn A, BlockIn B);             // A·B
Matrix transposed_product(BlockIn A, BlockIn B);  // Aᵀ·B

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
inline void keep(Archive& archive, SymFactor& factor) { archive(factor.basis, factor.weights); }

}  // namespace ritz
