// SPDX-License-Identifier: MIT
// What this machine has and can do.
#pragma once

#include <cstddef>

#include "ritz/base/context.hpp"

namespace ritz {

std::size_t peak_memory_bytes();       // of this process so far
std::size_t available_memory_bytes();  // that could be taken now; 0 when unknown

// Floating-point operations a second of large dgemms, one on each of context.threads threads at a time: the ceiling
// that rates are compared with. Best of `repeats`.
double dgemm_rate(const RunContext& context, int repeats = 2);

}  // namespace ritz
