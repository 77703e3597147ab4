// SPDX-License-Identifier: MIT
// The contract of a loss ℓ(r) of a residual r = target − measurement, and what a dual method needs of it.
#pragma once

#include <concepts>
#include <string_view>

namespace ritz {

// How a general conic solver writes a loss: C·r, C·max(r, 0), C/2·max(r, 0)², C/2·r², or not at all.
enum class LossShape { linear, hinge, square_hinge, square, none };

struct Interval {
  double low, high;
};

// Convex, with weight `penalty` (C). Conjugate: ℓ*(α) = sup_r αr − ℓ(r), finite on dual_domain() only; outside it the
// functions below may return anything.
template <class L>
concept PairLoss = requires(const L& loss, double x) {
  { L::name } -> std::convertible_to<std::string_view>;
  { loss.penalty } -> std::convertible_to<double>;
  { loss.value(x) } -> std::same_as<double>;            // ℓ(r)
  { loss.slope(x) } -> std::same_as<double>;            // a subgradient of ℓ at r: the dual value that fits r
  { loss.curvature(x) } -> std::same_as<double>;        // ℓ″(r), of one side at a corner; 0 throughout: not smooth
  { loss.conjugate(x) } -> std::same_as<double>;        // ℓ*(α)
  { loss.conjugate_slope(x) } -> std::same_as<double>;  // its derivative, for the dual gradient
  { loss.conjugate_curvature() } -> std::same_as<double>;  // its second derivative, the same everywhere; 0: none
  { loss.dual_domain() } -> std::same_as<Interval>;        // where the dual variable may be
  { L::shape } -> std::convertible_to<LossShape>;          // for the oracle; `none` where it has no such form
};

}  // namespace ritz
