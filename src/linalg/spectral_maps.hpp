// SPDX-License-Identifier: MIT
// Matrices made from eigenpairs by changing the eigenvalues.
#pragma once

#include "linalg/eigen.hpp"
#include "ritz/linalg/sym_factor.hpp"

namespace ritz {

SymFactor shrink(const EigenPairs& pairs, double threshold);                    // (λ − τ)₊; zero weights dropped
SymFactor positive_power(const EigenPairs& pairs, double power, double scale);  // scale·(λ₊)^power; zeros dropped
SymFactor projector(const EigenPairs& pairs);                                   // all weights 1

}  // namespace ritz
