// SPDX-License-Identifier: MIT
#include "backends/cpu/low_rank.hpp"

#include <algorithm>
#include <cmath>

#include "backends/cpu/tile_kernels.hpp"
#include "linalg/dense/dense.hpp"
#include "linalg/tall_products.hpp"
#include "model/kernel_list.hpp"

namespace ritz::low_rank {

namespace {

// Before this share of the rank limit the rate at which the error falls says little about the end.
constexpr double kEarly = 0.25;
// R_ij carries rounding errors of r·ε·max G_ii from products of length r, some of them magnified by a division.
constexpr double kRounding = 8;

// −f′(β) of the projected samples, evaluated as the tiles do.
class SlopeColumns {
 public:
  SlopeColumns(const RowMatrix& projected, const KernelVariant& kernel)
      : Z_(projected.rowwise() - projected.colwise().mean()), norms_(Z_.rowwise().squaredNorm()), kernel_(kernel) {}

  const RowMatrix& centred() const { return Z_; }
  const Vector& norms() const { return norms_; }

  PsdColumns columns() const {
    const double at_zero = -std::visit([](const auto& k) { return k.slope(0.0); }, kernel_);
    return {Vector::Constant(Z_.rows(), at_zero), [this](Range rows, const std::vector<Index>& columns, double* out,
                                                         Index stride) { fill(rows, columns, out, stride); }};
  }

 private:
  RowMatrix Z_;
  Vector norms_;
  const KernelVariant& kernel_;

  void fill(Range rows, const std::vector<Index>& columns, double* out, Index stride) const {
    const tile::Functions& functions = tile::functions();
    const Index m = Index(columns.size()), q = Z_.cols();
    RowMatrix others(m, q);
    Vector norms(m), beta(m), value(m), slope(m);
    for (Index k = 0; k < m; ++k) {
      others.row(k) = Z_.row(columns[std::size_t(k)]);
      norms[k] = norms_[columns[std::size_t(k)]];
    }
    row_gemm(rows.size(), m, q, 1, {Z_.data() + rows.begin * q, q}, Transpose::no, {others.data(), q}, Transpose::yes,
             0, {out, stride});
    const void* object = std::visit([](const auto& k) -> const void* { return &k; }, kernel_);
    for (Index i = 0; i < rows.size(); ++i) {
      double* row = out + i * stride;
      functions.squared_distances(row, norms_[rows.begin + i], norms.data(), m, beta.data());
      slope.setZero();
      value.setZero();
      functions.kernels[kernel_.index()].value_slope(object, -1, beta.data(), nullptr, m, value.data(), slope.data());
      std::copy_n(slope.data(), m, row);
    }
  }
};

// F = Σ_ij A_ij (LLᵀ)_ij with A = Γ ∘ (m₀ + m₁β) = U·M·Uᵀ, block by block of L's columns. With p = ‖z‖²:
// Γ ∘ β = Σ_c w_c ((q_c p)q_cᵀ + q_c(q_c p)ᵀ − 2Σ_k (q_c z_k)(q_c z_k)ᵀ).
class Objective {
 public:
  Objective(const direct::DirectData& data, const SlopeColumns& slopes, SlopeMultiple multiple)
      : weights_(data.gamma.factor.weights), multiple_(multiple), r_(data.basis.cols()) {
    const Index n = data.basis.rows(), q = slopes.centred().cols();
    const bool linear = multiple.linear != 0;
    U_.resize(n, linear ? r_ * (q + 2) : r_);
    U_.leftCols(r_) = data.basis;
    if (!linear) return;
    U_.middleCols(r_, r_) = slopes.norms().asDiagonal() * data.basis;
    for (Index k = 0; k < q; ++k) U_.middleCols((k + 2) * r_, r_) = slopes.centred().col(k).asDiagonal() * data.basis;
  }

  // Adds what new columns of L contribute; their products with Γ's basis are kept.
  void add(DataView columns, const RunContext& context) {
    const Matrix products = tall_transposed_product(U_, columns, context);
    const auto own = products.topRows(r_);
    Matrix sum = multiple_.constant * own.cwiseAbs2();
    if (multiple_.linear != 0) {
      sum += 2 * multiple_.linear * own.cwiseProduct(products.middleRows(r_, r_));
      for (Index at = 2 * r_; at < products.rows(); at += r_)
        sum -= 2 * multiple_.linear * products.middleRows(at, r_).cwiseAbs2();
    }
    value_ += (sum.transpose() * weights_).sum();
    cross_.conservativeResize(r_, cross_.cols() + columns.cols());
    cross_.rightCols(columns.cols()) = own;
  }
  double value() const { return value_; }
  Matrix take_cross() { return std::move(cross_); }

 private:
  const Vector& weights_;
  SlopeMultiple multiple_;
  Index r_;
  RowMatrix U_;
  Matrix cross_;
  double value_ = 0;
};

// Bounds in the diagonal of R. With |R_ij| ≤ √R_ii·√R_jj, |Γ_ij| ≤ Σ_c |w_c q_ic q_jc| and β_ij ≤ 2p_i + 2p_j:
//   |ΔF| ≤ Σ_c |w_c| (|m₀|a_c² + 4|m₁|a_c b_c),  a_c = Σ_i |q_ic|√R_ii,  b_c = Σ_i |q_ic|p_i√R_ii.
// With |Tr(AR)| ≤ ‖A‖₂·Tr R and Schur's ‖Γ ∘ P‖₂ ≤ max P_ii·‖Γ‖₂ for P = ZZᵀ:
//   |ΔF| ≤ ‖Γ‖₂ (|m₀| + 4|m₁| max p_i)·Tr R.
class Bounds {
 public:
  Bounds(const direct::DirectData& data, const Vector& norms, SlopeMultiple multiple, double gamma_norm)
      : basis_(data.basis.cwiseAbs()),
        weights_(data.gamma.factor.weights.cwiseAbs()),
        norms_(norms),
        constant_(std::abs(multiple.constant)),
        linear_(std::abs(multiple.linear)),
        gamma_norm_(gamma_norm) {
    everywhere_ = by_rows(Vector::Ones(norms.size()));
  }

  double objective(const Vector& residual, double trace, double rounding) const {
    const double by_trace = gamma_norm_ * (constant_ + 4 * linear_ * norms_.maxCoeff()) * trace;
    return std::min(by_trace, by_rows(residual.cwiseSqrt())) + kRounding * rounding * everywhere_;
  }

  // Σ_j |Γ_ij R_ij| <= √R_ii Σ_c |w_c q_ic| a_c
  double row(const Vector& residual, double rounding) const {
    const Vector root = (residual.array() + kRounding * rounding).sqrt();
    const Vector a = basis_.transpose() * root;
    return root.cwiseProduct(basis_ * weights_.cwiseProduct(a)).maxCoeff();
  }

 private:
  RowMatrix basis_;
  Vector weights_;
  const Vector& norms_;
  double constant_, linear_, gamma_norm_, everywhere_ = 0;

  double by_rows(const Vector& root) const {
    const Vector a = basis_.transpose() * root;
    Vector sum = constant_ * a.cwiseAbs2();
    if (linear_ > 0) sum += 4 * linear_ * a.cwiseProduct(basis_.transpose() * norms_.cwiseProduct(root));
    return sum.dot(weights_);
  }
};

}  // namespace

double spectral_norm(const Gamma& gamma) {
  if (gamma.factor.basis.cols() == 0) return 0;
  // The nonzero eigenvalues of QDQᵀ are those of S·D·S with S² = QᵀQ.
  const auto [values, V] = symmetric_eigen(transposed_product(gamma.factor.basis, gamma.factor.basis));
  // A singular QᵀQ may have eigenvalues below 0 by rounding.
  const Matrix root = SymFactor{V, values.cwiseMax(0).cwiseSqrt()}.dense();
  const Matrix inner = root * gamma.factor.weights.asDiagonal() * root;
  constexpr double kRoundUp = 1 + 1e-10;
  return kRoundUp * symmetric_values(0.5 * (inner + inner.transpose())).cwiseAbs().maxCoeff();
}

Factor factor_slopes(const direct::DirectData& data, const AnyKernel& kernel, const Request& request,
                     const RunContext& context) {
  const SlopeMultiple multiple = value_per_slope(kernel).value();
  const SlopeColumns slopes(data.projected, *kernel);
  const Bounds bounds(data, slopes.norms(), multiple, request.gamma_norm);
  Objective objective(data, slopes, multiple);
  const PsdColumns G = slopes.columns();
  const double unit = std::numeric_limits<double>::epsilon() * G.diagonal[0];

  Factor factor;
  double before = std::numeric_limits<double>::infinity();  // the error one block ago
  PivotedCholeskyOptions options;
  options.max_rank = request.max_rank;
  options.first = request.first;
  options.enough = [&](const CholeskyProgress& now) {
    objective.add(now.new_columns, context);
    factor.objective_error = bounds.objective(now.residual, now.trace, double(now.rank) * unit);
    // |F| is at least |the value here| less its error.
    return factor.objective_error * (1 + request.relative_error) <=
           request.relative_error * std::abs(objective.value());
  };
  // The error falls ever more slowly, as a rule: where even its last rate would not reach the request below the rank
  // limit, going on is in vain.
  options.give_up = [&](const CholeskyProgress& now) {
    const double rate = std::log(before / factor.objective_error) / double(now.new_columns.cols());
    before = factor.objective_error;
    const double wanted = request.relative_error * std::abs(objective.value());
    if (double(now.rank) < kEarly * double(request.max_rank)) return false;
    return !(double(now.rank) + std::log(factor.objective_error / wanted) / rate <= double(request.max_rank));
  };
  factor.cholesky = pivoted_cholesky(G, options, context);
  factor.objective = objective.value();
  factor.cross = objective.take_cross();
  factor.row_error = bounds.row(factor.cholesky.residual, factor.cholesky.rounding);
  return factor;
}

}  // namespace ritz::low_rank
