// SPDX-License-Identifier: MIT
#include "linalg/products/dgemm_rate.hpp"

#include <algorithm>
#include <chrono>
#include <thread>
#include <vector>

#include "linalg/tall_products.hpp"
#include "ritz/base/parallel.hpp"
#include "ritz/base/random.hpp"

namespace ritz {

double dgemm_rate(const RunContext& context, int repeats) {
  constexpr Index kSize = 1024;
  // More threads than cores measure nothing, and each takes a matrix.
  const int threads = std::min(resolved_threads(context), std::max(1, int(std::thread::hardware_concurrency())));
  const RowMatrix A = Rng(1, "ceiling").normal_matrix(kSize, kSize);
  std::vector<RowMatrix> C(std::size_t(threads), RowMatrix::Zero(kSize, kSize));
  double best = 0;
  for (int r = 0; r < repeats; ++r) {
    const auto start = std::chrono::steady_clock::now();
    for_each_tile(threads, context, [&](Index t) {
      row_gemm(kSize, kSize, kSize, 1, {A.data(), kSize}, Transpose::no, {A.data(), kSize}, Transpose::no, 0,
               {C[std::size_t(t)].data(), kSize});
    });
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    best = std::max(best, 2.0 * threads * kSize * kSize * kSize / seconds);
  }
  return best;
}

}  // namespace ritz
