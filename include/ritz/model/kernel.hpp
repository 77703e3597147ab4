// SPDX-License-Identifier: MIT
// The contract of a pair kernel K_ij = f(β_ij). No Eigen here or in src/model/kernels/: these few functions are
// compiled once for each instruction set (src/backends/cpu/isa), and must vectorise.
#pragma once

#include <bit>
#include <concepts>
#include <cstdint>
#include "ritz/base/options.hpp"
#ifdef __CUDACC__  // the module for GPUs compiles the same functions
#define RITZ_INLINE __host__ __device__ __forceinline__
#else  // Inlined always: an out-of-line copy made for one instruction set could be linked into code for another.
#define RITZ_INLINE [[gnu::always_inline]] inline
#endif
namespace ritz {

// β = zᵢᵀzⱼ, or β = ‖zᵢ − zⱼ‖², with z = Wᵀx.
enum class PairForm { dot, difference };

template <class K>
concept PairKernel = OptionTable<K> && requires(const K& kernel, double beta) {
  { K::form } -> std::convertible_to<PairForm>;
  { K::trend } -> std::convertible_to<int>;            // sign of f′ on its domain; weighs the start where f′(0) = 0
  { K::per_sample } -> std::convertible_to<bool>;      // β is multiplied by a scale s_i·s_j of the two samples first
  { kernel.value(beta) } -> std::same_as<double>;      // f(β)
  { kernel.slope(beta) } -> std::same_as<double>;      // f′(β), with its sign
  { kernel.curvature(beta) } -> std::same_as<double>;  // f″(β)
};

// Beside these a kernel may have `static constexpr bool positive = true` where all its values are, so that degrees are
// positive, too.

// constant + linear·β. A kernel that has value_per_slope() can be summed approximately by a low-rank factor
// (src/model/kernels/gaussian.hpp).
struct SlopeMultiple {
  double constant, linear;
};

// A width given as a number or as a multiple of the data's median distance; resolved before a kernel is used.
struct Bandwidth {
  double value = 0;      // 0: not resolved yet
  double of_median = 1;  // multiple of the median distance, where value is 0
  bool resolved() const { return value > 0; }
  bool operator==(const Bandwidth&) const = default;
};

template <>
struct TextForm<Bandwidth> {
  static std::string kind() { return "a positive number, 'median', or a multiple such as '0.5*median'"; }
  static std::optional<Bandwidth> parse(std::string_view text) {
    constexpr std::string_view kMedian = "median";
    if (text == kMedian) return Bandwidth{};
    const std::string before = text.ends_with(kMedian) ? trimmed(text.substr(0, text.size() - kMedian.size())) : "";
    const bool multiple = before.ends_with('*');
    const auto number = read_double(multiple ? trimmed(before.substr(0, before.size() - 1)) : std::string(text));
    if (!number || !(*number > 0) || !(*number < 1e300)) return std::nullopt;
    return multiple ? Bandwidth{0, *number} : Bandwidth{*number, 1};
  }
  static std::string print(const Bandwidth& width) {
    if (width.resolved()) return number_text(width.value);
    return width.of_median == 1 ? "median" : number_text(width.of_median) + "*median";
  }
};

// exp without branches or tables, so that loops over it vectorise; below 1 ulp + 2e-16 relative on [−708, 709], 0
// below.
RITZ_INLINE double vector_exp(double x) {
  constexpr double kLog2e = 1.4426950408889634074, kLn2High = 6.93147180369123816490e-01,
                   kLn2Low = 1.90821492927058770002e-10, kRound = 0x1.8p52;
  const double bounded = x < -708.0 ? -708.0 : (x > 709.0 ? 709.0 : x);
  const double shifted = bounded * kLog2e + kRound;  // the low bits now hold k = round(x / ln 2)
  const double k = shifted - kRound;
  const double r = (bounded - k * kLn2High) - k * kLn2Low;  // |r| <= ln(2)/2: twelve Taylor terms reach 2e-16
  double p = 1.0 / 479001600.0;
  p = p * r + 1.0 / 39916800.0;
  p = p * r + 1.0 / 3628800.0;
  p = p * r + 1.0 / 362880.0;
  p = p * r + 1.0 / 40320.0;
  p = p * r + 1.0 / 5040.0;
  p = p * r + 1.0 / 720.0;
  p = p * r + 1.0 / 120.0;
  p = p * r + 1.0 / 24.0;
  p = p * r + 1.0 / 6.0;
  p = p * r + 0.5;
  p = p * r + 1.0;
  p = p * r + 1.0;
  const std::uint64_t exponent = std::bit_cast<std::uint64_t>(shifted) << 52;
  const double result = std::bit_cast<double>(std::bit_cast<std::uint64_t>(p) + exponent);
  return x < -708.0 ? 0.0 : result;
}

}  // namespace ritz
