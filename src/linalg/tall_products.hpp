// SPDX-License-Identifier: MIT
// Products of row-major blocks through BLAS. The parallel ones split the work into parts fixed by the sizes, so that
// the bits do not depend on the number of threads.
#pragma once

#include "ritz/base/context.hpp"
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

// X·W and Xᵀ·M for tall row-major X, on all cores.
RowMatrix tall_product(DataView X, BlockIn W, const RunContext& context);
Matrix tall_transposed_product(DataView X, DataView M, const RunContext& context);
// Xᵀ·diag(w)·X for tall row-major X, on all cores, one triangle computed and mirrored.
Matrix tall_weighted_gram(DataView X, const Vector& w, const RunContext& context);

}  // namespace ritz
