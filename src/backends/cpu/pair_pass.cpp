// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>

#include "backends/cpu/direct_routes.hpp"
#include "backends/cpu/tile_kernels.hpp"
#include "backends/cpu/tile_sweep.hpp"
#include "ritz/backends/backend.hpp"
#include "ritz/base/random.hpp"
#include "ritz/linalg/products.hpp"

namespace ritz {

namespace {

// A factor with fewer than half as many columns as rows is cheaper to hold and to decompose than d × d.
bool stays_factor(double columns, Index d) { return 2 * columns <= double(d); }

// Adds the parts of Φ that the terms contributed, and keeps a thin factor where nothing dense came in.
class PhiSum {
 public:
  explicit PhiSum(Index d) : d_(d) {}

  void add(Matrix dense) {
    if (dense.size() == 0) return;
    if (dense_.size() == 0)
      dense_ = std::move(dense);
    else
      dense_ += dense;
  }
  void add(SymFactor factor) {
    if (factor.basis.cols() > 0) factors_.push_back(std::move(factor));
  }

  PhiMatrix finish() {
    Index columns = 0;
    for (const SymFactor& factor : factors_) columns += factor.basis.cols();
    if (dense_.size() == 0 && stays_factor(double(columns), d_)) {
      SymFactor joined{Matrix(d_, columns), Vector(columns)};
      Index at = 0;
      for (const SymFactor& factor : factors_) {
        joined.basis.middleCols(at, factor.basis.cols()) = factor.basis;
        joined.weights.segment(at, factor.basis.cols()) = factor.weights;
        at += factor.basis.cols();
      }
      return {std::move(joined)};
    }
    if (dense_.size() == 0) dense_ = Matrix::Zero(d_, d_);
    for (const SymFactor& factor : factors_) {
      const Matrix weighted = factor.weights.asDiagonal() * factor.basis.transpose();
      Matrix part(d_, d_);
      multiply(factor.basis, weighted, part);
      dense_ += 0.5 * (part + part.transpose());
    }
    return {DenseOperator{std::move(dense_)}};
  }

 private:
  Index d_;
  Matrix dense_;
  std::vector<SymFactor> factors_;
};

constexpr Index kProbes = 8;      // random directions on which mixed precision is tried: ‖·‖_F to about a third
constexpr double kUsable = 1e-4;  // largest relative error of Φ that still points uphill; single precision has 1e-7

class CpuPairPass final : public PairPass {
 public:
  CpuPairPass(const Samples& X, Gamma gamma)
      : X_(X),
        gamma_(std::move(gamma)),
        basis_(gamma_.factor.basis),
        weighted_basis_(gamma_.factor.basis * gamma_.factor.weights.asDiagonal()),
        row_sums_(gamma_.row_sums()) {
    if (gamma_.size() != X.rows())
      throw Error(ErrorCode::bad_shape, "the pair weights are for " + std::to_string(gamma_.size()) +
                                            " samples, but the data has " + std::to_string(X.rows()));
  }

  PhiMatrix start_phi(const KernelSum& kernel, const RunContext& context) override {
    assert(is_resolved(kernel, X_.rows()));
    PhiSum phi(X_.cols());
    for (const KernelTerm& term : kernel) {
      direct::DirectSums part = direct::constant_slope_sums(X_, gamma_, term, start_slope(term.kernel), context);
      phi.add(std::move(part.phi));
      phi.add(std::move(part.dense));
    }
    return phi.finish();
  }

  PairSums sums(BlockIn W, const KernelSum& kernel, const RunContext& context) override {
    assert(is_resolved(kernel, X_.rows()));
    const auto [tiled, rest] = split(kernel, W.cols());
    PairSums sums;
    PhiSum phi(X_.cols());
    if (!tiled.empty()) {
      tile::SweepSums swept = tiled_sums(W, tiled, context);
      sums.objective += swept.objective;
      phi.add(std::move(swept.phi));
    }
    for (const KernelTerm& term : rest) {
      direct::DirectSums part = direct::direct_sums(direct_data(W, context), W, term, true, context);
      sums.objective += part.objective;
      phi.add(std::move(part.phi));
      phi.add(std::move(part.dense));
    }
    sums.phi = phi.finish();
    return sums;
  }

  PairGradient gradient(BlockIn W, const KernelSum& kernel, const RunContext& context) override {
    const auto [tiled, rest] = split(kernel, W.cols());
    PairGradient sum{Matrix::Zero(X_.cols(), W.cols()), 0};
    if (!tiled.empty()) sum = tile::sweep_gradient(sweep_data(W, context), tiled, context);
    for (const KernelTerm& term : rest) {
      const direct::DirectSums part = direct::direct_sums(direct_data(W, context), W, term, true, context);
      sum.objective += part.objective;
      const Matrix inside = part.phi.weights.asDiagonal() * transposed_product(part.phi.basis, W);
      sum.phi_W += product(part.phi.basis, inside);
      if (part.dense.size() > 0) sum.phi_W += product(part.dense, W);
    }
    return sum;
  }

  double objective(BlockIn W, const KernelSum& kernel, const RunContext& context) override {
    const auto [tiled, rest] = split(kernel, W.cols());
    double sum = tiled.empty() ? 0 : tile::sweep_objective(sweep_data(W, context), tiled, context);
    for (const KernelTerm& term : rest)
      sum += direct::direct_sums(direct_data(W, context), W, term, false, context).objective;
    return sum;
  }

  Matrix curvature_product(BlockIn W, const KernelSum& kernel, BlockIn E, const RunContext& context) override {
    KernelSum curved;  // f″ = 0 for the others
    for (const KernelTerm& term : kernel)
      if (!std::holds_alternative<Linear>(term.kernel) && !std::holds_alternative<Squared>(term.kernel))
        curved.push_back(term);
    if (curved.empty()) return Matrix::Zero(X_.cols(), E.cols());
    return tile::sweep_curvature(sweep_data(W, context), curved, E, context);
  }

  RowMatrix kernel_product(BlockIn W, const KernelSum& kernel, DataView in, const RunContext& context) override {
    return tile::sweep_kernel_product(projected(W, context), kernel, in, context);
  }

  std::string route_text(Index q, const KernelSum& kernel) const override {
    std::string text;
    for (const KernelTerm& term : kernel) text += (text.empty() ? "" : "; ") + plan(term, q).reason;
    text = text + " (" + tile::functions().instruction_set + ")";
    if (single_refused_)
      text += fmt::format("; in double: the relative error of single precision would be {:.1e}", precision_error_);
    else if (!std::isnan(precision_error_))
      text += fmt::format("; products in single precision, relative error {:.1e}", precision_error_);
    return text;
  }

  Index sample_count() const override { return X_.rows(); }
  double precision_error() const override { return precision_error_; }

 private:
  const Samples& X_;
  Gamma gamma_;
  RowMatrix basis_, weighted_basis_;
  Vector row_sums_;
  Matrix last_W_;
  RowMatrix last_Z_;
  std::unique_ptr<tile::SingleSamples> single_;
  double precision_error_ = kUnknown;
  bool single_refused_ = false;

  // In the precision asked for. The first mixed sums are tried on random directions against double: ‖(Φ̃ − Φ)V‖ is, up
  // to a factor near 1, ‖Φ̃ − Φ‖_F, and costs a sweep without the large product. Where numbers leave the range of
  // single precision the rest is done in double.
  tile::SweepSums tiled_sums(BlockIn W, const KernelSum& tiled, const RunContext& context) {
    const tile::SweepData data = sweep_data(W, context);
    if (accuracy_.precision == Precision::full || single_refused_)
      return tile::sweep_sums(data, tiled, nullptr, context);
    const bool differences =
        std::ranges::all_of(tiled, [](const KernelTerm& term) { return form_of(term.kernel) == PairForm::difference; });
    if (!single_ || single_->centred() != differences)
      single_ = std::make_unique<tile::SingleSamples>(X_, differences, context);
    tile::SweepSums sums = tile::sweep_sums(data, tiled, single_.get(), context);
    if (std::isnan(precision_error_)) {
      const Matrix V = Rng(context.seed, "precision").normal_matrix(X_.cols(), kProbes);
      const Matrix exact = tile::sweep_phi_product(data, tiled, V, context);
      const double size = exact.norm(), error = (product(sums.phi, V) - exact).norm();
      precision_error_ = error == 0 ? 0 : error / size;
    }
    if (precision_error_ <= kUsable && sums.phi.allFinite()) return sums;
    single_refused_ = true;
    single_.reset();
    return tile::sweep_sums(data, tiled, nullptr, context);
  }

  // XW, kept for the next call with the same W: products with the Hessian come by the hundred at one W.
  const RowMatrix& projected(BlockIn W, const RunContext& context) {
    if (W.rows() != last_W_.rows() || W.cols() != last_W_.cols() || W != last_W_) {
      last_W_.resize(0, 0);  // an interrupted product leaves nothing to be taken for Z
      last_Z_ = X_.project(W, context);
      last_W_ = W;
    }
    return last_Z_;
  }
  tile::SweepData sweep_data(BlockIn W, const RunContext& context) {
    return {X_, projected(W, context), basis_, weighted_basis_};
  }
  direct::DirectData direct_data(BlockIn W, const RunContext& context) {
    return {X_, gamma_, basis_, row_sums_, projected(W, context)};
  }
  PairRoute plan(const KernelTerm& term, Index q) const {
    return plan_pairs(term, {X_.rows(), X_.cols(), q, basis_.cols(), !gamma_.classes.empty()}, choice_);
  }
  std::pair<KernelSum, KernelSum> split(const KernelSum& kernel, Index q) const {
    std::pair<KernelSum, KernelSum> parts;
    for (const KernelTerm& term : kernel) (plan(term, q).tiled ? parts.first : parts.second).push_back(term);
    return parts;
  }
};

class CpuBackend final : public Backend {
 public:
  std::string_view name() const override { return "cpu"; }
  std::string_view description() const override { return "all cores of this machine: BLAS and vectorised tiles"; }
  bool available() const override { return true; }
  std::unique_ptr<PairPass> pair_pass(const Samples& X, Gamma gamma) override {
    return std::make_unique<CpuPairPass>(X, std::move(gamma));
  }
  double pair_pass_bytes(const PairSizes& sizes, const KernelSum& kernel, const PairAccuracy& accuracy,
                         int threads) const override {
    double columns = 0, bytes = 0;
    bool tiled = false;
    for (const KernelTerm& term : kernel)
      if (plan_pairs(term, sizes).tiled)
        tiled = true;
      else
        columns += direct_columns(term, sizes);
    const double d = double(sizes.d), n = double(sizes.n);
    if (tiled) bytes += tile::sweep_bytes(sizes, accuracy.precision, threads);
    if (tiled || !stays_factor(columns, sizes.d)) bytes += 8 * 3 * d * d;
    return bytes + 8 * (2 * d * columns + n * double(3 * sizes.gamma_columns + 2 * sizes.q));
  }
};

}  // namespace

Backend& cpu_backend() {
  static CpuBackend backend;
  return backend;
}

}  // namespace ritz
