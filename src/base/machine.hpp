// SPDX-License-Identifier: MIT
// What this machine has.
#pragma once

#include <cstddef>

namespace ritz {

std::size_t peak_memory_bytes();       // of this process so far
std::size_t available_memory_bytes();  // that could be taken now; 0 when unknown
double address_space_bytes();          // that this process has taken; 0 when unknown

}  // namespace ritz
