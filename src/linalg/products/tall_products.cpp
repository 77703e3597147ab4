// SPDX-License-Identifier: MIT
#include "linalg/tall_products.hpp"

#include <algorithm>
#include <cassert>
#include <utility>
#include <vector>

#include "ritz/base/parallel.hpp"

extern "C" {
void dgemm_(const char* transpose_a, const char* transpose_b, const int* m, const int* n, const int* k,
            const double* alpha, const double* a, const int* lda, const double* b, const int* ldb, const double* beta,
            double* c, const int* ldc);
void sgemm_(const char* transpose_a, const char* transpose_b, const int* m, const int* n, const int* k,
            const float* alpha, const float* a, const int* lda, const float* b, const int* ldb, const float* beta,
            float* c, const int* ldc);
}

namespace ritz {

namespace {

constexpr Index kRowsPerTile = 2048;    // of a tall product: enough for BLAS to reach its rate
constexpr Index kColumnsPerTile = 128;  // of a transposed one
constexpr Index kGramBlock = 200;       // rows and columns of a task of a Gram matrix
constexpr Index kRowsPerChunk = 4096;   // of a transposed one: partial sums of the chunks are added in order
constexpr Index kChunksHeld = 64;       // partial sums at a time

template <class Gemm, class Number, class Block, class BlockOut>
void row_major(Gemm gemm, Index m, Index n, Index k, Number alpha, Block A, Transpose a, Block B, Transpose b,
               Number beta, BlockOut C) {
  if (m == 0 || n == 0) return;
  // Row-major C = A·B is column-major Cᵀ = Bᵀ·Aᵀ, and a row-major block read column-major is its own transpose.
  const char flag_a = a == Transpose::no ? 'N' : 'T', flag_b = b == Transpose::no ? 'N' : 'T';
  const int rows = int(n), cols = int(m), inner = int(k), lda = int(std::max<Index>(A.stride, 1)),
            ldb = int(std::max<Index>(B.stride, 1)), ldc = int(std::max<Index>(C.stride, 1));
  gemm(&flag_b, &flag_a, &rows, &cols, &inner, &alpha, B.data, &ldb, A.data, &lda, &beta, C.data, &ldc);
}

}  // namespace

void row_gemm(Index m, Index n, Index k, double alpha, RowBlock A, Transpose a, RowBlock B, Transpose b, double beta,
              RowBlockOut C) {
  row_major(dgemm_, m, n, k, alpha, A, a, B, b, beta, C);
}

void row_gemm(Index m, Index n, Index k, float alpha, SingleBlock A, Transpose a, SingleBlock B, Transpose b,
              float beta, SingleBlockOut C) {
  row_major(sgemm_, m, n, k, alpha, A, a, B, b, beta, C);
}

TallRows TallRows::of(DataView X) {
  return {X.rows(), X.cols(), true, [data = X.data(), stride = X.outerStride()](Range rows, RowMatrix&) {
            return RowBlock{data + rows.begin * stride, stride};
          }};
}

RowMatrix tall_product(const TallRows& X, BlockIn W, const RunContext& context) {
  assert(X.cols == W.rows());
  const RowMatrix weights = W;
  RowMatrix out(X.rows, W.cols());
  for_each_tile(tile_count(X.rows, kRowsPerTile), context, [&](Index t) {
    const Range rows = tile_range(X.rows, kRowsPerTile, t);
    RowMatrix buffer;
    row_gemm(rows.size(), W.cols(), X.cols, 1, X.block(rows, buffer), Transpose::no, {weights.data(), weights.cols()},
             Transpose::no, 0, {out.data() + rows.begin * out.cols(), out.cols()});
  });
  return out;
}

Matrix tall_transposed_product(const TallRows& X, DataView M, const RunContext& context) {
  assert(X.rows == M.rows());
  const Index n = X.rows, d = X.cols, m = M.cols();
  const Index chunks = std::max<Index>(1, tile_count(n, kRowsPerChunk)), blocks = tile_count(d, kColumnsPerTile);
  const Index tasks = X.in_place ? blocks : 1;  // of a chunk
  RowMatrix sum;
  for (Index first = 0; first < chunks; first += kChunksHeld) {
    const Index held = std::min(kChunksHeld, chunks - first);
    std::vector<RowMatrix> partial(std::size_t(held), RowMatrix::Zero(d, m));
    for_each_tile(held * tasks, context, [&](Index t) {
      const Range rows = tile_range(n, kRowsPerChunk, first + t / tasks);
      RowMatrix buffer, &part = partial[std::size_t(t / tasks)];
      const RowBlock x = X.block(rows, buffer);
      for (Index b = t % tasks; b < blocks; b += tasks) {
        const Range columns = tile_range(d, kColumnsPerTile, b);
        row_gemm(columns.size(), m, rows.size(), 1, {x.data + columns.begin, x.stride}, Transpose::yes,
                 {M.data() + rows.begin * M.outerStride(), M.outerStride()}, Transpose::no, 0,
                 {part.data() + columns.begin * m, m});
      }
    });
    for (Index c = 0; c < held; ++c) {
      if (first + c == 0)
        sum = std::move(partial[0]);
      else
        sum += partial[std::size_t(c)];
    }
  }
  return sum;
}

Matrix tall_weighted_gram(const TallRows& X, const Vector& w, const RunContext& context) {
  assert(X.rows == w.size());
  const Index n = X.rows, d = X.cols, splits = std::max<Index>(1, tile_count(d, kGramBlock));
  const Index block = tile_count(d, splits);  // about equal parts: narrow ones are slow
  RowMatrix out = RowMatrix::Zero(d, d);
  const auto add = [&](Range band, const RowBlock& x) {
    for_each_tile(splits * (splits + 1) / 2, context, [&](Index t) {
      Index down = 0;  // the t-th pair down <= across
      while (t >= splits - down) t -= splits - down, ++down;
      const Range I = tile_range(d, block, down), J = tile_range(d, block, down + t);
      RowMatrix weighted;
      for (Index c = 0; c < tile_count(band.size(), kRowsPerTile); ++c) {
        context.poll();
        const Range rows = tile_range(band.size(), kRowsPerTile, c);
        const Eigen::Map<const RowMatrix, 0, Eigen::OuterStride<>> across(
            x.data + rows.begin * x.stride + J.begin, rows.size(), J.size(), Eigen::OuterStride<>(x.stride));
        weighted = w.segment(band.begin + rows.begin, rows.size()).asDiagonal() * across;
        row_gemm(I.size(), J.size(), rows.size(), 1, {x.data + rows.begin * x.stride + I.begin, x.stride},
                 Transpose::yes, {weighted.data(), J.size()}, Transpose::no, 1, {&out(I.begin, J.begin), d});
      }
    });
  };
  RowMatrix buffer;
  if (X.in_place) {
    add({0, n}, X.block({0, n}, buffer));
  } else {
    for (Index t = 0; t < tile_count(n, kRowsPerTile); ++t) {
      const Range rows = tile_range(n, kRowsPerTile, t);
      add(rows, X.block(rows, buffer));
    }
  }
  return out.selfadjointView<Eigen::Upper>();
}

}  // namespace ritz
