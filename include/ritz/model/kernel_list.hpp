// SPDX-License-Identifier: MIT
// The list a new kernel joins, conic sums of kernels, and their text form
// "0.7*gaussian(sigma=median)+0.3*polynomial(degree=3,offset=1)", or with weights to be chosen from the data
// (ritz/model/alignment.hpp) "auto*gaussian(sigma=median)+auto*polynomial(degree=3,offset=1)".
#pragma once

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

namespace ritz {

using AnyKernel = std::variant<Linear, Squared, Polynomial, Gaussian, Multiquadric, RbfRelative>;

struct KernelTerm {
  double weight = 1;  // > 0
  AnyKernel kernel;
  // 1/σᵢ of every sample, for kernels with per_sample; filled by resolve_bandwidths. Shared: terms are copied freely.
  std::shared_ptr<const std::vector<double>> sample_scale;
  bool open_weight = false;  // written "auto": align_weights chooses it; for all terms of a sum or for none
};
using KernelSum = std::vector<KernelTerm>;

// Throws bad_option with the place and, for an unknown name, the nearest known one.
KernelSum parse_kernel(std::string_view text);
std::string kernel_text(const KernelSum& kernel);  // parses back to the same sum
std::vector<std::string> kernel_names();

PairForm form_of(const AnyKernel& kernel);
double start_slope(const AnyKernel& kernel);  // f′(0), or the trend where f′(0) = 0
bool is_per_sample(const AnyKernel& kernel);
std::optional<SlopeMultiple> value_per_slope(const AnyKernel& kernel);  // empty where the kernel has none
bool has_open_weights(const KernelSum& kernel);
// Every width and weight is a number and every per-sample term has n scales.
bool is_resolved(const KernelSum& kernel, long n);

}  // namespace ritz
