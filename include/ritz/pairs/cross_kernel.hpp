// SPDX-License-Identifier: MIT
// The kernel between two sets of samples, and products with it where it is too large to be held: out-of-sample
// predictions, and the kernel of samples in all their columns.
#pragma once

#include "ritz/base/context.hpp"
#include "ritz/model/kernel_sum.hpp"
#include "ritz/model/samples.hpp"

namespace ritz {

struct KernelSide {
  const Samples& z;
  const KernelSum& kernel;  // the same terms on both sides; per-sample terms carry the scales of this side's samples
};
enum class KernelPart { value, slope, curvature };  // f, f′ or f″ of β

// By context.backend. Both throw bad_shape where sizes do not match, bad_option where a width is not a number yet.
// out_i = Σ_j K(a_i, b_j)·in_j, the rows of `in` belonging to b. Tiles of rows are made dense as they are needed:
// sparse samples stay sparse. The same bits for any number of threads.
RowMatrix cross_kernel_product(const KernelSide& a, const KernelSide& b, DataView in, const RunContext& context);
// The matrix itself, for few samples: many products with it cost less than evaluating it for each. Derivatives are with
// respect to β, of which kernels of dot products and of differences have different ones: bad_option for a sum of both.
RowMatrix cross_kernel(const KernelSide& a, const KernelSide& b, const RunContext& context,
                       KernelPart part = KernelPart::value);

}  // namespace ritz
