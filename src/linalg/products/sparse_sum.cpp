// SPDX-License-Identifier: MIT
#include "linalg/sparse_sum.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "linalg/tall_products.hpp"
#include "ritz/base/parallel.hpp"
#include "ritz/linalg/products.hpp"

namespace ritz {

namespace {

constexpr Index kOperationsPerTile = 1 << 19;  // less is done sooner than another thread wakes up

struct CompressedRows {
  const int* starts;
  const int* columns;
  const double* values;
};

// out[first … last) = S[first … last)·in; the panels have `width` contiguous columns.
using PanelKernel = void (*)(CompressedRows S, std::ptrdiff_t first, std::ptrdiff_t last, const double* in, double* out,
                             std::ptrdiff_t width);

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

// For the instruction set of the machine it runs on.
PanelKernel panel_kernel() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
    return avx512;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return avx2;
#endif
  return generic;
}

}  // namespace

void multiply_rows(const SparseRows& S, const RowMatrix& in, RowMatrix& out, const RunContext& context) {
  out.resize(S.rows(), in.cols());
  const PanelKernel kernel = panel_kernel();
  const Index work = std::max<Index>(1, (S.nonZeros() + S.rows()) * std::max<Index>(1, in.cols()));
  const Index rows_per_tile =
      std::clamp<Index>(S.rows() * kOperationsPerTile / work, 16, std::max<Index>(16, S.rows()));
  for_each_tile(tile_count(S.rows(), rows_per_tile), context, [&](Index t) {
    const Range rows = tile_range(S.rows(), rows_per_tile, t);
    kernel({S.outerIndexPtr(), S.innerIndexPtr(), S.valuePtr()}, rows.begin, rows.end, in.data(), out.data(),
           in.cols());
  });
}

void SparseSum::apply_rows(const RowMatrix& in, RowMatrix& out, const RunContext& context) const {
  multiply_rows(sparse, in, out, context);
  if (identity != 0) out += identity * in;
  if (factor.basis.cols() == 0) return;
  const RowMatrix basis = factor.basis;
  const Matrix inner = factor.weights.asDiagonal() * tall_transposed_product(basis, in, context);
  out += tall_product(basis, inner, context);
}

void SparseSum::apply(BlockIn in, BlockOut out) const {
  RunContext alone;
  alone.threads = 1;
  RowMatrix image;
  apply_rows(in, image, alone);
  out = image;
}

double SparseSum::entry(Index i, Index j) const {
  double value = sparse.coeff(i, j) + (i == j ? identity : 0.0);
  if (factor.basis.cols() > 0)
    value += (factor.basis.row(i).array() * factor.basis.row(j).array() * factor.weights.transpose().array()).sum();
  return value;
}

double SparseSum::trace() const {
  double sum = sparse.diagonal().sum() + identity * double(size());
  if (factor.basis.cols() > 0) sum += factor.trace();
  return sum;
}

double SparseSum::squared_norm() const {
  // ‖S + cI‖² + 2⟨S + cI, BwBᵀ⟩ + ‖BwBᵀ‖²
  const double n = double(size());
  double sum = sparse.squaredNorm() + 2 * identity * sparse.diagonal().sum() + identity * identity * n;
  if (factor.basis.cols() == 0) return sum;
  const Matrix image = sparse * factor.basis;
  sum += 2 * ((image.array() * factor.basis.array()).colwise().sum() * factor.weights.transpose().array()).sum();
  sum += 2 * identity * factor.trace();
  const Matrix weighted = transposed_product(factor.basis, factor.basis) * factor.weights.asDiagonal();
  return sum + (weighted * weighted).trace();
}

Matrix SparseSum::dense() const {
  Matrix a = Matrix(sparse);
  a.diagonal().array() += identity;
  if (factor.basis.cols() > 0) a += factor.dense();
  return a;
}

}  // namespace ritz
