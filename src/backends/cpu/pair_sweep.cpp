// SPDX-License-Identifier: MIT
#include "backends/cpu/sweeps.hpp"
#include "backends/cpu/tile_parts.hpp"
#include "backends/cpu/tile_sweep.hpp"

namespace ritz::cpu {

namespace {

class CpuPairSweep final : public PairSweep {
 public:
  using PairSweep::PairSweep;

  void set_gamma(const SweepGamma& gamma) override {
    basis_ = &gamma.basis;
    weighted_basis_ = &gamma.weighted_basis;
    weights_ = tile::class_weights(gamma);
    pairs_ = gamma.gamma.pairs;
  }
  SweepSums sums(BlockIn W, const KernelSum& kernel, Precision precision, const RunContext& context) override {
    if (precision == Precision::full) return tile::sweep_sums(data(W, context), kernel, nullptr, context);
    const bool differences = !tile::forms_of(kernel).dot;
    if (!single_ || single_->centred() != differences)
      single_ = std::make_unique<tile::SingleSamples>(samples(), differences, context);
    return tile::sweep_sums(data(W, context), kernel, single_.get(), context);
  }
  double objective(BlockIn W, const KernelSum& kernel, const RunContext& context) override {
    return tile::sweep_objective(data(W, context), kernel, context);
  }
  PairGradient gradient(BlockIn W, const KernelSum& kernel, const RunContext& context) override {
    return tile::sweep_gradient(data(W, context), kernel, context);
  }
  Matrix phi_product(BlockIn W, const KernelSum& kernel, BlockIn V, const RunContext& context) override {
    return tile::sweep_phi_product(data(W, context), kernel, V, context);
  }
  Matrix curvature_product(BlockIn W, const KernelSum& kernel, BlockIn E, const RunContext& context) override {
    return tile::sweep_curvature(data(W, context), kernel, E, context);
  }
  double curvature_bound(BlockIn W, const KernelSum& kernel, const RunContext& context) override {
    return tile::sweep_curvature_bound(data(W, context), kernel, context);
  }
  RowMatrix kernel_product(BlockIn W, const KernelSum& kernel, DataView in, const RunContext& context) override {
    return tile::sweep_kernel_product(projected(W, context), kernel, in, context);
  }
  std::string place() const override { return tile::functions().instruction_set; }

 private:
  const RowMatrix *basis_ = nullptr, *weighted_basis_ = nullptr;
  tile::ClassWeights weights_;
  std::shared_ptr<const TileSample> pairs_;
  std::unique_ptr<tile::SingleSamples> single_;

  tile::SweepData data(BlockIn W, const RunContext& context) {
    return {samples(), projected(W, context), *basis_, *weighted_basis_, weights_, pairs_.get()};
  }
};

}  // namespace

std::unique_ptr<PairSweep> CpuBackend::pair_sweep(const Samples& X) const { return std::make_unique<CpuPairSweep>(X); }

std::unique_ptr<PairPass> CpuBackend::pair_pass(const Samples& X, Gamma gamma) {
  return routed_pass(pair_sweep(X), std::move(gamma));
}

double CpuBackend::pair_pass_bytes(const PairSizes& sizes, const KernelSum& kernel, const PairAccuracy& accuracy,
                                   int threads) const {
  return routed_bytes(sizes, kernel, tile::sweep_bytes(sizes, accuracy.precision, threads));
}

}  // namespace ritz::cpu
