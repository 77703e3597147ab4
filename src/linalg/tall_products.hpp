// SPDX-License-Identifier: MIT
// Products of row-major blocks through BLAS. The parallel ones split the work into parts fixed by the sizes, so that
// the bits do not depend on the number of threads.
#pragma once

#include <functional>

#include "ritz/base/context.hpp"
#include "ritz/base/parallel.hpp"
#include "ritz/base/types.hpp"

namespace ritz {

struct RowBlock {
  const double* data;
  Index stride;  // from one row to the next
};
struct RowBlockOut {
  double* data;
  Index stride;
};
enum class Transpose { no, yes };
// C = alpha·op(A)·op(B) + beta·C on raw row-major blocks, on the caller's thread: C is m × n, the inner size is k. The
// caller holds BLAS to one thread (SingleThreadedBlas, for_each_tile).
void row_gemm(Index m, Index n, Index k, double alpha, RowBlock A, Transpose a, RowBlock B, Transpose b, double beta,
              RowBlockOut C);

// The same in single precision.
struct SingleBlock {
  const float* data;
  Index stride;
};
struct SingleBlockOut {
  float* data;
  Index stride;
};
void row_gemm(Index m, Index n, Index k, float alpha, SingleBlock A, Transpose a, SingleBlock B, Transpose b,
              float beta, SingleBlockOut C);

// Rows wherever they are: block(rows, buffer) points to some of them, in place or in the buffer.
struct TallRows {
  Index rows, cols;
  bool in_place;  // a block costs nothing, so that it may be asked for many times
  std::function<RowBlock(Range rows, RowMatrix& buffer)> block;
  static TallRows of(DataView X);  // borrowed
};

// X·W and Xᵀ·M for tall row-major X, on all cores. The same bits for rows in place and elsewhere.
RowMatrix tall_product(const TallRows& X, BlockIn W, const RunContext& context);
Matrix tall_transposed_product(const TallRows& X, DataView M, const RunContext& context);
// Xᵀ·diag(w)·X for tall row-major X, on all cores, one triangle computed and mirrored.
Matrix tall_weighted_gram(const TallRows& X, const Vector& w, const RunContext& context);

inline RowMatrix tall_product(DataView X, BlockIn W, const RunContext& context) {
  return tall_product(TallRows::of(X), W, context);
}
inline Matrix tall_transposed_product(DataView X, DataView M, const RunContext& context) {
  return tall_transposed_product(TallRows::of(X), M, context);
}
inline Matrix tall_weighted_gram(DataView X, const Vector& w, const RunContext& context) {
  return tall_weighted_gram(TallRows::of(X), w, context);
}

}  // namespace ritz
