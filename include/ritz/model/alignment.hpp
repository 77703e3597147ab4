// SPDX-License-Identifier: MIT
// Weights of a sum of kernels by centred alignment with the target (Cortes, Mohri and Rostamizadeh, Algorithms for
// learning kernels based on centered alignment, JMLR 13, 2012).
//
// With H = I − 11ᵀ/n, M_kl = ⟨HK_kH, HK_lH⟩ and a_k = ⟨HK_kH, Γ⟩ the weights v >= 0 of largest alignment
// ⟨H(Σv_kK_k)H, Γ⟩ / (‖H(Σv_kK_k)H‖·‖HΓH‖) are, up to their scale, the minimiser of vᵀMv − 2vᵀa.
#pragma once

#include <string>
#include <vector>

#include "ritz/base/types.hpp"
#include "ritz/model/kernel_sum.hpp"

namespace ritz {

// M, a and the size of the target, for kernels on the samples themselves (W = I): Backend::alignment_sums, one sweep
// over the pairs.
struct AlignmentSums {
  Matrix gram;             // T × T
  Vector target;           // T
  double target_norm = 0;  // ‖HΓH‖_F
};

// argmin vᵀMv − 2vᵀa over v >= 0, by an active set: M positive semidefinite, T × T with T small. A term that depends
// linearly on those before it gets 0.
Vector nonnegative_minimiser(const Matrix& M, const Vector& a);

struct AlignedKernel {
  KernelSum kernel;                // terms of positive weight, ‖v‖₂ = 1 as in the paper
  Vector weights;                  // of all terms that were given
  double alignment = 0;            // of the sum with the target, in [0, 1]
  std::string text;                // goes into Summary::used
  std::vector<std::string> notes;  // terms that were dropped
};
// Chooses all weights, whether they are open or not. Throws bad_data when no kernel is aligned with the target.
AlignedKernel align_weights(KernelSum kernel, const AlignmentSums& sums);

}  // namespace ritz
