// SPDX-License-Identifier: MIT
#include "backends/cpu/sweeps.hpp"

namespace ritz {

namespace {

class CpuBackend final : public Backend {
 public:
  std::string_view name() const override { return "cpu"; }
  std::string_view description() const override { return "all cores of this machine: BLAS and vectorised tiles"; }
  bool available() const override { return true; }

  std::unique_ptr<PairPass> pair_pass(const Samples& X, Gamma gamma) override {
    return cpu::pair_pass(X, std::move(gamma));
  }
  double pair_pass_bytes(const PairSizes& sizes, const KernelSum& kernel, const PairAccuracy& accuracy,
                         int threads) const override {
    return cpu::pair_pass_bytes(sizes, kernel, accuracy, threads);
  }
  std::unique_ptr<DistanceSweep> distance_sweep(DataView X, std::vector<WeightedPair> pairs,
                                                const RunContext& context) override {
    return cpu::distance_sweep(X, std::move(pairs), context);
  }
  std::unique_ptr<OrderSweep> order_sweep(std::vector<std::vector<Index>> neighbours) override {
    return cpu::order_sweep(std::move(neighbours));
  }
  RowMatrix cross_kernel_product(const KernelSide& a, const KernelSide& b, DataView in,
                                 const RunContext& context) override {
    return cpu::cross_kernel_product(a, b, in, context);
  }
  RowMatrix cross_kernel(const KernelSide& a, const KernelSide& b, KernelPart part,
                         const RunContext& context) override {
    return cpu::cross_kernel(a, b, part, context);
  }
  AlignmentSums alignment_sums(const KernelSum& kernel, const Samples& X, const Gamma& gamma,
                               const RunContext& context) override {
    return cpu::alignment_sums(kernel, X, gamma, context);
  }
  double alignment_bytes(const KernelSum& kernel, Index n, Index d, int threads) const override {
    return cpu::alignment_bytes(kernel, n, d, threads);
  }
  DistanceQuantile distance_quantile(const Samples& X, std::span<const Index> rows, double share,
                                     const RunContext& context) override {
    return cpu::distance_quantile(X, rows, share, context);
  }
  double distance_quantile_bytes(Index rows, Index d, int threads) const override {
    return cpu::distance_quantile_bytes(rows, d, threads);
  }
  NeighbourTable neighbours(DataView queries, DataView points, Index k, OwnRow own,
                            const RunContext& context) override {
    return cpu::neighbours(queries, points, k, own, context);
  }
  NeighbourTable neighbours(const SparseRows& queries, const SparseRows& points, Index k, OwnRow own,
                            const RunContext& context) override {
    return cpu::neighbours(queries, points, k, own, context);
  }
};

}  // namespace

Backend& cpu_backend() {
  static CpuBackend backend;
  return backend;
}

}  // namespace ritz
