// SPDX-License-Identifier: MIT
// Conic sums of kernels, and their text form "0.7*gaussian(sigma=median)+0.3*polynomial(degree=3,offset=1)", or with
// weights to be chosen from the data (ritz/model/alignment.hpp)
// "auto*gaussian(sigma=median)+auto*polynomial(degree=3,offset=1)". Which kernels there are stays hidden here
// (src/model/kernel_list.hpp), so that a new one recompiles little.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ritz/model/kernel.hpp"

namespace ritz {

struct KernelVariant;  // one of the listed kernels, with its parameters

// A kernel by value: copies share the variant, which never changes. There is always one, also after a move.
class AnyKernel {
 public:
  AnyKernel();  // linear
  AnyKernel(const KernelVariant& kernel);
  AnyKernel(const AnyKernel&) = default;
  AnyKernel& operator=(const AnyKernel&) = default;
  const KernelVariant& operator*() const { return *held_; }

 private:
  std::shared_ptr<const KernelVariant> held_;
};

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
struct ListedKernel {
  std::string text;  // with its parameters as they are when nothing is said
  std::vector<OptionRow> parameters;
};
std::vector<ListedKernel> listed_kernels();  // those that text can name

std::string_view name_of(const AnyKernel& kernel);
PairForm form_of(const AnyKernel& kernel);
double value_at_zero(const AnyKernel& kernel);     // f(0)
double start_slope(const AnyKernel& kernel);       // f′(0), or the trend where f′(0) = 0
bool has_constant_slope(const AnyKernel& kernel);  // linear (f′ = 1) and squared (f′ = −1)
bool is_per_sample(const AnyKernel& kernel);
bool has_open_width(const AnyKernel& kernel);  // some parameter of type Bandwidth is not a number yet
bool has_positive_values(const KernelSum& kernel);
struct PolynomialParts {  // (scale·β + offset)^degree
  int degree;
  double offset, scale;
};
std::optional<PolynomialParts> polynomial_parts(const AnyKernel& kernel);  // empty where it is no polynomial
std::optional<Bandwidth> gaussian_width(const KernelSum& kernel);          // empty where it is not one Gaussian alone
// All parameters of type Bandwidth; false: there is none.
bool set_widths(AnyKernel& kernel, const std::function<void(Bandwidth&)>& change);
bool set_widths(KernelSum& kernel, const Bandwidth& width);
std::optional<SlopeMultiple> value_per_slope(const AnyKernel& kernel);  // empty where the kernel has none
bool has_open_weights(const KernelSum& kernel);
// Every width and weight is a number and every per-sample term has n scales.
bool is_resolved(const KernelSum& kernel, long n);

}  // namespace ritz
