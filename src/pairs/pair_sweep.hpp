// SPDX-License-Identifier: MIT
// The sums over all pairs, exactly and pair by pair: what the routes of a PairPass (direct, low rank, mixed precision)
// stand on. A backend has one class of this; it holds the samples, which stay where they are when Γ changes.
#pragma once

#include <memory>

#include "ritz/pairs/pair_pass.hpp"

namespace ritz {

struct SweepSums {
  Matrix phi;
  double objective;
};

// Γ as the sweeps see it; borrowed until the next one is set.
struct SweepGamma {
  const Gamma& gamma;
  const RowMatrix& basis;           // n × r
  const RowMatrix& weighted_basis;  // times Γ's weights
};

class PairSweep {
 public:
  explicit PairSweep(const Samples& X) : X_(X) {}
  virtual ~PairSweep() = default;
  PairSweep(const PairSweep&) = delete;
  PairSweep& operator=(const PairSweep&) = delete;

  virtual void set_gamma(const SweepGamma& gamma) = 0;
  // Precision::mixed: the large products in lower precision, their sums in double, and F as exact as without.
  virtual SweepSums sums(BlockIn W, const KernelSum& kernel, Precision precision, const RunContext& context) = 0;
  virtual double objective(BlockIn W, const KernelSum& kernel, const RunContext& context) = 0;
  // n²·(2q + r) operations and an evaluation a pair, whatever d is.
  virtual PairGradient gradient(BlockIn W, const KernelSum& kernel, const RunContext& context) = 0;
  // Φ·V for any V (d × m), the same way.
  virtual Matrix phi_product(BlockIn W, const KernelSum& kernel, BlockIn V, const RunContext& context) = 0;
  // As in PairPass; kernels with f″ = 0 everywhere are not among the terms of curvature_product.
  virtual Matrix curvature_product(BlockIn W, const KernelSum& kernel, BlockIn E, const RunContext& context) = 0;
  virtual double curvature_bound(BlockIn W, const KernelSum& kernel, const RunContext& context) = 0;
  virtual RowMatrix kernel_product(BlockIn W, const KernelSum& kernel, DataView in, const RunContext& context) = 0;
  virtual std::string place() const = 0;  // where the pairs are swept, for route_text
  // Largest relative error of Φ in mixed precision that still points uphill.
  virtual double usable_error() const { return 1e-4; }

  // XW, kept for the next call with the same W: products with the Hessian come by the hundred at one W.
  const RowMatrix& projected(BlockIn W, const RunContext& context) {
    if (W.rows() != last_W_.rows() || W.cols() != last_W_.cols() || W != last_W_) {
      last_W_.resize(0, 0);  // an interrupted product leaves nothing to be taken for Z
      last_Z_ = X_.project(W, context);
      last_W_ = W;
    }
    return last_Z_;
  }
  const Samples& samples() const { return X_; }

 private:
  const Samples& X_;
  Matrix last_W_;
  RowMatrix last_Z_;
};

// All routes on top of a sweep.
std::unique_ptr<PairPass> routed_pass(std::unique_ptr<PairSweep> sweep, Gamma gamma);
// Memory of its sums where a sweep over tiles takes `tiled`, Φ included.
double routed_bytes(const PairSizes& sizes, const KernelSum& kernel, double tiled);

}  // namespace ritz
