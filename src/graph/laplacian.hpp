// SPDX-License-Identifier: MIT
#pragma once

#include "ritz/base/types.hpp"
#include "ritz/graph/graph.hpp"

namespace ritz {

// L = I − D^(−1/2) S D^(−1/2), n × n, both triangles stored: positive semidefinite, spectrum in [0, 2], and D^(1/2) 1
// is in its kernel. An isolated vertex has an empty row, L_ii = 0: the sum ½ Σ S_ij ‖v_i/√D_i − v_j/√D_j‖² that
// tr(VLVᵀ) stands for has no term for it (the closed formula would say 1, from 1/√0).
Sparse normalised_laplacian(const Graph& graph);

}  // namespace ritz
