// SPDX-License-Identifier: MIT
// What this machine has.
#pragma once

#include <cstddef>
#include <string>

namespace ritz {

std::size_t peak_memory_bytes();       // of this process so far
std::size_t available_memory_bytes();  // that could be taken now; 0 when unknown
double address_space_bytes();          // that this process has taken; 0 when unknown

// Of this library or of the program that holds it, in hexadecimal: another one for any other code. "" where the linker
// wrote none.
std::string build_id();

}  // namespace ritz
