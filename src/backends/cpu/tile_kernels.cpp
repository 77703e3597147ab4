// SPDX-License-Identifier: MIT
#include "backends/cpu/tile_kernels.hpp"

#include "pairs/instructions.hpp"

extern "C" char* openblas_get_corename(void) __attribute__((weak));  // another BLAS has none

namespace ritz {

std::string instructions_text() {
  const std::string own = tile::functions().instruction_set;
  return openblas_get_corename ? own + ", OpenBLAS for " + openblas_get_corename() : own;
}

}  // namespace ritz

namespace ritz::tile {

const Functions& functions() {
#if defined(__x86_64__)
  static const Functions& best = []() -> const Functions& {
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("fma"))
      return avx512::functions();
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return avx2::functions();
    return generic::functions();
  }();
  return best;
#else
  return generic::functions();
#endif
}

}  // namespace ritz::tile
