// SPDX-License-Identifier: MIT
// The sweeps of the CPU backend, one a file; backend.cpp offers them.
#pragma once

#include "ritz/pairs/backend.hpp"

namespace ritz::cpu {

std::unique_ptr<PairPass> pair_pass(const Samples& X, Gamma gamma);
double pair_pass_bytes(const PairSizes& sizes, const KernelSum& kernel, const PairAccuracy& accuracy, int threads);
std::unique_ptr<DistanceSweep> distance_sweep(DataView X, std::vector<WeightedPair> pairs, const RunContext& context);
std::unique_ptr<OrderSweep> order_sweep(std::vector<std::vector<Index>> neighbours);
RowMatrix cross_kernel_product(const KernelSide& a, const KernelSide& b, DataView in, const RunContext& context);
RowMatrix cross_kernel(const KernelSide& a, const KernelSide& b, KernelPart part, const RunContext& context);
AlignmentSums alignment_sums(const KernelSum& kernel, const Samples& X, const Gamma& gamma, const RunContext& context);
double alignment_bytes(const KernelSum& kernel, Index n, Index d, int threads);
DistanceQuantile distance_quantile(const Samples& X, std::span<const Index> rows, double share,
                                   const RunContext& context);
double distance_quantile_bytes(Index rows, Index d, int threads);
NeighbourTable neighbours(DataView queries, DataView points, Index k, OwnRow own, const RunContext& context);
NeighbourTable neighbours(const SparseRows& queries, const SparseRows& points, Index k, OwnRow own,
                          const RunContext& context);

}  // namespace ritz::cpu
