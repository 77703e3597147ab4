// SPDX-License-Identifier: MIT
// Products with the kernel between two sets of samples, not held where they are many: out-of-sample predictions, and
// the kernel of samples in all their columns.
#pragma once

#include "ritz/base/context.hpp"
#include "ritz/model/kernel_list.hpp"
#include "ritz/model/samples.hpp"

namespace ritz {

struct KernelSide {
  const Samples& z;
  const KernelSum& kernel;  // the same terms on both sides; per-sample terms carry the scales of this side's samples
};

// out_i = Σ_j K(a_i, b_j)·in_j, the rows of `in` belonging to b. Tiles of rows are made dense as they are needed:
// sparse samples stay sparse. The same bits for any number of threads. Throws bad_shape where sizes do not match.
RowMatrix cross_kernel_product(const KernelSide& a, const KernelSide& b, DataView in, const RunContext& context);
// The matrix itself, for few samples: many products with it cost less than evaluating it for each.
RowMatrix cross_kernel(const KernelSide& a, const KernelSide& b, const RunContext& context);

}  // namespace ritz
