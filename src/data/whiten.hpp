// SPDX-License-Identifier: MIT
// Whitening where the eigenpairs of the covariance are at hand.
#pragma once

#include "linalg/dense/dense.hpp"
#include "ritz/data/preprocess.hpp"

namespace ritz {

// As whitening() of samples whose covariance XᵀX/n has these eigenpairs.
Frame whitening_by(const SymmetricEigen& eigen, double shrinkage);

}  // namespace ritz
