// SPDX-License-Identifier: MIT
// Ratios of squared distances under a map: the tiles of ratio_scan.hpp.
#include "backends/cuda/module/operations.cuh"
#include "backends/cuda/module/strips.cuh"

namespace ritz::device {

namespace {

struct Scan {
  const double *G, *H;  // products of points and of their images: strip rows × stride, columns from row0 on
  long stride, row0, rows, n, panels;
  const double *x, *y;  // squared norms
  const int* copies;
  ScanRequest request;
  ScannedTile* tiles;
  ScannedPair* pairs;
  unsigned* histogram;  // a row of bins for each tile
};

constexpr int kScanBins = 1024;  // of the search for the kept pairs, and the most of a histogram

// One block for each tile of kScanPanel² pairs: counts, then the bounds that leave about `kept` pairs of each tail,
// then the list. Places in the list are taken as threads come: the host puts it in order.
__global__ void __launch_bounds__(256) scan_tiles(const Scan a) {
  __shared__ double shared[256];
  __shared__ unsigned bins[kScanBins];
  __shared__ unsigned long long total;
  __shared__ unsigned listed;
  __shared__ double edge, upper_end;
  __shared__ bool settled;
  const long down = a.row0 / kScanPanel + blockIdx.y, across = a.row0 / kScanPanel + blockIdx.x;
  if (across < down) return;
  const long i0 = down * kScanPanel, j0 = across * kScanPanel,
             tile = down * a.panels - down * (down - 1) / 2 + across - down;
  const long i_end = min(i0 + kScanPanel, a.row0 + a.rows), j_end = min(j0 + kScanPanel, a.n);
  const ScanRequest& r = a.request;
  struct Pair {
    double p, margin, ratio, error;
    bool told;
  };
  const auto pair_at = [&](long i, long j) {
    const std::size_t at = std::size_t(i - a.row0) * a.stride + (j - a.row0);
    Pair pair;
    pair.p = a.x[i] + a.x[j] - 2 * a.G[at];
    const double q = fmax(a.y[i] + a.y[j] - 2 * a.H[at], 0.0);
    pair.margin = 2 * r.slack * r.factor * (a.x[i] + a.x[j]);
    pair.told = pair.p > 2 * pair.margin;
    pair.ratio = pair.told ? q / pair.p : 0;
    pair.error = pair.told ? pair.margin / pair.p * fmax(1.0, pair.ratio / r.factor) : 0;
    return pair;
  };
  const auto each = [&](const auto& use) {
    for (long i = i0; i < i_end; ++i)
      for (long j = j0 + threadIdx.x; j < j_end; j += 256)
        if (j > i) use(i, j, pair_at(i, j));
  };
  const auto reduced = [&](double mine, const auto& join) {
    __syncthreads();
    shared[threadIdx.x] = mine;
    for (int w = 128; w > 0; w /= 2) {
      __syncthreads();
      if (threadIdx.x < w) shared[threadIdx.x] = join(shared[threadIdx.x], shared[threadIdx.x + w]);
    }
    __syncthreads();
    return shared[0];
  };
  const auto larger = [](double u, double v) { return u > v ? u : v; };
  const auto sum = [](double u, double v) { return u + v; };  // of whole numbers: exact

  for (int b = threadIdx.x; b < kScanBins; b += 256) bins[b] = 0;
  if (threadIdx.x == 0) total = 0, listed = 0;
  __syncthreads();
  double high = -INFINITY, low = -INFINITY, sure_high = -INFINITY, sure_low = -INFINITY;  // low ones negated
  double above = 0, below = 0;
  unsigned long long beyond = 0;
  each([&](long i, long j, const Pair& pair) {
    if (r.bins > 0 && pair.told) {
      const double place = (pair.ratio - r.lowest_bin) * r.per_ratio;
      atomicAdd(&bins[place >= 0 ? int(fmin(place, double(r.bins - 1))) : 0], 1u);
    }
    if (!pair.told) return;
    high = larger(high, pair.ratio), low = larger(low, -pair.ratio);
    sure_high = larger(sure_high, pair.ratio - pair.error), sure_low = larger(sure_low, -pair.ratio - pair.error);
    above += pair.ratio > 1 + r.band, below += pair.ratio < 1 - r.band;
    if ((fabs(pair.ratio - 1) - r.band) * pair.p > pair.margin)
      beyond += (unsigned long long)(a.copies[i]) * a.copies[j];
  });
  atomicAdd(&total, beyond);
  high = reduced(high, larger), low = reduced(low, larger);
  sure_high = reduced(sure_high, larger), sure_low = reduced(sure_low, larger);
  above = reduced(above, sum), below = reduced(below, sum);
  if (threadIdx.x < r.bins)
    for (long b = threadIdx.x; b < r.bins; b += 256) a.histogram[tile * r.bins + b] = bins[b];

  // The bound above which (negated: below which) about `kept` ratios lie: a histogram, and one of its bin where that
  // still holds too many.
  const auto bound = [&](double sign, double from, double most, double count) {
    if (count <= double(r.kept)) return from;
    if (threadIdx.x == 0) edge = from, upper_end = most, settled = false;
    unsigned taken = 0;  // above upper_end
    for (int round = 0; round < 4; ++round) {
      __syncthreads();
      for (int b = threadIdx.x; b < kScanBins; b += 256) bins[b] = 0;
      __syncthreads();
      const double start = edge, end = upper_end, per = kScanBins / (end - start);
      if (settled || !(end > start)) break;
      each([&](long, long, const Pair& pair) {
        const double value = sign * pair.ratio;
        if (pair.told && value > start && value <= end)
          atomicAdd(&bins[int(fmin((value - start) * per, double(kScanBins - 1)))], 1u);
      });
      __syncthreads();
      if (threadIdx.x == 0) {
        int b = kScanBins - 1;
        while (b > 0 && taken + bins[b] < r.kept) taken += bins[b--];
        edge = start + b / per, upper_end = b == kScanBins - 1 ? end : start + (b + 1) / per;
        settled = taken + bins[b] <= r.kept + 16;
      }
    }
    __syncthreads();
    const double found = edge;
    __syncthreads();
    return found;
  };
  const double over = bound(1, 1 + r.band, high, above), under = bound(-1, r.band - 1, low, below);

  each([&](long i, long j, const Pair& pair) {
    unsigned kind = 0;
    if (!pair.told) {
      kind = scan_untold | scan_doubtful;
    } else {
      const double outside = (fabs(pair.ratio - 1) - r.band) * pair.p;
      if (outside <= pair.margin && outside > -pair.margin) kind |= scan_doubtful;
      if ((pair.ratio > 1 + r.band && pair.ratio >= over) || pair.ratio + pair.error >= sure_high) kind |= scan_above;
      if ((pair.ratio < 1 - r.band && -pair.ratio >= under) || pair.error - pair.ratio >= sure_low) kind |= scan_below;
    }
    if (!kind) return;
    const unsigned place = atomicAdd(&listed, 1u);
    if (place < kScanRoom)
      a.pairs[tile * kScanRoom + place] = {(unsigned short)(i - i0), (unsigned short)(j - j0), (unsigned char)(kind),
                                           float(pair.error), pair.ratio};
  });
  __syncthreads();
  if (threadIdx.x == 0) a.tiles[tile] = {(long long)(total), (long long)(listed)};
}

}  // namespace

void scan_all(Samples& samples, const Sweep& sweep, const int* copies, const ScanRequest& request, ScannedTile* tiles,
              ScannedPair* pairs, unsigned* histogram) {
  const long n = samples.n, d = samples.d, r = request.r, panels = (n + kScanPanel - 1) / kScanPanel;
  const long count = panels * (panels + 1) / 2;
  double* psi = card().W.put(request.psi, std::size_t(r) * d);
  double* Y = card().Z.need(std::size_t(n) * r);
  gemm(true, false, r, n, d, 1, psi, d, samples.X.data(), d, 0, Y, r);
  double *x = card().norms.need(n), *y = card().other_norms.need(n);
  squared_norms(samples.X.data(), n, d, x);
  squared_norms(Y, n, r, y);
  const int* many = card().info.put(copies, n);
  const std::size_t list = std::size_t(count) * kScanRoom;
  auto* listed = reinterpret_cast<ScannedPair*>(card().Y.need((list * sizeof(ScannedPair)) / 8 + 1));
  auto* facts = reinterpret_cast<ScannedTile*>(card().degree.need(2 * count));
  auto* bins = reinterpret_cast<unsigned*>(card().half.need(count * request.bins / 2 + 1));
  const double bytes = 16.0 * double(padded(n));
  long rows_at_a_time = strip_rows(sweep, n, bytes, double(card().strips.bytes()));
  rows_at_a_time = std::max(kScanPanel, rows_at_a_time / kScanPanel * kScanPanel);
  const std::size_t entries = std::size_t(rows_at_a_time) * padded(n);
  double* strip = card().strips.need(2 * entries);
  for_each_strip(sweep, n, rows_at_a_time, [&](long row0, long rows) {
    const long columns = n - row0, stride = padded(columns);
    gemm(true, false, columns, rows, d, 1, samples.X.data() + row0 * d, d, samples.X.data() + row0 * d, d, 0, strip,
         stride);
    gemm(true, false, columns, rows, r, 1, Y + row0 * r, r, Y + row0 * r, r, 0, strip + entries, stride);
    const dim3 grid(unsigned((columns + kScanPanel - 1) / kScanPanel), unsigned((rows + kScanPanel - 1) / kScanPanel));
    scan_tiles<<<grid, 256>>>(
        {strip, strip + entries, stride, row0, rows, n, panels, x, y, many, request, facts, listed, bins});
    launched("compare distances");
  });
  require(cudaMemcpy(tiles, facts, count * sizeof(ScannedTile), cudaMemcpyDeviceToHost), "give data back");
  require(cudaMemcpy(pairs, listed, list * sizeof(ScannedPair), cudaMemcpyDeviceToHost), "give data back");
  if (request.bins > 0)
    require(cudaMemcpy(histogram, bins, count * request.bins * sizeof(unsigned), cudaMemcpyDeviceToHost), "give data");
}

}  // namespace ritz::device
