// SPDX-License-Identifier: MIT
#include "backends/cpu/direct_routes.hpp"

#include <cassert>
#include <vector>

#include "ritz/base/parallel.hpp"
#include "ritz/linalg/products.hpp"
#include "ritz/linalg/tall_products.hpp"
#include "ritz/model/monomials.hpp"

namespace ritz::direct {

namespace {

constexpr Index kRowsPerChunk = 2048;  // rows whose monomials are held at a time

// XᵀGX for G = basis·diag(weights)·basisᵀ, as a factor.
SymFactor factor_of(const Samples& X, const RowMatrix& basis, const Vector& weights, double scale,
                    const RunContext& context) {
  return {X.adjoint(basis, context), scale * weights};
}

DirectSums linear(const DirectData& data, bool want_phi, const RunContext& context) {
  DirectSums sums;
  const Matrix cross = tall_transposed_product(data.projected, data.basis, context);  // ZᵀQ, q × r
  sums.objective = (cross.cwiseAbs2() * data.gamma.factor.weights).sum();
  if (want_phi) sums.phi = factor_of(data.X, data.basis, data.gamma.factor.weights, 1, context);
  return sums;
}

// −‖zᵢ − zⱼ‖²: F = 2Tr(ZᵀΓZ) − 2Σ(Γ1)ᵢ‖zᵢ‖², Φ = 2XᵀΓX − 2Xᵀdiag(Γ1)X.
DirectSums squared(const DirectData& data, bool want_phi, const RunContext& context) {
  DirectSums sums = linear(data, want_phi, context);
  sums.objective = 2 * sums.objective - 2 * data.row_sums.dot(data.projected.rowwise().squaredNorm());
  sums.phi.weights *= 2;
  if (want_phi && !data.row_sums.isZero(0)) sums.dense = -2 * data.X.weighted_gram(data.row_sums, context);
  return sums;
}

// S_c = Σ over samples of class c of x φᵀ, side by side (d × C·m): the class of a sample picks its block.
Matrix class_sums(const DirectData& data, const Monomials& monomials, const RunContext& context) {
  const Index n = data.X.rows(), d = data.X.cols(), m = monomials.count();
  const int classes = data.gamma.class_count;
  std::vector<std::vector<Index>> members(static_cast<std::size_t>(classes));
  for (Index i = 0; i < n; ++i) members[std::size_t(data.gamma.classes[std::size_t(i)])].push_back(i);
  Matrix sums = Matrix::Zero(d, classes * m);
  for_each_tile(classes, context, [&](Index c) {
    const std::vector<Index>& rows = members[std::size_t(c)];
    RowMatrix x, z, features, sum = RowMatrix::Zero(d, m), buffer;
    for (Index t = 0; t < tile_count(Index(rows.size()), kRowsPerChunk); ++t) {
      context.poll();
      const Range range = tile_range(Index(rows.size()), kRowsPerChunk, t);
      x.resize(range.size(), d);
      z.resize(range.size(), data.projected.cols());
      for (Index i = 0; i < range.size(); ++i) {
        const Index row = rows[std::size_t(range.begin + i)];
        const double* source = data.X.rows_block({row, row + 1}, buffer);
        std::copy_n(source, d, x.data() + i * d);
        z.row(i) = data.projected.row(row);
      }
      monomials.evaluate(z, features);
      row_gemm(d, m, range.size(), 1, {x.data(), d}, Transpose::yes, {features.data(), m}, Transpose::no, 1,
               {sum.data(), m});
    }
    sums.middleCols(c * m, m) = sum;
  });
  return sums;
}

// Any factor: Σ x (q_r φ)ᵀ, d × r·m.
Matrix factor_sums(const DirectData& data, const Monomials& monomials, const RunContext& context) {
  const Index n = data.X.rows(), d = data.X.cols(), m = monomials.count(), r = data.basis.cols();
  Matrix sums = Matrix::Zero(d, r * m);
  RowMatrix features, weighted, buffer;
  for (Index t = 0; t < tile_count(n, kRowsPerChunk); ++t) {
    context.poll();
    const Range rows = tile_range(n, kRowsPerChunk, t);
    monomials.evaluate(data.projected.middleRows(rows.begin, rows.size()), features);
    weighted.resize(rows.size(), r * m);
    for (Index c = 0; c < r; ++c)
      weighted.middleCols(c * m, m) = data.basis.col(c).segment(rows.begin, rows.size()).asDiagonal() * features;
    const Eigen::Map<const RowMatrix> x(data.X.rows_block(rows, buffer), rows.size(), d);
    sums += tall_transposed_product(x, weighted, context);
  }
  return sums;
}

// Qᵀφ, r × m: what F needs besides Φ.
Matrix feature_sums(const DirectData& data, const Monomials& monomials, const RunContext& context) {
  Matrix sums = Matrix::Zero(data.basis.cols(), monomials.count());
  RowMatrix features;
  for (Index t = 0; t < tile_count(data.X.rows(), kRowsPerChunk); ++t) {
    context.poll();
    const Range rows = tile_range(data.X.rows(), kRowsPerChunk, t);
    monomials.evaluate(data.projected.middleRows(rows.begin, rows.size()), features);
    sums += tall_transposed_product(data.basis.middleRows(rows.begin, rows.size()), features, context);
  }
  return sums;
}

// Ψ = Γ ∘ p·s·(s·β + c)^(p−1) factors exactly over monomials φ of degree p − 1: Φ = p·s·MMᵀ, M = Xᵀ[Q ⊙ φ]. Since
// s·β + c is linear in β, F = Tr(WᵀΦW)/p + c·‖Qᵀφ‖² needs no monomials of degree p.
DirectSums polynomial(const DirectData& data, BlockIn W, const Polynomial& kernel, bool want_phi,
                      const RunContext& context) {
  const Index q = W.cols(), r = data.basis.cols();
  const Vector& weights = data.gamma.factor.weights;
  DirectSums sums;
  if (!want_phi) {  // the objective alone, by monomials of degree p
    const Monomials monomials(q, kernel.degree, kernel.offset, kernel.scale);
    sums.objective = (feature_sums(data, monomials, context).cwiseAbs2().transpose() * weights).sum();
    return sums;
  }
  const Monomials monomials(q, kernel.degree - 1, kernel.offset, kernel.scale);
  const Index m = monomials.count();
  if (data.gamma.classes.empty()) {
    sums.phi.basis = factor_sums(data, monomials, context);
  } else {  // M_c = S_c − (n_c/n)·ΣS: the number of classes drops out of the large product
    sums.phi.basis = class_sums(data, monomials, context);
    Matrix total = Matrix::Zero(sums.phi.basis.rows(), m);
    for (Index c = 0; c < r; ++c) total += sums.phi.basis.middleCols(c * m, m);
    std::vector<double> share(static_cast<std::size_t>(r), 0.0);
    for (const int c : data.gamma.classes) share[std::size_t(c)] += 1.0 / double(data.X.rows());
    for (Index c = 0; c < r; ++c) sums.phi.basis.middleCols(c * m, m) -= share[std::size_t(c)] * total;
  }
  sums.phi.weights.resize(r * m);
  for (Index c = 0; c < r; ++c)
    sums.phi.weights.segment(c * m, m).setConstant(kernel.degree * kernel.scale * weights[c]);

  const Matrix inside = transposed_product(W, sums.phi.basis);  // q × r·m
  sums.objective = (inside.cwiseAbs2() * sums.phi.weights).sum() / kernel.degree;
  if (kernel.offset > 0)
    sums.objective += kernel.offset * (feature_sums(data, monomials, context).cwiseAbs2().transpose() * weights).sum();
  return sums;
}

}  // namespace

DirectSums direct_sums(const DirectData& data, BlockIn W, const KernelTerm& term, bool want_phi,
                       const RunContext& context) {
  DirectSums sums;
  if (std::holds_alternative<Linear>(term.kernel))
    sums = linear(data, want_phi, context);
  else if (std::holds_alternative<Squared>(term.kernel))
    sums = squared(data, want_phi, context);
  else
    sums = polynomial(data, W, std::get<Polynomial>(term.kernel), want_phi, context);
  sums.objective *= term.weight;
  sums.phi.weights *= term.weight;
  sums.dense *= term.weight;
  return sums;
}

DirectSums constant_slope_sums(const Samples& X, const Gamma& gamma, const KernelTerm& term, double slope,
                               const RunContext& context) {
  Gamma scaled = gamma;
  if (term.sample_scale) {
    const Eigen::Map<const Vector> s(term.sample_scale->data(), Index(term.sample_scale->size()));
    scaled.factor.basis = s.asDiagonal() * gamma.factor.basis;
  }
  const bool difference = form_of(term.kernel) == PairForm::difference;
  DirectSums sums;
  const RowMatrix basis = scaled.factor.basis;
  sums.phi = factor_of(X, basis, scaled.factor.weights, term.weight * slope * (difference ? -2 : 1), context);
  if (difference) {
    const Vector row_sums = scaled.row_sums();
    if (!row_sums.isZero(0)) sums.dense = 2 * term.weight * slope * X.weighted_gram(row_sums, context);
  }
  return sums;
}

}  // namespace ritz::direct
