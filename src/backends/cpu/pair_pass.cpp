// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <cassert>
#include <cmath>
#include <map>

#include "backends/cpu/direct_routes.hpp"
#include "backends/cpu/low_rank.hpp"
#include "backends/cpu/tile_kernels.hpp"
#include "backends/cpu/tile_sweep.hpp"
#include "ritz/backends/backend.hpp"
#include "ritz/linalg/products.hpp"
#include "ritz/linalg/tall_products.hpp"

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
    return phi.finish(context);
  }

  PairSums sums(BlockIn W, const KernelSum& kernel, const RunContext& context) override {
    return run(W, kernel, true, context);
  }

  double objective(BlockIn W, const KernelSum& kernel, const RunContext& context) override {
    return run(W, kernel, false, context).objective;
  }

  Matrix curvature_product(BlockIn W, const KernelSum& kernel, BlockIn E, const RunContext& context) override {
    KernelSum curved;  // f″ = 0 for the others
    for (const KernelTerm& term : kernel)
      if (!std::holds_alternative<Linear>(term.kernel) && !std::holds_alternative<Squared>(term.kernel))
        curved.push_back(term);
    if (curved.empty()) return Matrix::Zero(X_.cols(), W.cols());
    return tile::sweep_curvature(sweep_data(), W, curved, E, context);
  }

  RowMatrix kernel_product(BlockIn W, const KernelSum& kernel, DataView in, const RunContext& context) override {
    return tile::sweep_kernel_product(X_, W, kernel, in, context);
  }

  std::string route_text(Index q, const KernelSum& kernel) const override {
    std::string text;
    for (const KernelTerm& term : kernel) {
      const auto known = low_rank_.find(low_rank_key(term, q));
      text += (text.empty() ? "" : "; ") + (known != low_rank_.end() ? known->second.text : plan(term, q).reason);
    }
    return text + " (" + tile::functions().instruction_set + ")";
  }

  Index sample_count() const override { return X_.rows(); }

 private:
  const Samples& X_;
  Gamma gamma_;
  RowMatrix basis_, weighted_basis_;
  Vector row_sums_;

  // What the last low-rank factor of a kernel left: the next one begins with its pivots.
  struct LowRankMemory {
    std::vector<Index> pivots;
    bool abandoned = false;  // exact tiles from now on
    std::string text;
  };
  std::map<std::string, LowRankMemory> low_rank_;
  double gamma_norm_ = kUnknown, data_norm_ = kUnknown;  // computed when first needed

  tile::SweepData sweep_data() const { return {X_, basis_, weighted_basis_}; }
  direct::DirectData direct_data(const RowMatrix& projected) const {
    return {X_, gamma_, basis_, row_sums_, projected};
  }
  PairSizes sizes(Index q) const { return {X_.rows(), X_.cols(), q, basis_.cols(), !gamma_.classes.empty()}; }
  PairRoute plan(const KernelTerm& term, Index q) const { return plan_pairs(term, sizes(q), choice_); }

  PairSums run(BlockIn W, const KernelSum& kernel, bool want_phi, const RunContext& context) {
    assert(is_resolved(kernel, X_.rows()));
    PairSums sums;
    PhiSum phi(X_.cols());
    KernelSum tiled;
    RowMatrix projected;
    const auto data = [&] {
      if (projected.size() == 0) projected = X_.project(W, context);
      return direct_data(projected);
    };
    const auto add = [&](direct::DirectSums part) {
      sums.objective += part.objective;
      phi.add(std::move(part.phi));
      phi.add(std::move(part.dense));
    };
    for (const KernelTerm& term : kernel) {
      if (!plan(term, W.cols()).tiled)
        add(direct::direct_sums(data(), W, term, want_phi, context));
      else if (const Index most = low_rank_limit(term, W.cols()); most == 0)
        tiled.push_back(term);
      else if (!add_low_rank(data(), term, most, want_phi, sums, phi, context))
        tiled.push_back(term);
    }
    if (!tiled.empty() && want_phi) {
      tile::SweepSums swept = tile::sweep_sums(sweep_data(), W, tiled, context);
      sums.objective += swept.objective;
      phi.add(std::move(swept.phi));
    } else if (!tiled.empty()) {
      sums.objective += tile::sweep_objective(sweep_data(), W, tiled, context);
    }
    if (want_phi) sums.phi = phi.finish(context);
    return sums;
  }

  static std::string low_rank_key(const KernelTerm& term, Index q) {
    return kernel_text({term}) + " in " + std::to_string(q);
  }

  // The largest rank at which a low-rank kernel is cheaper than exact tiles; 0: exact sums are asked for, or cheaper.
  Index low_rank_limit(const KernelTerm& term, Index q) const {
    if (!(accuracy_.approximate > 0) || choice_ == RouteChoice::tiled || !value_per_slope(term.kernel)) return 0;
    if (const auto known = low_rank_.find(low_rank_key(term, q)); known != low_rank_.end() && known->second.abandoned)
      return 0;
    if (choice_ == RouteChoice::direct) return X_.rows();
    const double exact = plan(term, q).tiled_operations;
    Index below = 0, above = X_.rows() / 2 + 1;  // the count grows with the rank
    while (above - below > 1) {
      const Index middle = (below + above) / 2;
      (low_rank_operations(sizes(q), double(middle)) <= exact ? below : above) = middle;
    }
    return below;
  }

  // False: no factor within the limit is good enough.
  bool add_low_rank(const direct::DirectData& data, const KernelTerm& term, Index most, bool want_phi, PairSums& sums,
                    PhiSum& phi, const RunContext& context) {
    if (std::isnan(gamma_norm_)) gamma_norm_ = low_rank::spectral_norm(gamma_);
    const std::string name(std::visit([](const auto& k) { return k.name; }, term.kernel));
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
      sums.objective += term.weight * factor.objective;
      sums.error.objective += term.weight * factor.objective_error;
      if (want_phi) {
        direct::DirectSums part = direct::low_rank_phi(data, factor.cholesky.factor, factor.cross, context);
        phi.add(SymFactor{std::move(part.phi.basis), term.weight * part.phi.weights});
        phi.add(Matrix(term.weight * part.dense));
        // |uᵀΔΦu| <= Σ |ΔΨ_ij| (uᵀ(x_i − x_j))² <= 4 Σ_i (Σ_j |ΔΨ_ij|) (uᵀx_i)² for centred x
        sums.error.phi += term.weight * 4 * factor.row_error * data_norm(context);
      }
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

class CpuBackend final : public Backend {
 public:
  std::string_view name() const override { return "cpu"; }
  std::string_view description() const override { return "all cores of this machine: BLAS and vectorised tiles"; }
  bool available() const override { return true; }
  std::unique_ptr<PairPass> pair_pass(const Samples& X, Gamma gamma) override {
    return std::make_unique<CpuPairPass>(X, std::move(gamma));
  }
  double pair_pass_bytes(const PairSizes& sizes, const KernelSum& kernel, int threads) const override {
    double columns = 0, bytes = 0;
    bool tiled = false;
    for (const KernelTerm& term : kernel)
      if (plan_pairs(term, sizes).tiled)
        tiled = true;
      else
        columns += direct_columns(term, sizes);
    const double d = double(sizes.d), n = double(sizes.n);
    if (tiled) bytes += tile::sweep_bytes(sizes.n, sizes.d, sizes.q, sizes.gamma_columns, threads);
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
