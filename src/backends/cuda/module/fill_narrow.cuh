// SPDX-License-Identifier: MIT
// The weights of the sums over pairs once more, for what is asked again and again: one kernel, and few columns of z. A
// thread keeps its columns of the strip in registers and walks down the rows, which a block holds together: of a column
// nothing is read twice, and its sum needs no other thread.
#pragma once

#include "backends/cuda/module/fill.cuh"

namespace ritz::device {

constexpr int kNarrow = 16;  // columns of z at most
constexpr int kOwn = 2, kNarrowColumns = kThreads * kOwn, kNarrowRows = 128;
constexpr int kBatch = 4;  // rows whose sums are added across a warp together

// Whether the sums over pairs are this file's. The others of fill.cuh never are.
inline bool narrow(const Fill& f) { return f.only >= 0 && f.row_z && f.q <= kNarrow; }

// Sums over a warp of N values a lane: halves are exchanged, so that value (lane / (32 / N)) ends in its lanes.
template <int N>
__device__ __forceinline__ double across_warp(double (&x)[N]) {
  const int lane = threadIdx.x % 32;
  int step = 16;
#pragma unroll
  for (int half = N / 2; half > 0; half /= 2, step /= 2)
#pragma unroll
    for (int k = 0; k < half; ++k) {
      const double keep = lane & step ? x[k + half] : x[k], give = lane & step ? x[k] : x[k + half];
      x[k] = keep + __shfl_xor_sync(~0u, give, step);
    }
#pragma unroll
  for (; step > 0; step /= 2) x[0] += __shfl_xor_sync(~0u, x[0], step);
  return x[0];
}

// Q ≥ q, even: the columns of z with zeros behind them.
template <Mode mode, class K, int Q>
__global__ void __launch_bounds__(kThreads, 2) fill_narrow(const Fill f) {
  static_assert(mode == Mode::weights || mode == Mode::objective);
  constexpr bool kDot = K::form == PairForm::dot, kScaled = K::per_sample, kWeights = mode == Mode::weights;
  constexpr int kWarps = kThreads / 32;
  __shared__ double2 z[kNarrowRows * Q / 2];
  __shared__ double2 facts[kNarrowRows];  // what is added to β for the row, and its share
  __shared__ double scales[kScaled ? kNarrowRows : 1];
  __shared__ int classes[kNarrowRows];
  __shared__ double sums[kWarps * kNarrowRows];
  const long i0 = f.row0 + long(blockIdx.y) * kNarrowRows, left = f.row0 + f.rows - i0;
  const int rows = int(left < kNarrowRows ? left : kNarrowRows);
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const K kernel = *reinterpret_cast<const K*>(f.terms[0].object);
  const double weight = f.terms[0].weight;
  const double *row_add = kDot ? f.row_along : f.row_norms, *column_add = kDot ? f.column_along : f.column_norms;

  for (int e = threadIdx.x; e < kNarrowRows * Q; e += kThreads) {
    const int row = e / Q, k = e % Q;
    reinterpret_cast<double*>(z)[e] = row < rows && k < f.q ? f.row_z[(i0 + row) * f.q + k] : 0.0;
  }
  if (threadIdx.x < rows) {
    const long i = i0 + threadIdx.x;
    facts[threadIdx.x] = {row_add ? row_add[i] : 0.0, f.classes ? f.share[i] : 0.0};
    classes[threadIdx.x] = f.classes ? f.classes[i] : 0;
    if constexpr (kScaled) scales[threadIdx.x] = f.terms[0].row_scale[i];
  }

  long j[kOwn];
  double own[kOwn][Q], add[kOwn], share[kOwn], other[kOwn], live[kOwn], out[kOwn], down[kOwn] = {}, value[kOwn] = {};
  int own_class[kOwn];
#pragma unroll
  for (int v = 0; v < kOwn; ++v) {
    j[v] = long(blockIdx.x) * kNarrowColumns + v * kThreads + threadIdx.x;
    const bool inside = j[v] < f.columns;
#pragma unroll
    for (int k = 0; k < Q; ++k) own[v][k] = inside && k < f.q ? f.column_z[j[v] * f.q + k] : 0.0;
    add[v] = inside && column_add ? column_add[j[v]] : 0.0;
    share[v] = inside && f.classes ? f.share[j[v]] : 0.0;
    own_class[v] = inside && f.classes ? f.classes[j[v]] : 0;
    other[v] = 1;
    if constexpr (kScaled) other[v] = inside ? f.terms[0].column_scale[j[v]] : 0.0;
    live[v] = inside ? weight : 0.0;
    // Of the triangle, the strip's own square counts half.
    out[v] = live[v] * (kDot ? 1 : -2) * (f.triangle && j[v] >= f.row0 ? 0.5 : 1);
  }
  __syncthreads();

  // N rows from `first` on.
  const auto walk = [&](auto count, int first) {
    constexpr int N = decltype(count)::value;
    double gamma[N][kOwn];
    [[maybe_unused]] double row[N] = {};
#pragma unroll
    for (int u = 0; u < N; ++u)
#pragma unroll
      for (int v = 0; v < kOwn; ++v)
        gamma[u][v] = f.gamma     ? (live[v] != 0 ? f.gamma[std::size_t(i0 + first + u - f.row0) * f.stride + j[v]] : 0)
                      : f.classes ? (classes[first + u] == own_class[v] ? 1.0 : 0.0) - facts[first + u].y - share[v]
                                  : 1.0;
#pragma unroll
    for (int u = 0; u < N; ++u) {
      double dot[kOwn] = {};
#pragma unroll
      for (int k = 0; k < Q / 2; ++k) {
        const double2 two = z[(first + u) * (Q / 2) + k];
#pragma unroll
        for (int v = 0; v < kOwn; ++v) dot[v] += two.x * own[v][2 * k], dot[v] += two.y * own[v][2 * k + 1];
      }
#pragma unroll
      for (int v = 0; v < kOwn; ++v) {
        double beta = facts[first + u].x + add[v] + (kDot ? 1 : -2) * dot[v];
        if constexpr (!kDot) beta = beta > 0 ? beta : 0;
        [[maybe_unused]] double scale = 1;
        if constexpr (kScaled) {
          scale = scales[first + u] * other[v];
          beta *= scale;
        }
        value[v] += gamma[u][v] * kernel.value(beta);
        if constexpr (kWeights) {
          const double psi = kScaled ? gamma[u][v] * (scale * kernel.slope(beta)) : gamma[u][v] * kernel.slope(beta);
          if constexpr (!kDot) {
            row[u] += psi * live[v];
            down[v] += psi;
          }
          const std::size_t at = std::size_t(i0 + first + u - f.row0) * f.stride + j[v];
          if (j[v] < f.columns) {
            if (f.single)
              f.single[at] = float(psi * out[v]);
            else
              f.strip[at] = psi * out[v];
          }
        }
      }
    }
    if constexpr (kWeights && !kDot) {
      const double sum = across_warp(row);
      if (lane % (32 / N) == 0) sums[warp * kNarrowRows + first + lane / (32 / N)] = sum;
    }
  };
  int first = 0;
  for (; first + kBatch <= rows; first += kBatch) walk(std::integral_constant<int, kBatch>(), first);
  for (; first < rows; ++first) walk(std::integral_constant<int, 1>(), first);

  if constexpr (kWeights && !kDot) {
    if (f.column_parts)
#pragma unroll
      for (int v = 0; v < kOwn; ++v)
        if (j[v] < f.columns) f.column_parts[std::size_t(blockIdx.y) * f.stride + j[v]] = down[v] * weight;
    __syncthreads();
    if (threadIdx.x < rows) {
      double sum = 0;
      for (int w = 0; w < kWarps; ++w) sum += sums[w * kNarrowRows + threadIdx.x];
      f.row_parts[std::size_t(blockIdx.x) * f.rows + (i0 - f.row0) + threadIdx.x] = sum;
    }
    __syncthreads();
  }
  // Pairs of the triangle outside the strip's own square stand for both orders.
  double objective[1] = {};
#pragma unroll
  for (int v = 0; v < kOwn; ++v) objective[0] += value[v] * live[v] * (!f.triangle || j[v] >= f.row0 ? 1 : 2);
  across_warp(objective);
  if (lane == 0) sums[warp] = objective[0];
  __syncthreads();
  if (threadIdx.x == 0) {
    double sum = 0;
    for (int w = 0; w < kWarps; ++w) sum += sums[w];
    f.objective_parts[std::size_t(blockIdx.y) * gridDim.x + blockIdx.x] = sum;
  }
}

}  // namespace ritz::device
