// SPDX-License-Identifier: MIT
#include "linalg/products/panel_kernel.hpp"

#include <cstring>

namespace ritz::detail {

namespace {

// Eight doubles, held in as few registers as the instruction set has. Memory is read through memcpy: panels are not
// aligned.
using Eight = double __attribute__((vector_size(64)));

// `Wide` columns at a time stay in registers while the row's entries go by, so that an entry costs one load and one
// multiply-add a register.
template <int Wide>
[[gnu::always_inline]] inline void stripe(CompressedRows S, std::ptrdiff_t row, const double* in, double* out,
                                          std::ptrdiff_t width) {
  Eight sum[Wide] = {};
  for (int e = S.starts[row]; e < S.starts[row + 1]; ++e) {
    const double* from = in + S.columns[e] * width;
    const double value = S.values[e];
    for (int w = 0; w < Wide; ++w) {
      Eight part;
      std::memcpy(&part, from + 8 * w, sizeof part);
      sum[w] += value * part;
    }
  }
  for (int w = 0; w < Wide; ++w) std::memcpy(out + 8 * w, &sum[w], sizeof(Eight));
}

[[gnu::always_inline]] inline void rows(CompressedRows S, std::ptrdiff_t first, std::ptrdiff_t last, const double* in,
                                        double* out, std::ptrdiff_t width) {
  for (std::ptrdiff_t row = first; row < last; ++row) {
    double* to = out + row * width;
    std::ptrdiff_t c = 0;
    for (; c + 32 <= width; c += 32) stripe<4>(S, row, in + c, to + c, width);
    for (; c + 8 <= width; c += 8) stripe<1>(S, row, in + c, to + c, width);
    if (c == width) continue;
    double sum[8] = {};
    for (int e = S.starts[row]; e < S.starts[row + 1]; ++e)
      for (std::ptrdiff_t w = c; w < width; ++w) sum[w - c] += S.values[e] * in[S.columns[e] * width + w];
    for (std::ptrdiff_t w = c; w < width; ++w) to[w] = sum[w - c];
  }
}

void generic(CompressedRows S, std::ptrdiff_t first, std::ptrdiff_t last, const double* in, double* out,
             std::ptrdiff_t width) {
  rows(S, first, last, in, out, width);
}

#if defined(__x86_64__)
[[gnu::target("avx2,fma")]] void avx2(CompressedRows S, std::ptrdiff_t first, std::ptrdiff_t last, const double* in,
                                      double* out, std::ptrdiff_t width) {
  rows(S, first, last, in, out, width);
}
[[gnu::target("avx512f,avx512dq,avx512vl,fma")]] void avx512(CompressedRows S, std::ptrdiff_t first,
                                                             std::ptrdiff_t last, const double* in, double* out,
                                                             std::ptrdiff_t width) {
  rows(S, first, last, in, out, width);
}
#endif

}  // namespace

PanelKernel panel_kernel() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
    return avx512;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return avx2;
#endif
  return generic;
}

}  // namespace ritz::detail
