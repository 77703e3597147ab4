// SPDX-License-Identifier: MIT
#include "ritz/linalg/sym_factor.hpp"

#include "ritz/linalg/products.hpp"

namespace ritz {

void SymFactor::apply(BlockIn in, BlockOut out) const {
  multiply(basis, weights.asDiagonal() * transposed_product(basis, in), out);
}

Matrix SymFactor::dense() const { return basis * weights.asDiagonal() * basis.transpose(); }

Matrix SymFactor::root() const { return basis * weights.cwiseSqrt().asDiagonal(); }

double SymFactor::trace() const { return (basis.cwiseAbs2() * weights).sum(); }

}  // namespace ritz
