// SPDX-License-Identifier: MIT
#include "ritz/linalg/operator.hpp"

namespace ritz {

void SymFactor::apply(BlockIn in, BlockOut out) const {
  multiply(basis, weights.asDiagonal() * transposed_product(basis, in), out);
}

Matrix SymFactor::dense() const { return basis * weights.asDiagonal() * basis.transpose(); }

Matrix SymFactor::root() const { return basis * weights.cwiseSqrt().asDiagonal(); }

double SymFactor::trace() const { return (basis.cwiseAbs2() * weights).sum(); }

void SparseOperator::apply(BlockIn in, BlockOut out) const { out.noalias() = matrix * in; }

}  // namespace ritz
