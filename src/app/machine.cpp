// SPDX-License-Identifier: MIT
#include "ritz/app/machine.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "ritz/base/parallel.hpp"
#include "ritz/base/random.hpp"
#include "ritz/linalg/tall_products.hpp"

namespace ritz {

std::size_t peak_memory_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return std::size_t(usage.ru_maxrss) * 1024;
}

std::size_t available_memory_bytes() {
  std::ifstream info("/proc/meminfo");
  for (std::string line; std::getline(info, line);)
    if (line.starts_with("MemAvailable:")) return std::size_t(std::stoull(line.substr(13))) * 1024;
  return 0;
}

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
