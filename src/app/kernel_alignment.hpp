// SPDX-License-Identifier: MIT
#pragma once

#include "ritz/base/context.hpp"
#include "ritz/model/gamma.hpp"
#include "ritz/model/kernel_list.hpp"

namespace ritz {

// ‖HKH‖_F of the kernel matrix of the rows of Z (n × q), by tiles: n² evaluations, no n × n matrix.
double centred_kernel_norm(const RowMatrix& Z, const KernelSum& kernel, const RunContext& context);

// ⟨HKH, Γ⟩ / (‖HKH‖_F ‖Γ‖_F) in [−1, 1], where `objective` is ⟨K, Γ⟩ for a centred Γ: the cosine between the kernel of
// the reduced samples and Γ. F itself grows with the scale of K, and cannot be compared between kernels or widths.
double centred_alignment(double objective, const RowMatrix& Z, const KernelSum& kernel, const Gamma& gamma,
                         const RunContext& context);

}  // namespace ritz
