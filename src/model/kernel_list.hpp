// SPDX-License-Identifier: MIT
// The list a new kernel joins. For model/ and backends/ alone; everybody else asks ritz/model/kernel_sum.hpp.
#pragma once

#include <variant>

#include "model/kernels/gaussian.hpp"
#include "model/kernels/linear.hpp"
#include "model/kernels/multiquadric.hpp"
#include "model/kernels/polynomial.hpp"
#include "model/kernels/rbf_relative.hpp"
#include "model/kernels/squared.hpp"
#include "model/kernels/user.hpp"
#include "ritz/model/kernel_sum.hpp"

namespace ritz {

using KernelTypes = std::variant<Linear, Squared, Polynomial, Gaussian, Multiquadric, RbfRelative,
                                 UserKernel<PairForm::dot>, UserKernel<PairForm::difference>>;
// A type of its own, so that headers can name it without knowing the kernels.
struct KernelVariant : KernelTypes {
  using KernelTypes::variant;
};
// Whether text can name it.
template <class K>
inline constexpr bool kListed = true;
template <PairForm F>
inline constexpr bool kListed<UserKernel<F>> = false;

}  // namespace ritz
