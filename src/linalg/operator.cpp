// SPDX-License-Identifier: MIT
#include "ritz/linalg/operator.hpp"

namespace ritz {

void SparseOperator::apply(BlockIn in, BlockOut out) const { out.noalias() = matrix * in; }

}  // namespace ritz
