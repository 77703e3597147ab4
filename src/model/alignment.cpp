// SPDX-License-Identifier: MIT
#include "ritz/model/alignment.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "linalg/dense/dense.hpp"
#include "ritz/base/error.hpp"

namespace ritz {

namespace {

// Relative to its own square, what is left of a kernel beside the others; below it is rounding.
constexpr double kDependent = 1e-12;

}  // namespace

// Lawson and Hanson's active set on M scaled to ones on its diagonal: kernels differ by many orders of magnitude.
Vector nonnegative_minimiser(const Matrix& M, const Vector& a) {
  const Index T = a.size();
  Vector scale(T);
  for (Index k = 0; k < T; ++k) scale[k] = M(k, k) > 0 ? 1 / std::sqrt(M(k, k)) : 0;
  const Matrix scaled = scale.asDiagonal() * M * scale.asDiagonal();
  const Vector target = scale.cwiseProduct(a);
  const double zero = kDependent * target.cwiseAbs().maxCoeff();
  std::vector<Index> used;
  std::vector<bool> banned(std::size_t(T), false);  // dependent on those in use
  Vector v = Vector::Zero(T);
  const auto solve = [&](const std::vector<Index>& terms) {
    return Vector(semidefinite_solve(scaled(terms, terms), target(terms)));
  };
  // What is left of a term beside those in use; its square, and 1 before they are taken away.
  const auto remainder = [&](Index k) {
    if (used.empty()) return scaled(k, k);
    const Vector cross = scaled(used, k);
    return scaled(k, k) - cross.dot(Vector(semidefinite_solve(scaled(used, used), cross)));
  };

  // Every round lowers the objective, so that no set of terms comes back; the bound is for rounding.
  for (Index round = 0; round < 64 * (T + 1); ++round) {
    const Vector rise = target - scaled * v;
    Index best = -1;
    for (Index k = 0; k < T; ++k) {
      const bool open = std::ranges::find(used, k) == used.end() && !banned[std::size_t(k)];
      if (open && rise[k] > zero && (best < 0 || rise[k] > rise[best])) best = k;
    }
    if (best < 0) break;
    if (!(remainder(best) > kDependent)) {
      banned[std::size_t(best)] = true;
      continue;
    }
    used.push_back(best);
    std::ranges::sort(used);
    for (;;) {
      const Vector wanted = solve(used);
      double step = 1;  // towards `wanted`, as far as no weight falls below 0
      Index leaving = -1;
      for (Index i = 0; i < wanted.size(); ++i) {
        const double now = v[used[std::size_t(i)]];
        if (wanted[i] > 0) continue;
        const double possible = now > 0 ? now / (now - wanted[i]) : 0;
        if (leaving < 0 || possible < step) {
          step = possible;
          leaving = i;
        }
      }
      for (Index i = 0; i < wanted.size(); ++i) v[used[std::size_t(i)]] += step * (wanted[i] - v[used[std::size_t(i)]]);
      if (leaving < 0) break;
      v[used[std::size_t(leaving)]] = 0;
      used.erase(used.begin() + leaving);
      banned.assign(std::size_t(T), false);
      if (used.empty()) break;
    }
  }
  return scale.cwiseProduct(v);
}

AlignedKernel align_weights(KernelSum kernel, const AlignmentSums& sums) {
  for (KernelTerm& term : kernel) term.open_weight = false;
  if (!sums.gram.allFinite() || !sums.target.allFinite())
    throw Error(ErrorCode::bad_option, fmt::format("kernel {} overflows on this data; change its parameters or scale "
                                                   "the data",
                                                   kernel_text(kernel)));
  AlignedKernel aligned;
  aligned.weights = nonnegative_minimiser(sums.gram, sums.target);
  const double norm = aligned.weights.norm();
  if (!(norm > 0))
    throw Error(ErrorCode::bad_data,
                fmt::format("no kernel of {} is aligned with the target: the weights 'auto' cannot be chosen; give "
                            "numbers instead",
                            kernel_text(kernel)));
  aligned.weights /= norm;
  aligned.alignment = sums.target.dot(aligned.weights) /
                      (std::sqrt(aligned.weights.dot(sums.gram * aligned.weights)) * sums.target_norm);
  for (std::size_t k = 0; k < kernel.size(); ++k) {
    const double weight = aligned.weights[Index(k)];
    kernel[k].weight = weight;
    if (weight > 0)
      aligned.kernel.push_back(kernel[k]);
    else {
      KernelTerm alone = kernel[k];
      alone.weight = 1;
      aligned.notes.push_back(
          fmt::format("{} has weight 0 by centred alignment and is left out", kernel_text({alone})));
    }
  }
  aligned.text =
      fmt::format("centred alignment {:.4f} with the target: {}", aligned.alignment, kernel_text(aligned.kernel));
  return aligned;
}

}  // namespace ritz
