// SPDX-License-Identifier: MIT
// Products of a working set of pairs of the samples, v_p = √scale_p·(x_a − x_b).
#include <vector>
#include "backends/cuda/module/operations.cuh"
#include "backends/cuda/module/strips.cuh"

namespace ritz::device {

namespace {

// scale_p·Σ_c (left_a − left_b)_c (right_a − right_b)_c: a warp for each pair.
__global__ void pair_values(const int* a, const int* b, const double* scale, long count, const double* left,
                            const double* right, long k, double* out) {
  const long p = blockIdx.x * 8L + threadIdx.x / 32;
  if (p >= count) return;
  const std::size_t from = std::size_t(a[p]) * k, to = std::size_t(b[p]) * k;
  double sum = 0;
  for (long c = threadIdx.x % 32; c < k; c += 32)
    sum += (left[from + c] - left[to + c]) * (right[from + c] - right[to + c]);
  for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(~0u, sum, step);
  if (threadIdx.x % 32 == 0) out[p] = scale[p] * sum;
}

// Row i of LY with the Laplacian L of the weights y·scale: a block for each point, its pairs in their order.
__global__ void spread(const int* starts, const int* pairs, const int* others, const double* y, const double* scale,
                       const double* Y, long k, double* out) {
  const long i = blockIdx.x;
  for (long c = threadIdx.x; c < k; c += blockDim.x) {
    const double own = Y[std::size_t(i) * k + c];
    double sum = 0;
    for (int e = starts[i]; e < starts[i + 1]; ++e) {
      const int p = pairs[e];
      const double weight = y[p] * scale[p];
      if (weight != 0) sum += weight * (own - Y[std::size_t(others[e]) * k + c]);
    }
    out[std::size_t(i) * k + c] = sum;
  }
}

}  // namespace

void take_secants(Samples& samples, long count, const int* a, const int* b, const double* scale) {
  const long n = samples.n;
  std::vector<int> starts(n + 1, 0), pairs(2 * count), others(2 * count);
  for (long p = 0; p < count; ++p) ++starts[a[p] + 1], ++starts[b[p] + 1];
  for (long i = 0; i < n; ++i) starts[i + 1] += starts[i];
  std::vector<int> place(starts.begin(), starts.end() - 1);
  const auto enter = [&](int point, int other, long p) {
    pairs[place[point]] = int(p);
    others[place[point]++] = other;
  };
  for (long p = 0; p < count; ++p) enter(a[p], b[p], p), enter(b[p], a[p], p);
  Secants& s = samples.secants;
  s.count = count;
  s.a.put(a, count), s.b.put(b, count), s.scale.put(scale, count);
  s.starts.put(starts.data(), n + 1), s.pairs.put(pairs.data(), 2 * count), s.others.put(others.data(), 2 * count);
}

void secant_values(const Samples& samples, const double* B, long k, bool whole, double* out) {
  const Secants& s = samples.secants;
  if (s.count == 0) return;
  const double* Y = project(samples, B, k, card().Z);
  double* found = card().out.need(s.count);
  pair_values<<<blocks(s.count, 8), 256>>>(s.a.data(), s.b.data(), s.scale.data(), s.count,
                                           whole ? samples.X.data() : Y, Y, k, found);
  launched("measure pairs");
  card().out.get(out, s.count);
}

void secant_adjoint(const Samples& samples, const double* y, const double* B, long k, double* out) {
  const Secants& s = samples.secants;
  const long n = samples.n, d = samples.d;
  const double *Y = project(samples, B, k, card().Z), *weights = card().in.put(y, s.count);
  double *part = card().Y.need(std::size_t(n) * k), *product = card().out.need(std::size_t(d) * k);
  if (n > 0)
    spread<<<unsigned(n), k > 64 ? 128 : 64>>>(s.starts.data(), s.pairs.data(), s.others.data(), weights,
                                               s.scale.data(), Y, k, part);
  launched("weigh pairs");
  gemm(false, true, d, k, n, 1, samples.X.data(), d, part, k, 0, product, d);
  card().out.get(out, std::size_t(d) * k);
}

}  // namespace ritz::device
