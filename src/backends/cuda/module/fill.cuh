// SPDX-License-Identifier: MIT
// The kernel on a strip of pairs: rows of one set of samples against columns of another, or of the same. The one place
// of the module where values, slopes and curvatures of kernels are taken, by the functions of model/kernels/.
#pragma once

#include <type_traits>
#include <variant>

#include "backends/cuda/table.hpp"
#include "model/kernel_list.hpp"

namespace ritz::device {

// A block of 256 threads walks kSpan tiles along its rows; a thread has kDown × kAcross pairs of each.
constexpr int kThreads = 256, kLanes = 16, kDown = 2, kAcross = 2, kSpan = 8;
constexpr int kTileRows = kLanes * kDown, kTileColumns = kLanes * kAcross;
constexpr int kDepth = 16;  // columns of z at a time

enum class Mode { value, slope, curvature, objective, weights };

struct Fill {
  const double *row_z, *column_z;  // q columns, row-major; null: the products stand in `products`
  long q;
  const double* products;
  const double *row_norms, *column_norms;  // for kernels of differences
  const double *row_along, *column_along;  // xᵢᵀxⱼ = cᵢᵀcⱼ + along_i + along_j about the centre; null: 0
  const Term* terms;                       // their scales are on the card
  int count;
  int only;             // the type of a single term; or -1
  const double* gamma;  // a strip; or null, and
  const int* classes;   // [c_i = c_j] − share_i − share_j; or null: 1
  const double* share;
  long row0, rows, columns, stride;
  bool triangle;   // the columns end with the strip's own rows, whose square counts half
  double* strip;   // rows × stride; may be `products` or `gamma`
  double* second;  // curvature: of kernels of differences, `strip` is for dot products
  float* single;   // weights in single precision instead
  double *row_parts, *column_parts, *objective_parts;
};

template <std::size_t I = 0, class Use>
__device__ __forceinline__ void with_kernel(const Term& term, const Use& use) {
  if constexpr (I < std::variant_size_v<KernelTypes>) {
    using K = std::variant_alternative_t<I, KernelTypes>;
    if constexpr (kListed<K>) {
      static_assert(sizeof(K) <= kObject && std::is_trivially_copyable_v<K>);
      if (term.type == int(I)) {
        const K kernel = *reinterpret_cast<const K*>(term.object);
        return use(kernel);
      }
    }
    with_kernel<I + 1>(term, use);
  }
}

// zᵢᵀzⱼ of a thread's pairs of a tile. Rows that fit in `left` stay there for the next tile.
__device__ __forceinline__ void tile_products(const Fill& f, long i0, long j0, bool first, double* left, double* right,
                                              double (&dot)[kDown][kAcross]) {
  const int tx = threadIdx.x % kLanes, ty = threadIdx.x / kLanes;
  for (long k0 = 0; k0 < f.q; k0 += kDepth) {
    __syncthreads();
    const auto load = [&](const double* z, long from, long end, int rows, double* to) {
      for (int e = threadIdx.x; e < rows * kDepth; e += kThreads) {
        const int row = e / kDepth, k = e % kDepth;
        to[row * (kDepth + 1) + k] = from + row < end && k0 + k < f.q ? z[(from + row) * f.q + k0 + k] : 0.0;
      }
    };
    if (first || f.q > kDepth) load(f.row_z, i0, f.row0 + f.rows, kTileRows, left);
    load(f.column_z, j0, f.columns, kTileColumns, right);
    __syncthreads();
    const int depth = int(f.q - k0 < kDepth ? f.q - k0 : kDepth);
#pragma unroll 4
    for (int k = 0; k < (depth + 3) / 4 * 4; ++k) {  // beyond q stand zeros
      double a[kDown], b[kAcross];
#pragma unroll
      for (int u = 0; u < kDown; ++u) a[u] = left[(ty * kDown + u) * (kDepth + 1) + k];
#pragma unroll
      for (int v = 0; v < kAcross; ++v) b[v] = right[(tx + kLanes * v) * (kDepth + 1) + k];
#pragma unroll
      for (int u = 0; u < kDown; ++u)
#pragma unroll
        for (int v = 0; v < kAcross; ++v) dot[u][v] += a[u] * b[v];
    }
  }
}

// Only: the kernel of a sum of one term, which then needs no choice between all of them, and fewer registers.
template <Mode mode, class Only = void>
__global__ void __launch_bounds__(kThreads, std::is_void_v<Only> ? 2 : 4) fill(const Fill f) {
  constexpr bool kWeighted = mode == Mode::weights || mode == Mode::objective || mode == Mode::curvature;
  __shared__ double left[kTileRows * (kDepth + 1)], right[kTileColumns * (kDepth + 1)];
  __shared__ double shared[kThreads];
  const int tx = threadIdx.x % kLanes, ty = threadIdx.x / kLanes;
  const long i0 = f.row0 + long(blockIdx.y) * kTileRows, row_end = f.row0 + f.rows;
  double objective = 0, row_sum[kDown] = {};
  long i[kDown];
  double row_norm[kDown] = {}, row_along[kDown] = {}, row_share[kDown] = {};
  int row_class[kDown] = {};
#pragma unroll
  for (int u = 0; u < kDown; ++u) {
    i[u] = i0 + ty * kDown + u;
    if (i[u] < row_end && f.row_norms) row_norm[u] = f.row_norms[i[u]];
    if (i[u] < row_end && f.row_along) row_along[u] = f.row_along[i[u]];
    if (kWeighted && i[u] < row_end && f.classes) row_class[u] = f.classes[i[u]], row_share[u] = f.share[i[u]];
  }
  for (int t = 0; t < kSpan; ++t) {
    const long j0 = (long(blockIdx.x) * kSpan + t) * kTileColumns;
    if (j0 >= f.columns) break;
    double dot[kDown][kAcross] = {}, gamma[kDown][kAcross], first[kDown][kAcross] = {}, second[kDown][kAcross] = {};
    double column_sum[kAcross] = {}, column_share[kAcross] = {};
    int column_class[kAcross] = {};
#pragma unroll
    for (int v = 0; v < kAcross; ++v)
      if (const long j = j0 + tx + kLanes * v; kWeighted && f.classes && j < f.columns)
        column_class[v] = f.classes[j], column_share[v] = f.share[j];
    if (f.row_z) tile_products(f, i0, j0, t == 0, left, right, dot);
#pragma unroll
    for (int u = 0; u < kDown; ++u)
#pragma unroll
      for (int v = 0; v < kAcross; ++v) {
        const long j = j0 + tx + kLanes * v;
        const bool inside = i[u] < row_end && j < f.columns;
        const std::size_t at = std::size_t(i[u] - f.row0) * f.stride + j;
        if (!f.row_z && inside) dot[u][v] = f.products[at];
        gamma[u][v] = !inside     ? 0.0
                      : f.gamma   ? f.gamma[at]
                      : f.classes ? (row_class[u] == column_class[v] ? 1.0 : 0.0) - row_share[u] - column_share[v]
                                  : 1.0;
      }
    for (int k = 0; k < f.count; ++k) {
      const Term& term = f.terms[k];
      const auto take = [&](const auto& kernel) {
        using K = std::decay_t<decltype(kernel)>;
        constexpr bool kDot = K::form == PairForm::dot;
        const double weight = term.weight;
        const double *row_scale = term.row_scale, *column_scale = term.column_scale;
#pragma unroll
        for (int v = 0; v < kAcross; ++v) {
          const long j = j0 + tx + kLanes * v;
          const bool there = j < f.columns;
          const double norm = !kDot && there ? f.column_norms[j] : 0,
                       along = kDot && there && f.column_along ? f.column_along[j] : 0;
          const double other = K::per_sample && there ? column_scale[j] : 0;
          // Of the triangle, pairs outside the strip's own square stand for both orders.
          [[maybe_unused]] const bool own = !f.triangle || j >= f.row0;
#pragma unroll
          for (int u = 0; u < kDown; ++u) {
            double beta = dot[u][v];
            if constexpr (kDot) {
              beta += row_along[u] + along;
            } else {
              beta = row_norm[u] + norm - 2 * beta;
              beta = beta > 0 ? beta : 0;
            }
            double scale = 1;
            if constexpr (K::per_sample) scale = i[u] < row_end ? row_scale[i[u]] * other : 0;
            if constexpr (mode == Mode::value) first[u][v] += weight * kernel.value(beta * scale);
            if constexpr (mode == Mode::slope) first[u][v] += weight * scale * kernel.slope(beta * scale);
            if constexpr (mode == Mode::curvature)
              (kDot ? first : second)[u][v] += weight * scale * scale * kernel.curvature(beta * scale);
            if constexpr (mode == Mode::objective || mode == Mode::weights)
              objective += (own ? 1 : 2) * (gamma[u][v] * (weight * kernel.value(beta * scale)));
            if constexpr (mode == Mode::weights) {
              const double psi = gamma[u][v] * (weight * scale * kernel.slope(beta * scale));
              first[u][v] += kDot ? psi : -2 * psi;
              if constexpr (!kDot) {
                row_sum[u] += psi;
                column_sum[v] += psi;
              }
            }
          }
        }
      };
      if constexpr (std::is_void_v<Only>) {
        with_kernel(term, take);
      } else {
        const Only kernel = *reinterpret_cast<const Only*>(term.object);
        take(kernel);
      }
    }
    if constexpr (mode != Mode::objective) {
#pragma unroll
      for (int u = 0; u < kDown; ++u)
#pragma unroll
        for (int v = 0; v < kAcross; ++v) {
          const long j = j0 + tx + kLanes * v;
          if (i[u] >= row_end || j >= f.columns) continue;
          const std::size_t at = std::size_t(i[u] - f.row0) * f.stride + j;
          if constexpr (mode == Mode::weights) {
            const double weight = first[u][v] * (f.triangle && j >= f.row0 ? 0.5 : 1.0);
            if (f.single)
              f.single[at] = float(weight);
            else
              f.strip[at] = weight;
          } else if constexpr (mode == Mode::curvature) {
            if (f.strip) f.strip[at] = gamma[u][v] * first[u][v];
            if (f.second) f.second[at] = gamma[u][v] * second[u][v];
          } else {
            f.strip[at] = first[u][v];
          }
        }
    }
    if constexpr (mode == Mode::weights) {
      if (f.column_parts) {  // over the rows of the tile: two in a warp, then the warps in order
        __syncthreads();
#pragma unroll
        for (int v = 0; v < kAcross; ++v) {
          const double both = column_sum[v] + __shfl_down_sync(~0u, column_sum[v], kLanes);
          if (threadIdx.x % 32 < kLanes) shared[threadIdx.x / 32 * kTileColumns + tx + kLanes * v] = both;
        }
        __syncthreads();
        if (threadIdx.x < kTileColumns && j0 + threadIdx.x < f.columns) {
          double sum = 0;
          for (int w = 0; w < kThreads / 32; ++w) sum += shared[w * kTileColumns + threadIdx.x];
          f.column_parts[std::size_t(blockIdx.y) * f.stride + j0 + threadIdx.x] = sum;
        }
      }
    }
  }
  if constexpr (mode == Mode::weights) {
#pragma unroll
    for (int u = 0; u < kDown; ++u) {
      for (int w = kLanes / 2; w > 0; w /= 2) row_sum[u] += __shfl_down_sync(~0u, row_sum[u], w, kLanes);
      if (tx == 0 && i[u] < row_end) f.row_parts[std::size_t(blockIdx.x) * f.rows + i[u] - f.row0] = row_sum[u];
    }
  }
  if constexpr (kWeighted && mode != Mode::curvature) {
    __syncthreads();
    shared[threadIdx.x] = objective;
    for (int w = kThreads / 2; w > 0; w /= 2) {
      __syncthreads();
      if (threadIdx.x < w) shared[threadIdx.x] += shared[threadIdx.x + w];
    }
    if (threadIdx.x == 0) f.objective_parts[std::size_t(blockIdx.y) * gridDim.x + blockIdx.x] = shared[0];
  }
}

}  // namespace ritz::device
