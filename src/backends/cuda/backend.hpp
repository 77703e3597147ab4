// SPDX-License-Identifier: MIT
// One NVIDIA card through the module libritz_cuda.so. What the module has no sweep for goes to the CPU, and used() says
// so.
#pragma once

#include <mutex>
#include <set>
#include <string>
#include <type_traits>

#include "backends/cuda/device.hpp"
#include "pairs/pair_sweep.hpp"
#include "ritz/pairs/backend.hpp"

namespace ritz::cuda {

// always: "cuda", which throws where the card cannot. when_it_pays: "auto", which takes the card for sweeps that are
// long enough and goes on with the CPU where there is none, or it fails.
enum class Policy { always, when_it_pays };

class CudaBackend final : public Backend {
 public:
  explicit CudaBackend(Policy policy) : policy_(policy) {}

  std::string_view name() const override { return policy_ == Policy::always ? "cuda" : "auto"; }
  std::string_view description() const override;
  bool available() const override;
  std::string used() const override;
  void expect(double bytes) override;

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

  bool in_use() const;  // the card has done something, and has not failed
  // Whether the card does a sweep of so many floating-point operations. Throws for `always` where it cannot.
  bool takes(double operations, const KernelSum* kernel, const RunContext& context);
  // on_device(), or on_cpu() where takes() says so or, for when_it_pays, the card fails on the way.
  template <class OnDevice, class OnCpu>
  std::invoke_result_t<OnCpu> either(double operations, const KernelSum* kernel, const RunContext& context,
                                     const OnDevice& on_device, const OnCpu& on_cpu) {
    if (takes(operations, kernel, context)) try {
        auto result = on_device();
        const std::lock_guard lock(mutex_);
        on_card_ = true;
        return result;
      } catch (const device::DeviceFailure& failure) {
        failed(failure.memory, failure.what());
      }
    return on_cpu();
  }

  void keep(Archive& archive) override;

 private:
  Policy policy_;
  mutable std::mutex mutex_;
  double largest_ = 0;               // operations of the sweeps that were asked for
  bool on_card_ = false;             // some were done there
  std::string lost_;                 // why the card is no longer asked
  std::set<std::string> elsewhere_;  // what went to the CPU
  mutable std::string description_;

  void left_to_cpu(std::string_view sweep);
  void failed(bool memory, const std::string& why);  // throws for `always`
};

// The samples go up with the first sweep that runs on the card.
std::unique_ptr<PairSweep> cuda_pair_sweep(const Samples& X, CudaBackend& backend);

}  // namespace ritz::cuda
