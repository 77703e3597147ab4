// SPDX-License-Identifier: MIT
// All distances at once, and one of them by its place.
#include <cstring>
#include "backends/cuda/module/operations.cuh"
#include "backends/cuda/module/strips.cuh"

namespace ritz::device {

namespace {

// Squared distances of i > j in place of the products; ∞ elsewhere.
__global__ void squared_distances(const double* norms, long n, double* products) {
  const long j = blockIdx.x * 256L + threadIdx.x, i = blockIdx.y;
  if (j >= n) return;
  double& at = products[std::size_t(i) * n + j];
  at = j < i ? fmax(norms[i] + norms[j] - 2 * at, 0.0) : INFINITY;
}
// How many entries are at most `limit`, a count for each block.
__global__ void count_at_most(const double* values, std::size_t count, double limit, double* part) {
  __shared__ double sums[256];
  double mine = 0;
  for (std::size_t i = std::size_t(blockIdx.x) * 256 + threadIdx.x; i < count; i += std::size_t(gridDim.x) * 256)
    mine += values[i] <= limit;
  sums[threadIdx.x] = mine;
  for (int w = 128; w > 0; w /= 2) {
    __syncthreads();
    if (threadIdx.x < w) sums[threadIdx.x] += sums[threadIdx.x + w];
  }
  if (threadIdx.x == 0) part[blockIdx.x] = sums[0];
}

double entries_at_most(const Samples& samples, double limit) {
  constexpr unsigned kBlocks = 1024;
  double* part = card().parts.need(kBlocks + 1);
  require(cudaMemset(part + kBlocks, 0, 8), "clear sums");
  count_at_most<<<kBlocks, 256>>>(samples.distances.data(), std::size_t(samples.n) * samples.n, limit, part);
  add_all(part, kBlocks, part + kBlocks);
  double count = 0;
  require(cudaMemcpy(&count, part + kBlocks, 8, cudaMemcpyDeviceToHost), "give data back");
  return count;
}

}  // namespace

void all_distances(Samples& samples, double zero, long* zeros) {
  const long n = samples.n, d = samples.d;
  double* out = samples.distances.need(std::size_t(n) * n);
  squared_norms(samples.X.data(), n, d, card().norms.need(n));
  gemm(true, false, n, n, d, 1, samples.X.data(), d, samples.X.data(), d, 0, out, n);
  squared_distances<<<dim3(blocks(n), unsigned(n)), 256>>>(card().norms.data(), n, out);
  launched("measure distances");
  *zeros = long(entries_at_most(samples, zero));
}

// Numbers ≥ 0 have the order of their bits: the value is found bit by bit.
void kth(const Samples& samples, long k, double* squared) {
  unsigned long long low = 0, high = 0x7ff0000000000000ull;  // ∞
  while (low < high) {
    const unsigned long long middle = low + (high - low) / 2;
    double limit;
    std::memcpy(&limit, &middle, 8);
    if (entries_at_most(samples, limit) > double(k))
      high = middle;
    else
      low = middle + 1;
  }
  std::memcpy(squared, &low, 8);
}

}  // namespace ritz::device
