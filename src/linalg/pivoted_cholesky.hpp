// SPDX-License-Identifier: MIT
// Low-rank factors of positive semidefinite matrices that are never held: G ≈ LLᵀ from a few of G's columns.
#pragma once

#include <functional>
#include <vector>

#include "ritz/base/context.hpp"
#include "ritz/base/parallel.hpp"
#include "ritz/base/types.hpp"

namespace ritz {

// What is known of G, n × n, positive semidefinite.
struct PsdColumns {
  Vector diagonal;  // G_ii
  // Writes G_ij for i in `rows` and j = columns[0], columns[1], … into a row-major block: entry (i, k) at
  // out[(i − rows.begin)·stride + k]. Called from several threads at once.
  std::function<void(Range rows, const std::vector<Index>& columns, double* out, Index stride)> fill;
};

// G = LLᵀ + R with R positive semidefinite up to rounding. Its diagonal is known, hence |R_ij| ≤ √(R_ii·R_jj),
// ‖R‖₂ ≤ Tr R, and |Tr(AR)| ≤ ‖A‖₂·Tr R for every symmetric A.
struct PivotedCholesky {
  RowMatrix factor;           // L, n × r
  std::vector<Index> pivots;  // in the order of L's columns: row pivots[k] is 0 after column k, up to rounding
  Vector residual;            // R_ii, not below 0
  double trace = 0;           // Tr R
  double rounding = 0;        // what rounding may have done to an R_ii, about: r·ε·max G_ii
  bool reached = false;       // it was enough; false: the rank limit, giving up or rounding ended it
};

// The factorisation so far, as the tests between blocks see it.
struct CholeskyProgress {
  Eigen::Ref<const RowMatrix> new_columns;  // of L
  Index rank;                               // with the new columns
  const Vector& residual;
  double trace;
};

struct PivotedCholeskyOptions {
  double trace = 0;          // enough when Tr R is at most this
  Index max_rank = 0;        // at most this many columns; 0: n
  std::vector<Index> first;  // pivots to try first, in this order: those of a nearby matrix, for a warm start
  // Called after every block. Either may be empty.
  std::function<bool(const CholeskyProgress&)> enough;   // true: stop, it was enough
  std::function<bool(const CholeskyProgress&)> give_up;  // asked where it was not; true: stop, it will never be
};

// Columns are taken where the residual is: the candidates of a block stand at equal steps of the running sum of R_ii,
// and a small decomposition among them, largest pivot first, leaves out those that the others explain. No chance is
// involved, and the bits do not depend on the number of threads. About n·r² operations in matrix products and n·r
// entries of G. Throws not_finite when a residual is not finite.
PivotedCholesky pivoted_cholesky(const PsdColumns& G, const PivotedCholeskyOptions& options, const RunContext& context);

}  // namespace ritz
