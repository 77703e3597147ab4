// SPDX-License-Identifier: MIT
// Products of blocks in the widest vectors of the instruction set, included by tile_kernels_isa.cpp alone. Other than
// in BLAS, only B is copied into the order of use: in a tile, A is a matrix of weights used once for few columns, whose
// copying costs a tenth of the product. An entry is a sum in the order of k, whatever the sizes of the blocks are.
#pragma once

#include <cstring>

#include "backends/cpu/tile_kernels.hpp"

namespace ritz::tile::RITZ_ISA {

namespace {

#if defined(__AVX512F__)
constexpr Size kVectorBytes = 64, kRowsAtOnce = 8;  // 24 sums, 3 of B: 32 registers
#elif defined(__AVX__)
constexpr Size kVectorBytes = 32, kRowsAtOnce = 4;  // 12 sums, 3 of B: 16 registers
#elif defined(__aarch64__)
constexpr Size kVectorBytes = 16, kRowsAtOnce = 8;
#else
constexpr Size kVectorBytes = 16, kRowsAtOnce = 4;
#endif
constexpr Size kVectorsAtOnce = 3;
constexpr Size kSteps = 128;  // of k at a time: the copied columns of B and the rows of A stay in the first-level cache

template <class Number>
struct Vectors {
  typedef Number Type __attribute__((vector_size(kVectorBytes)));
  static constexpr Size lanes = kVectorBytes / Size(sizeof(Number));
};

// `rows` rows of A times kVectors vectors of B's columns, of which `width` columns exist.
template <class Number, int kRows, int kVectors>
void block(const BlockProduct<Number>& p, const Number* A, Size steps, const Number* packed, Number* C, Size width,
           bool add) {
  using Vector = typename Vectors<Number>::Type;
  constexpr Size lanes = Vectors<Number>::lanes;
  Vector sum[kRows][kVectors] = {};
  for (Size s = 0; s < steps; ++s) {
    Vector b[kVectors];
    std::memcpy(b, packed + s * kVectors * lanes, sizeof b);
#pragma GCC unroll 8
    for (int r = 0; r < kRows; ++r) {
      const Number a = A[r * p.a_row + s * p.a_step];
#pragma GCC unroll 4
      for (int v = 0; v < kVectors; ++v) sum[r][v] += a * b[v];
    }
  }
#pragma GCC unroll 8
  for (int r = 0; r < kRows; ++r) {
    Number* c = C + r * p.c_row;
    if (width == kVectors * lanes) {
#pragma GCC unroll 4
      for (int v = 0; v < kVectors; ++v) {
        Vector old = {};
        if (add) std::memcpy(&old, c + v * lanes, sizeof old);
        old += p.alpha * sum[r][v];
        std::memcpy(c + v * lanes, &old, sizeof old);
      }
      continue;
    }
    Number all[kVectors * lanes];
    std::memcpy(all, sum[r], sizeof all);
    for (Size j = 0; j < width; ++j) c[j] = (add ? c[j] : Number(0)) + p.alpha * all[j];
  }
}

// All rows of A by one panel of B.
template <class Number, int kVectors>
void panel(const BlockProduct<Number>& p, const Number* A, Size steps, const Number* packed, Number* C, Size width,
           bool add) {
  Size i = 0;
  for (; i + kRowsAtOnce <= p.m; i += kRowsAtOnce)
    block<Number, kRowsAtOnce, kVectors>(p, A + i * p.a_row, steps, packed, C + i * p.c_row, width, add);
  for (; i + 2 <= p.m; i += 2)
    block<Number, 2, kVectors>(p, A + i * p.a_row, steps, packed, C + i * p.c_row, width, add);
  if (i < p.m) block<Number, 1, kVectors>(p, A + i * p.a_row, steps, packed, C + i * p.c_row, width, add);
}

// Columns [0, width) of B as rows of `stride` numbers, filled up with 0.
template <class Number>
void pack(const BlockProduct<Number>& p, const Number* B, Size steps, Size width, Size stride, Number* packed) {
  if (p.b_column == 1) {
    for (Size s = 0; s < steps; ++s) {
      for (Size j = 0; j < width; ++j) packed[s * stride + j] = B[s * p.b_step + j];
      for (Size j = width; j < stride; ++j) packed[s * stride + j] = 0;
    }
    return;
  }
  for (Size j = 0; j < stride; ++j)
    for (Size s = 0; s < steps; ++s) packed[s * stride + j] = j < width ? B[s * p.b_step + j * p.b_column] : Number(0);
}

template <class Number>
void block_product(const BlockProduct<Number>& p) {
  constexpr Size lanes = Vectors<Number>::lanes;
  alignas(kVectorBytes) Number packed[std::size_t(kSteps * kVectorsAtOnce * lanes)];
  for (Size first = 0; first < p.k || first == 0; first += kSteps) {
    const Size steps = p.k - first < kSteps ? p.k - first : kSteps;
    const Number* A = p.A + first * p.a_step;
    const bool add = p.add || first > 0;
    Size vectors = (p.n + lanes - 1) / lanes, panels = (vectors + kVectorsAtOnce - 1) / kVectorsAtOnce;
    for (Size column = 0; column < p.n; --panels) {
      const Size wide = (vectors + panels - 1) / panels, left = p.n - column,
                 width = left < wide * lanes ? left : wide * lanes;
      pack(p, p.B + first * p.b_step + column * p.b_column, steps, width, wide * lanes, packed);
      Number* C = p.C + column;
      if (wide == 1) panel<Number, 1>(p, A, steps, packed, C, width, add);
      if (wide == 2) panel<Number, 2>(p, A, steps, packed, C, width, add);
      if (wide == 3) panel<Number, 3>(p, A, steps, packed, C, width, add);
      vectors -= wide;
      column += width;
    }
  }
}

}  // namespace

}  // namespace ritz::tile::RITZ_ISA
