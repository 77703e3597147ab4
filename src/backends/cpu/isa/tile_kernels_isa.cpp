// SPDX-License-Identifier: MIT
// Compiled once for each instruction set, with RITZ_ISA set to its name. Only loops over plain arrays may stand here,
// and everything lives in a namespace of that name: a function shared with other files would leak instructions into
// them.
#include <utility>

#include "backends/cpu/isa/block_product.hpp"
#include "backends/cpu/tile_kernels.hpp"
#include "model/kernel_list.hpp"

#define RITZ_TEXT_OF(x) #x
#define RITZ_TEXT(x) RITZ_TEXT_OF(x)

namespace ritz::tile::RITZ_ISA {

namespace {

// Calls use(kernel) with a copy whose constants the compiler can keep in registers.
template <class K, class Use>
RITZ_INLINE void with_constants(const void* object, Use&& use) {
  const K kernel = *static_cast<const K*>(object);
  if constexpr (requires { kernel.specialise(use); })
    kernel.specialise(use);
  else
    use(kernel);
}

template <class K>
void value_row(const void* object, double weight, const double* beta, const double* scale, Size n,
               double* __restrict first, double*) {
  with_constants<K>(object, [&](const auto& kernel) {
    if (scale)
      for (Size j = 0; j < n; ++j) first[j] += weight * kernel.value(beta[j] * scale[j]);
    else
      for (Size j = 0; j < n; ++j) first[j] += weight * kernel.value(beta[j]);
  });
}

template <class K>
void value_slope_row(const void* object, double weight, const double* beta, const double* scale, Size n,
                     double* __restrict first, double* __restrict second) {
  with_constants<K>(object, [&](const auto& kernel) {
    if (scale)
      for (Size j = 0; j < n; ++j) {
        first[j] += weight * kernel.value(beta[j] * scale[j]);
        second[j] += weight * scale[j] * kernel.slope(beta[j] * scale[j]);
      }
    else
      for (Size j = 0; j < n; ++j) {
        first[j] += weight * kernel.value(beta[j]);
        second[j] += weight * kernel.slope(beta[j]);
      }
  });
}

template <class K>
void curvature_row(const void* object, double weight, const double* beta, const double* scale, Size n,
                   double* __restrict first, double*) {
  with_constants<K>(object, [&](const auto& kernel) {
    if (scale)
      for (Size j = 0; j < n; ++j) first[j] += weight * scale[j] * scale[j] * kernel.curvature(beta[j] * scale[j]);
    else
      for (Size j = 0; j < n; ++j) first[j] += weight * kernel.curvature(beta[j]);
  });
}

template <class K>
RowSums weigh_row(const void* object, double weight, const double* dots, double own_norm, const double* norms, Size n,
                  const double* gamma, double* __restrict weights, double* __restrict column_degree) {
  double objective = 0, degree = 0;
  with_constants<K>(object, [&](const auto& kernel) {
    double value_sum = 0, slope_sum = 0;
#pragma omp simd reduction(+ : value_sum, slope_sum)
    for (Size j = 0; j < n; ++j) {
      const double distance = own_norm + norms[j] - 2 * dots[j], beta = distance > 0 ? distance : 0;
      const double psi = gamma[j] * (weight * kernel.slope(beta));
      value_sum += gamma[j] * (weight * kernel.value(beta));
      slope_sum += psi;
      column_degree[j] += psi;
      weights[j] = -2 * psi;
    }
    objective = value_sum, degree = slope_sum;
  });
  return {objective, degree};
}

void squared_distances(const double* dots, double own_norm, const double* norms, Size n, double* __restrict beta) {
  for (Size j = 0; j < n; ++j) {
    const double distance = own_norm + norms[j] - 2 * dots[j];
    beta[j] = distance > 0 ? distance : 0;
  }
}

void outer_scale(double own, const double* others, Size n, double* __restrict scale) {
  for (Size j = 0; j < n; ++j) scale[j] = own * others[j];
}

Size beyond(const BandRow& row, Size n, int* places) {
  constexpr Size kBlock = 64;  // most blocks have no such pair
  Size found = 0;
  for (Size first = 0; first < n; first += kBlock) {
    const Size count = n - first < kBlock ? n - first : kBlock;
    const float *ups = row.ups + first, *lows = row.lows + first, *G = row.G + first, *H = row.H + first;
    float farther[kBlock], most = -1;
#pragma omp simd reduction(max : most)
    for (Size j = 0; j < count; ++j) {
      const float over = (row.up + ups[j]) - 2 * H[j] + row.grow * G[j];
      const float under = (row.low + lows[j]) + 2 * H[j] - row.shrink * G[j];
      farther[j] = over > under ? over : under;
      most = most > farther[j] ? most : farther[j];
    }
    if (!(most >= 0)) continue;
    for (Size j = 0; j < count; ++j)
      if (farther[j] >= 0) places[found++] = int(first + j);
  }
  return found;
}

float single_dot(const float* a, const float* b, Size n) {
  float sum = 0;
#pragma omp simd reduction(+ : sum)
  for (Size c = 0; c < n; ++c) sum += a[c] * b[c];
  return sum;
}

double weighted_sum(const double* gamma, const double* value, Size n) {
  double sum = 0;
#pragma omp simd reduction(+ : sum)
  for (Size j = 0; j < n; ++j) sum += gamma[j] * value[j];
  return sum;
}

RowSums combine(const double* gamma, const double* value, const double* dot_slope, const double* difference_slope,
                Size n, double* __restrict weights, double* __restrict column_degree) {
  double objective = 0, degree = 0;
  if (!difference_slope) {
#pragma omp simd reduction(+ : objective)
    for (Size j = 0; j < n; ++j) {
      objective += gamma[j] * value[j];
      weights[j] = gamma[j] * dot_slope[j];
    }
  } else if (!dot_slope) {
#pragma omp simd reduction(+ : objective, degree)
    for (Size j = 0; j < n; ++j) {
      objective += gamma[j] * value[j];
      const double psi = gamma[j] * difference_slope[j];
      degree += psi;
      column_degree[j] += psi;
      weights[j] = -2 * psi;
    }
  } else {
#pragma omp simd reduction(+ : objective, degree)
    for (Size j = 0; j < n; ++j) {
      objective += gamma[j] * value[j];
      const double psi = gamma[j] * difference_slope[j];
      degree += psi;
      column_degree[j] += psi;
      weights[j] = gamma[j] * dot_slope[j] - 2 * psi;
    }
  }
  return {objective, degree};
}

double curvature_weights(const double* gamma, const double* curvature, double scale, double own, const double* others,
                         const double* cross, Size n, double* __restrict omega, double* __restrict column_sum) {
  double sum = 0;
#pragma omp simd reduction(+ : sum)
  for (Size j = 0; j < n; ++j) {
    omega[j] = gamma[j] * curvature[j] * (scale * (own + others[j] - cross[j]));
    sum += omega[j];
    column_sum[j] += omega[j];
  }
  return sum;
}

template <std::size_t... I>
const KernelRow* rows(std::index_sequence<I...>) {
  static constexpr KernelRow table[] = {{value_row<std::variant_alternative_t<I, KernelTypes>>,
                                         value_slope_row<std::variant_alternative_t<I, KernelTypes>>,
                                         curvature_row<std::variant_alternative_t<I, KernelTypes>>,
                                         weigh_row<std::variant_alternative_t<I, KernelTypes>>}...};
  return table;
}

}  // namespace

const Functions& functions() {
  static const Functions all = {RITZ_TEXT(RITZ_ISA),
                                block_product<double>,
                                block_product<float>,
                                rows(std::make_index_sequence<std::variant_size_v<KernelTypes>>()),
                                squared_distances,
                                outer_scale,
                                beyond,
                                single_dot,
                                weighted_sum,
                                combine,
                                curvature_weights};
  return all;
}

}  // namespace ritz::tile::RITZ_ISA
