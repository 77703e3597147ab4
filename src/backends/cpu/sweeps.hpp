// SPDX-License-Identifier: MIT
// The CPU backend: its sweeps, one a file.
#pragma once

#include "backends/ratio_scanner.hpp"
#include "pairs/pair_sweep.hpp"
#include "ritz/pairs/backend.hpp"

namespace ritz::cpu {

class CpuBackend final : public Backend {
 public:
  std::string_view name() const override { return "cpu"; }
  std::string_view description() const override { return "all cores of this machine: BLAS and vectorised tiles"; }
  bool available() const override { return true; }

  std::unique_ptr<PairSweep> pair_sweep(const Samples& X) const;  // without routes: where a device has failed
  std::unique_ptr<PairPass> pair_pass(const Samples& X, Gamma gamma) override;
  double pair_pass_bytes(const PairSizes& sizes, const KernelSum& kernel, const PairAccuracy& accuracy,
                         int threads) const override;
  std::unique_ptr<DistanceSweep> distance_sweep(DataView X, std::vector<WeightedPair> pairs,
                                                const RunContext& context) override;
  std::unique_ptr<OrderSweep> order_sweep(std::vector<std::vector<Index>> neighbours) override;
  RowMatrix cross_kernel_product(const KernelSide& a, const KernelSide& b, DataView in,
                                 const RunContext& context) override;
  RowMatrix cross_kernel(const KernelSide& a, const KernelSide& b, KernelPart part, const RunContext& context) override;
  AlignmentSums alignment_sums(const KernelSum& kernel, const Samples& X, const Gamma& gamma,
                               const RunContext& context) override;
  double alignment_bytes(const KernelSum& kernel, Index n, Index d, int threads) const override;
  DistanceQuantile distance_quantile(const Samples& X, std::span<const Index> rows, double share,
                                     const RunContext& context) override;
  double distance_quantile_bytes(Index rows, Index d, int threads) const override;
  NeighbourTable neighbours(DataView queries, DataView points, Index k, OwnRow own, const RunContext& context) override;
  NeighbourTable neighbours(const SparseRows& queries, const SparseRows& points, Index k, OwnRow own,
                            const RunContext& context) override;
};

// CpuBackend::distance_sweep with another to look first, or null.
std::unique_ptr<DistanceSweep> scanned_distance_sweep(DataView X, std::vector<WeightedPair> pairs,
                                                      std::unique_ptr<RatioScanner> scanner, const RunContext& context);

}  // namespace ritz::cpu
