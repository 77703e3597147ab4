// SPDX-License-Identifier: MIT
// The text forms of a semidefinite program and of its solution.
#pragma once

#include <string>
#include <string_view>

#include "oracles/csdp/sdp.hpp"

namespace ritz {

// Throws bad_shape or not_finite for what solve_sdp refuses.
void check_sdp(const SdpProblem& problem);
// SDPA sparse format: m, the number of blocks, their sizes, b, then "matrix block row column value" with matrix 0 = C.
std::string sdpa_text(const SdpProblem& problem);
// Fills y, X and both objectives from CSDP's solution file: y, then the entries of Z (matrix 1) and X (matrix 2). False
// when the text is something else.
bool read_solution(std::string_view text, const SdpProblem& problem, SdpSolution& solution);

}  // namespace ritz
