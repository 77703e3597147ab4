// SPDX-License-Identifier: MIT
// The eigen step of a dense matrix where the run's backend is faster at it than LAPACK.
#pragma once

#include <optional>

#include "linalg/eigen.hpp"

namespace ritz {

// The largest eigenpairs of a symmetric A, judged as EigenSolver's are. Nothing: the backend has no faster way, or the
// matrix is too small for it. `norm`: of A, or less, where it is known.
std::optional<EigenPairs> backend_eigen(const Matrix& A, const EigenRequest& request, const RunContext& context,
                                        double norm = kUnknown);

}  // namespace ritz
