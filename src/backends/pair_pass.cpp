// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <map>

#include "backends/cpu/direct_routes.hpp"
#include "backends/cpu/low_rank.hpp"
#include "linalg/tall_products.hpp"
#include "pairs/pair_sweep.hpp"
#include "ritz/base/error.hpp"
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

  PhiMatrix finish(const RunContext& context) {
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
      // A column-major basis read row-major is its transpose: tall where it is not kept.
      const Eigen::Map<const RowMatrix> tall(factor.basis.data(), factor.basis.cols(), d_);
      dense_ += tall_weighted_gram(tall, factor.weights, context);
    }
    return {DenseOperator{std::move(dense_)}};
  }

 private:
  Index d_;
  Matrix dense_;
  std::vector<SymFactor> factors_;
};

constexpr Index kProbes = 8;  // random directions on which mixed precision is tried: ‖·‖_F to about a third

class RoutedPass final : public PairPass {
 public:
  RoutedPass(std::unique_ptr<PairSweep> sweep, Gamma gamma) : sweep_(std::move(sweep)), X_(sweep_->samples()) {
    set_gamma(std::move(gamma));
  }

  // The samples, in single precision too, and their projection stay; what was learnt from the old Γ does not.
  void set_gamma(Gamma gamma) override {
    if (gamma.size() != X_.rows())
      throw Error(ErrorCode::bad_shape, "the pair weights are for " + std::to_string(gamma.size()) +
                                            " samples, but the data has " + std::to_string(X_.rows()));
    gamma_ = std::move(gamma);
    basis_ = gamma_.factor.basis;
    weighted_basis_ = gamma_.factor.basis * gamma_.factor.weights.asDiagonal();
    row_sums_ = gamma_.row_sums();
    sweep_->set_gamma({gamma_, basis_, weighted_basis_});
    gamma_norm_ = precision_error_ = kUnknown;
    single_refused_ = false;
    low_rank_.clear();
  }

  PhiMatrix start_phi(const KernelSum& kernel, const RunContext& context) override {
    assert(is_resolved(kernel, X_.rows()));
    PhiSum phi(X_.cols());
    for (const KernelTerm& term : kernel) {
      direct::DirectSums part = direct::constant_slope_sums(X_, gamma_, term, start_slope(term.kernel), context);
      phi.add(std::move(part.phi));
      phi.add(std::move(part.dense));
    }
    return phi.finish(context);
  }

  PairSums sums(BlockIn W, const KernelSum& kernel, const RunContext& context) override {
    PairSums sums;
    PhiSum phi(X_.cols());
    const auto add = [&](direct::DirectSums part) {
      sums.objective += part.objective;
      phi.add(std::move(part.phi));
      phi.add(std::move(part.dense));
    };
    const KernelSum tiled = add_low_rank(W, kernel, true, sums.error, add, context);
    if (!tiled.empty()) {
      SweepSums swept = tiled_sums(W, tiled, context);
      sums.objective += swept.objective;
      phi.add(std::move(swept.phi));
    }
    sums.phi = phi.finish(context);
    return sums;
  }

  PairGradient gradient(BlockIn W, const KernelSum& kernel, const RunContext& context) override {
    PairGradient sum{Matrix::Zero(X_.cols(), W.cols()), 0, {}};
    const auto add = [&](const direct::DirectSums& part) {
      sum.objective += part.objective;
      const Matrix inside = part.phi.weights.asDiagonal() * transposed_product(part.phi.basis, W);
      sum.phi_W += product(part.phi.basis, inside);
      if (part.dense.size() > 0) sum.phi_W += product(part.dense, W);
    };
    const KernelSum tiled = add_low_rank(W, kernel, true, sum.error, add, context);
    if (!tiled.empty()) {
      const PairGradient swept = sweep_->gradient(W, tiled, context);
      sum.phi_W += swept.phi_W;
      sum.objective += swept.objective;
    }
    return sum;
  }

  double objective(BlockIn W, const KernelSum& kernel, const RunContext& context) override {
    double sum = 0;
    PairError error;
    const auto add = [&](const direct::DirectSums& part) { sum += part.objective; };
    const KernelSum tiled = add_low_rank(W, kernel, false, error, add, context);
    if (!tiled.empty()) sum += sweep_->objective(W, tiled, context);
    return sum;
  }

  Matrix curvature_product(BlockIn W, const KernelSum& kernel, BlockIn E, const RunContext& context) override {
    KernelSum curved;  // f″ = 0 for the others
    for (const KernelTerm& term : kernel)
      if (!has_constant_slope(term.kernel)) curved.push_back(term);
    if (curved.empty()) return Matrix::Zero(X_.cols(), E.cols());
    return sweep_->curvature_product(W, curved, E, context);
  }

  double curvature_bound(BlockIn W, const KernelSum& kernel, const RunContext& context) override {
    return sweep_->curvature_bound(W, kernel, context);
  }

  RowMatrix kernel_product(BlockIn W, const KernelSum& kernel, DataView in, const RunContext& context) override {
    return sweep_->kernel_product(W, kernel, in, context);
  }

  std::string route_text(Index q, const KernelSum& kernel) const override {
    std::string text;
    for (const KernelTerm& term : kernel) {
      const auto known = low_rank_.find(low_rank_key(term, q));
      text += (text.empty() ? "" : "; ") + (known != low_rank_.end() ? known->second.text : plan(term, q).reason);
    }
    text += " (" + sweep_->place() + ")";
    if (single_refused_)
      text += fmt::format("; in double: the relative error of single precision would be {:.1e}", precision_error_);
    else if (!std::isnan(precision_error_))
      text += fmt::format("; products in single precision, relative error {:.1e}", precision_error_);
    return text;
  }

  Index sample_count() const override { return X_.rows(); }
  double precision_error() const override { return precision_error_; }
  void keep(Archive& archive) override { archive(precision_error_, single_refused_, low_rank_); }

 private:
  std::unique_ptr<PairSweep> sweep_;
  const Samples& X_;
  Gamma gamma_;
  RowMatrix basis_, weighted_basis_;
  Vector row_sums_;
  double precision_error_ = kUnknown;
  bool single_refused_ = false;

  // What the last low-rank factor of a kernel left: the next one begins with its pivots.
  struct LowRankMemory {
    std::vector<Index> pivots;
    bool abandoned = false;  // exact tiles from now on
    std::string text;
    void keep(Archive& archive) { archive(pivots, abandoned, text); }
  };
  std::map<std::string, LowRankMemory> low_rank_;
  double gamma_norm_ = kUnknown, data_norm_ = kUnknown;  // computed when first needed

  // In the precision asked for. The first mixed sums are tried on random directions against double: ‖(Φ̃ − Φ)V‖ is, up
  // to a factor near 1, ‖Φ̃ − Φ‖_F, and costs a sweep without the large product. Where numbers leave the range of
  // single precision the rest is done in double.
  SweepSums tiled_sums(BlockIn W, const KernelSum& tiled, const RunContext& context) {
    if (accuracy_.precision == Precision::full || single_refused_)
      return sweep_->sums(W, tiled, Precision::full, context);
    SweepSums sums = sweep_->sums(W, tiled, Precision::mixed, context);
    if (std::isnan(precision_error_)) {
      const Matrix V = Rng(context.seed, "precision").normal_matrix(X_.cols(), kProbes);
      const Matrix exact = sweep_->phi_product(W, tiled, V, context);
      const double size = exact.norm(), error = (product(sums.phi, V) - exact).norm();
      precision_error_ = error == 0 ? 0 : error / size;
    }
    if (precision_error_ <= sweep_->usable_error() && sums.phi.allFinite()) return sums;
    single_refused_ = true;
    return sweep_->sums(W, tiled, Precision::full, context);
  }

  direct::DirectData direct_data(BlockIn W, const RunContext& context) {
    return {X_, gamma_, basis_, row_sums_, sweep_->projected(W, context)};
  }
  PairSizes sizes(Index q) const { return {X_.rows(), X_.cols(), q, basis_.cols(), !gamma_.classes.empty()}; }
  PairRoute plan(const KernelTerm& term, Index q) const {
    return plan_pairs(term, sizes(q), gamma_.pairs ? RouteChoice::tiled : choice_);  // a sample of tiles is that alone
  }

  // Hands to `add` what the terms give that have an exact low-rank route, or a low-rank factor of their slopes; the
  // others come back, for the tiles.
  template <class Add>
  KernelSum add_low_rank(BlockIn W, const KernelSum& kernel, bool want_phi, PairError& error, const Add& add,
                         const RunContext& context) {
    assert(is_resolved(kernel, X_.rows()));
    KernelSum tiled;
    for (const KernelTerm& term : kernel) {
      if (!plan(term, W.cols()).tiled)
        add(direct::direct_sums(direct_data(W, context), W, term, want_phi, context));
      else if (const Index most = low_rank_limit(term, W.cols(), context);
               most == 0 || !low_rank_sums(direct_data(W, context), term, most, want_phi, error, add, context))
        tiled.push_back(term);
    }
    return tiled;
  }

  static std::string low_rank_key(const KernelTerm& term, Index q) {
    return kernel_text({term}) + " in " + std::to_string(q);
  }

  // The largest rank at which a low-rank kernel is cheaper than exact tiles; 0: exact sums are asked for, or cheaper.
  // The factor (twice while it grows) and the sums by class take at most kLowRankShare of the memory.
  Index low_rank_limit(const KernelTerm& term, Index q, const RunContext& context) const {
    if (!(accuracy_.approximate > 0) || choice_ == RouteChoice::tiled || gamma_.pairs || !value_per_slope(term.kernel))
      return 0;
    if (const auto known = low_rank_.find(low_rank_key(term, q)); known != low_rank_.end() && known->second.abandoned)
      return 0;
    const double per_column = 8.0 * (2 * double(X_.rows()) + double(X_.cols()) * double(basis_.cols()));
    const double fits = std::min(kLowRankShare * double(context.max_memory) / per_column, double(X_.rows()));
    if (choice_ == RouteChoice::direct) return Index(fits);
    const double exact = plan(term, q).tiled_operations;
    Index below = 0, above = std::min(X_.rows() / 2, Index(fits)) + 1;  // the count grows with the rank
    while (above - below > 1) {
      const Index middle = (below + above) / 2;
      (low_rank_operations(sizes(q), double(middle)) <= exact ? below : above) = middle;
    }
    return below;
  }

  // Hands its sums to `add`, and adds to `error`. False: no factor within the limit is good enough.
  template <class Add>
  bool low_rank_sums(const direct::DirectData& data, const KernelTerm& term, Index most, bool want_phi,
                     PairError& error, const Add& add, const RunContext& context) {
    if (std::isnan(gamma_norm_)) gamma_norm_ = low_rank::spectral_norm(gamma_);
    const std::string name(name_of(term.kernel));
    LowRankMemory now;
    const auto known = low_rank_.find(low_rank_key(term, data.projected.cols()));
    if (known != low_rank_.end()) now.pivots = known->second.pivots;
    const low_rank::Factor factor =
        low_rank::factor_slopes(data, term.kernel, {accuracy_.approximate, most, now.pivots, gamma_norm_}, context);
    const Index rank = factor.cholesky.factor.cols();
    const double relative = factor.objective_error / std::abs(factor.objective);
    now.pivots = factor.cholesky.pivots;
    now.abandoned = !factor.cholesky.reached;
    now.text = now.abandoned
                   ? fmt::format(
                         "{}: tiles over pairs, because a low-rank kernel of {} columns errs by up to "
                         "{:.2g} and tiles are cheaper than one of {}",
                         name, rank, relative, most)
                   : fmt::format(
                         "{}: low-rank kernel of {} columns, relative error of the objective at most "
                         "{:.2g}, {:.2g} operations against {:.2g}",
                         name, rank, relative, low_rank_operations(sizes(data.projected.cols()), double(rank)),
                         plan(term, data.projected.cols()).tiled_operations);
    if (!now.abandoned) {
      direct::DirectSums part;
      if (want_phi) {
        part = direct::low_rank_phi(data, factor.cholesky.factor, factor.cross, context);
        part.phi.weights *= term.weight;
        part.dense *= term.weight;
        // |uᵀΔΦu| <= Σ |ΔΨ_ij| (uᵀ(x_i − x_j))² <= 4 Σ_i (Σ_j |ΔΨ_ij|) (uᵀx_i)² for centred x
        error.phi += term.weight * 4 * factor.row_error * data_norm(context);
      }
      part.objective = term.weight * factor.objective;
      error.objective += term.weight * factor.objective_error;
      add(std::move(part));
    }
    low_rank_[low_rank_key(term, data.projected.cols())] = std::move(now);
    return factor.cholesky.reached;
  }

  // An upper bound of ‖X‖₂² for centred X: the Frobenius norm of its Gram matrix.
  double data_norm(const RunContext& context) {
    if (std::isnan(data_norm_)) {
      const RowMatrix ones = RowMatrix::Ones(X_.rows(), 1);
      const Vector sum = X_.adjoint(ones, context);
      Matrix gram = X_.weighted_gram(Vector::Ones(X_.rows()), context);
      gram.noalias() -= sum * sum.transpose() / double(X_.rows());
      data_norm_ = gram.norm();
    }
    return data_norm_;
  }
};

}  // namespace

std::unique_ptr<PairPass> routed_pass(std::unique_ptr<PairSweep> sweep, Gamma gamma) {
  return std::make_unique<RoutedPass>(std::move(sweep), std::move(gamma));
}

double routed_bytes(const PairSizes& sizes, const KernelSum& kernel, double tiled) {
  double columns = 0, bytes = 0;
  bool any_tiled = false;
  for (const KernelTerm& term : kernel)
    if (plan_pairs(term, sizes).tiled)
      any_tiled = true;
    else
      columns += direct_columns(term, sizes);
  const double d = double(sizes.d), n = double(sizes.n);
  if (any_tiled) bytes += tiled;
  if (any_tiled || !stays_factor(columns, sizes.d)) bytes += 8 * 3 * d * d;
  return bytes + 8 * (2 * d * columns + n * double(3 * sizes.gamma_columns + 2 * sizes.q));
}

}  // namespace ritz
