// SPDX-License-Identifier: MIT
// How the dual of a kernel learning problem is maximised; the same choice for `kernel` and `unfold`.
#pragma once

#include <array>

#include "ritz/base/text.hpp"

namespace ritz::kernel_dual {

// csdp: the general solver, if installed; only for the methods that ask an oracle, not for the dual itself.
enum class Solver { automatic, newton, lbfgsb, gradient, csdp };
constexpr auto names_of(Solver) { return std::array{"automatic", "newton", "lbfgsb", "gradient", "csdp"}; }
struct Problem;  // the dual's data; internal

}  // namespace ritz::kernel_dual
