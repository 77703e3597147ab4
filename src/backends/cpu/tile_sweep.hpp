// SPDX-License-Identifier: MIT
// Sums over all pairs in square tiles: BLAS-3 for inner products and for Ψ·X, vectorised rows for what lies between.
#pragma once

#include "ritz/model/pair_pass.hpp"

namespace ritz::tile {

struct SweepSums {
  Matrix phi;
  double objective;
};

// What a sweep needs besides W; all borrowed. Γ tiles are formed from `basis` and `weighted_basis` (n × r, row-major).
struct SweepData {
  const Samples& X;
  const RowMatrix& basis;
  const RowMatrix& weighted_basis;
};

SweepSums sweep_sums(const SweepData& data, BlockIn W, const KernelSum& kernel, const RunContext& context);
double sweep_objective(const SweepData& data, BlockIn W, const KernelSum& kernel, const RunContext& context);
Matrix sweep_curvature(const SweepData& data, BlockIn W, const KernelSum& kernel, BlockIn E, const RunContext& context);
RowMatrix sweep_kernel_product(const Samples& X, BlockIn W, const KernelSum& kernel, DataView in,
                               const RunContext& context);

double sweep_bytes(Index n, Index d, Index q, Index gamma_columns, int threads);  // working memory of sweep_sums

}  // namespace ritz::tile
