// SPDX-License-Identifier: MIT
#pragma once

#include "ritz/base/context.hpp"

namespace ritz {

// Floating-point operations a second of large dgemms, one on each of context.threads threads at a time: the ceiling
// that rates are compared with. Best of `repeats`.
double dgemm_rate(const RunContext& context, int repeats = 2);

}  // namespace ritz
