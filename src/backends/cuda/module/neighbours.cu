// SPDX-License-Identifier: MIT
// The points that may be among the nearest of each query.
#include <vector>
#include "backends/cuda/module/operations.cuh"
#include "backends/cuda/module/strips.cuh"

namespace ritz::device {

namespace {

// Doubles as numbers that have their order.
__device__ unsigned long long ordered(double x) {
  const unsigned long long bits = (unsigned long long)__double_as_longlong(x);
  return bits >> 63 ? ~bits : bits | 1ull << 63;
}
__device__ double unordered(unsigned long long key) {
  return __longlong_as_double((long long)(key >> 63 ? key & ~(1ull << 63) : ~key));
}

// One block for each query: the k-th smallest of t_j = ‖p_j‖² − 2qᵀp_j digit by digit, then the rows surely before it
// and those that may be at its place, each in the order of the rows. Counts of whole numbers have no order to keep.
struct Nearest {
  const double *products, *point_norms, *query_norms;
  double largest, slack;  // of the points' norms; relative error of t
  long row0, points, stride, k;
  bool own;  // the row itself is left out
  long room;
  int *counts, *found;
};
__global__ void __launch_bounds__(256) nearest(const Nearest a) {
  __shared__ unsigned counts[256];
  __shared__ unsigned long long prefix;
  __shared__ long remaining;
  __shared__ unsigned warps[8];
  const long i = blockIdx.x, self = a.own ? a.row0 + i : -1;
  const double* row = a.products + std::size_t(i) * a.stride;
  const auto key = [&](long j) { return j == self ? ~0ull : ordered(a.point_norms[j] - 2 * row[j]); };
  if (threadIdx.x == 0) prefix = 0, remaining = a.k;
  for (int shift = 56; shift >= 0; shift -= 8) {
    counts[threadIdx.x] = 0;
    __syncthreads();
    const unsigned long long above = shift == 56 ? 0 : ~0ull << (shift + 8), wanted = prefix;
    for (long j = threadIdx.x; j < a.points; j += 256) {
      const unsigned long long each = key(j);
      if ((each & above) == wanted) atomicAdd(&counts[each >> shift & 255], 1u);
    }
    __syncthreads();
    if (threadIdx.x == 0) {
      int digit = 0;
      while (digit < 255 && remaining > long(counts[digit])) remaining -= counts[digit++];
      prefix |= (unsigned long long)digit << shift;
    }
    __syncthreads();
  }
  const double last = unordered(prefix), margin = 2 * a.slack * (a.query_norms[a.row0 + i] + a.largest);
  long total = 0;
  for (int round = 0; round < 2; ++round)
    for (long first = 0; first < a.points; first += 256) {
      const long j = first + threadIdx.x;
      bool taken = false;
      if (j < a.points && j != self) {
        const double t = a.point_norms[j] - 2 * row[j];
        taken = round == 0 ? t < last - margin : t >= last - margin && t <= last + margin;
      }
      const unsigned votes = __ballot_sync(~0u, taken);
      __syncthreads();
      if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = __popc(votes);
      __syncthreads();
      long place = total + __popc(votes & ((1u << threadIdx.x % 32) - 1));
      for (int w = 0; w < 8; ++w) {
        if (w < threadIdx.x / 32) place += warps[w];
        total += warps[w];
      }
      if (taken && place < a.room) a.found[std::size_t(i) * a.room + place] = int(j);
    }
  // Where the products are exact, of equally near rows the first are the right ones.
  if (threadIdx.x == 0) a.counts[i] = total <= a.room ? int(total) : a.slack == 0 ? int(a.room) : -1;
}

}  // namespace

void find_candidates(const Samples& queries, const Samples& points, const Sweep& sweep, long k, bool own, double slack,
                     long room, int* counts, int* found) {
  const long n = queries.n, d = queries.d, m = points.n, stride = padded(m);
  double *norms = card().norms.need(n), *point_norms = card().other_norms.need(m);
  squared_norms(queries.X.data(), n, d, norms);
  squared_norms(points.X.data(), m, d, point_norms);
  std::vector<double> host(m);
  card().other_norms.get(host.data(), m);
  const long rows_at_a_time =
      strip_rows(sweep, n, 8.0 * double(stride) + 4.0 * double(room + 1), double(card().strips.bytes()));
  double* strip = card().strips.need(std::size_t(rows_at_a_time) * stride);
  int* out = card().info.need(std::size_t(rows_at_a_time) * (room + 1));
  for_each_strip(sweep, n, rows_at_a_time, [&](long row0, long rows) {
    gemm(true, false, m, rows, d, 1, points.X.data(), d, queries.X.data() + row0 * d, d, 0, strip, stride);
    nearest<<<unsigned(rows), 256>>>({strip, point_norms, norms, *std::max_element(host.begin(), host.end()), slack,
                                      row0, m, stride, k, own, room, out, out + rows});
    launched("look for neighbours");
    require(cudaMemcpy(counts + row0, out, rows * sizeof(int), cudaMemcpyDeviceToHost), "give data back");
    require(cudaMemcpy(found + row0 * room, out + rows, std::size_t(rows) * room * sizeof(int), cudaMemcpyDeviceToHost),
            "give data back");
  });
}

}  // namespace ritz::device
