// SPDX-License-Identifier: MIT
// The list a new kernel joins, conic sums of kernels, and their text form
// "0.7*gaussian(sigma=median)+0.3*polynomial(degree=3,offset=1)", or with weights to be chosen from the data
// (ritz/model/alignment.hpp) "auto*gaussian(sigma=median)+auto*polynomial(degree=3,offset=1)".
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "ritz/model/kernels/gaussian.hpp"
#include "ritz/model/kernels/linear.hpp"
#include "ritz/model/kernels/multiquadric.hpp"
#include "ritz/model/kernels/polynomial.hpp"
#include "ritz/model/kernels/rbf_relative.hpp"
#include "ritz/model/kernels/squared.hpp"
#include "ritz/model/kernels/user.hpp"

namespace ritz {

using AnyKernel = std::variant<Linear, Squared, Polynomial, Gaussian, Multiquadric, RbfRelative,
                               UserKernel<PairForm::dot>, UserKernel<PairForm::difference>>;
// Whether text can name it.
template <class K>
inline constexpr bool kListed = true;
template <PairForm F>
inline constexpr bool kListed<UserKernel<F>> = false;

struct KernelTerm {
  double weight = 1;  // > 0
  AnyKernel kernel;
  // 1/σᵢ of every sample, for kernels with per_sample; filled by resolve_bandwidths. Shared: terms are copied freely.
  std::shared_ptr<const std::vector<double>> sample_scale;
  std::shared_ptr<const void> owner;  // of a user kernel's functions
  bool open_weight = false;           // written "auto": align_weights chooses it; for all terms of a sum or for none
};
using KernelSum = std::vector<KernelTerm>;

// A kernel from a program's own f, f′ and f″ of β, for use wherever a KernelSum is; without f″ it is taken from
// differences of f′. The functions are called from several threads at once and must not change anything. Derivatives
// are tried at a few β by differences: throws bad_option with the place and both numbers where they disagree.
// kernel_text prints the name, and no text parses to it.
KernelTerm user_kernel(std::string name, PairForm form, std::function<double(double)> value,
                       std::function<double(double)> slope, std::function<double(double)> curvature = {});

// Throws bad_option with the place and, for an unknown name, the nearest known one.
KernelSum parse_kernel(std::string_view text);
std::string kernel_text(const KernelSum& kernel);  // parses back to the same sum, user kernels apart
std::vector<std::string> kernel_names();

std::string_view name_of(const AnyKernel& kernel);
PairForm form_of(const AnyKernel& kernel);
double start_slope(const AnyKernel& kernel);  // f′(0), or the trend where f′(0) = 0
bool is_per_sample(const AnyKernel& kernel);
bool has_open_width(const AnyKernel& kernel);  // some parameter of type Bandwidth is not a number yet
bool has_positive_values(const KernelSum& kernel);
// All parameters of type Bandwidth; false: there is none.
bool set_widths(AnyKernel& kernel, const std::function<void(Bandwidth&)>& change);
bool set_widths(KernelSum& kernel, const Bandwidth& width);
std::optional<SlopeMultiple> value_per_slope(const AnyKernel& kernel);  // empty where the kernel has none
bool has_open_weights(const KernelSum& kernel);
// Every width and weight is a number and every per-sample term has n scales.
bool is_resolved(const KernelSum& kernel, long n);

}  // namespace ritz
