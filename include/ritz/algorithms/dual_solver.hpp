// SPDX-License-Identifier: MIT
// How the dual of a kernel learning problem is maximised; the same choice for `kernel` and `unfold`.
#pragma once

#include <array>

#include "ritz/base/text.hpp"

namespace ritz::kernel_dual {

// csdp: the general solver, if installed; only for the methods that ask an oracle, not for the dual itself.
enum class Solver { automatic, newton, lbfgsb, gradient, csdp };
struct Problem;  // the dual's data; internal

}  // namespace ritz::kernel_dual

namespace ritz {
template <>
struct EnumNames<kernel_dual::Solver> {
  static constexpr std::array names = {"automatic", "newton", "lbfgsb", "gradient", "csdp"};
};
}  // namespace ritz
