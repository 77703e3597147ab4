// SPDX-License-Identifier: MIT
// The two ways to write a kernel problem as a semidefinite program.
#pragma once

#include "oracles/csdp/kernel_program.hpp"

namespace ritz {

struct ConicForm {
  SdpProblem program;
  double constant = 0;  // of the kernel problem's objective, which the program leaves out
};

// K is the first block of X. Objective = constant − <C, X>. For every regulariser without tr K². A centred problem has
// n − 1 rows there: the last point is put at the origin, which distances do not notice, and K = H X H afterwards.
ConicForm kernel_as_matrix(const ConicKernelProblem& problem);

// K's upper triangle are the first variables y, column by column. Objective = constant + bᵀy. For all slacks but none.
ConicForm kernel_as_variables(const ConicKernelProblem& problem);

}  // namespace ritz
