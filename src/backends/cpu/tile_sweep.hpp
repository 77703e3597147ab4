// SPDX-License-Identifier: MIT
// Sums over all pairs in square tiles: BLAS-3 for inner products and for Ψ·X, vectorised rows for what lies between.
#pragma once

#include <vector>

#include "pairs/pair_sweep.hpp"

namespace ritz::tile {

// The samples in single precision, for products of tiles: those in place copied once, others block by block.
using SingleRows = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

class SingleSamples {
 public:
  // `centred`: less their mean, which sums over differences do not see and which would cost digits.
  SingleSamples(const Samples& X, bool centred, const RunContext& context);
  bool centred() const { return centred_; }
  // The given rows with stride d, in place or in `buffer`.
  const float* rows_block(Range rows, SingleRows& buffer) const;

 private:
  const Samples& X_;
  bool centred_;
  Eigen::RowVectorXd mean_;  // 0 where not centred
  SingleRows copy_;          // empty where the samples are not in place

  void convert(Range rows, Eigen::Ref<SingleRows> out) const;
};

// Γ between classes (C × C), and the class of each sample: few rows stand for all.
struct ClassWeights {
  RowMatrix between;  // empty: Γ does not come from few classes
  const std::vector<int>* classes = nullptr;
};
ClassWeights class_weights(const SweepGamma& gamma);

// What a sweep needs; all borrowed. Γ tiles are formed from `basis` and `weighted_basis` (n × r, row-major), or looked
// up.
struct SweepData {
  const Samples& X;
  const RowMatrix& Z;  // XW
  const RowMatrix& basis;
  const RowMatrix& weighted_basis;
  const ClassWeights& weights;
  const TileSample* pairs = nullptr;  // null: all
};

// Γ of a tile, times its weight in a sample of pairs.
class GammaTile {
 public:
  explicit GammaTile(const SweepData& data);
  void load(Range I, Range J);
  const double* row(Index i) const {  // of the tile
    return values_.data() + (data_.weights.between.size() > 0 ? (*data_.weights.classes)[first_ + i] : i) * width_;
  }

 private:
  const SweepData& data_;
  std::vector<double> values_;  // a row a class, or a row a row
  Index first_ = 0, width_ = 0;
};

// With `single` the large products are in single precision, their sums in double, and F as exact as without.
SweepSums sweep_sums(const SweepData& data, const KernelSum& kernel, const SingleSamples* single,
                     const RunContext& context);
double sweep_objective(const SweepData& data, const KernelSum& kernel, const RunContext& context);
// n²·(2q + r) operations and an evaluation a pair, whatever d is.
PairGradient sweep_gradient(const SweepData& data, const KernelSum& kernel, const RunContext& context);
// Φ·V for any V (d × m), the same way.
Matrix sweep_phi_product(const SweepData& data, const KernelSum& kernel, BlockIn V, const RunContext& context);
Matrix sweep_curvature(const SweepData& data, const KernelSum& kernel, BlockIn E, const RunContext& context);
// PairPass::curvature_bound.
double sweep_curvature_bound(const SweepData& data, const KernelSum& kernel, const RunContext& context);
RowMatrix sweep_kernel_product(const RowMatrix& Z, const KernelSum& kernel, DataView in, const RunContext& context);

double sweep_bytes(const PairSizes& sizes, Precision precision, int threads);  // working memory of sweep_sums

}  // namespace ritz::tile
