// SPDX-License-Identifier: MIT
// S + B·diag(w)·Bᵀ + c·I: a sparse symmetric matrix, a thin factor and a multiple of the identity. What kernel learning
// takes eigenvectors of, without ever filling an n × n array.
#pragma once

#include "ritz/base/checkpoint.hpp"
#include "ritz/base/context.hpp"
#include "ritz/base/types.hpp"
#include "ritz/linalg/products.hpp"

namespace ritz {

struct SparseSum {
  SparseRows sparse;    // symmetric, both triangles stored, compressed
  SymFactor factor{};   // may have no column
  double identity = 0;  // c

  Index size() const { return sparse.rows(); }
  // out = A·in for row-major panels, on all cores; the same bits for any number of threads.
  void apply_rows(const RowMatrix& in, RowMatrix& out, const RunContext& context) const;
  void apply(BlockIn in, BlockOut out) const;  // the contract of SymmetricOperator, on the caller's thread

  double entry(Index i, Index j) const;  // O(log of the row's non-zeros)
  double trace() const;
  double squared_norm() const;  // ‖A‖_F²
  Matrix dense() const;         // small problems and tests
};
inline void keep(Archive& archive, SparseSum& sum) { archive(sum.sparse, sum.factor, sum.identity); }

// out = S·in for row-major panels: the hot loop of the above.
void multiply_rows(const SparseRows& S, const RowMatrix& in, RowMatrix& out, const RunContext& context);

}  // namespace ritz
