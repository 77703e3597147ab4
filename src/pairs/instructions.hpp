// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace ritz {

// What of this machine decides the bits of the CPU's sums: "avx2, OpenBLAS for Zen".
std::string instructions_text();

}  // namespace ritz
