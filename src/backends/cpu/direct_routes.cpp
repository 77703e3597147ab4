// SPDX-License-Identifier: MIT
#include "backends/cpu/direct_routes.hpp"

#include <cassert>
#include <functional>
#include <numeric>
#include <span>
#include <vector>

#include "linalg/tall_products.hpp"
#include "model/kernel_list.hpp"
#include "model/monomials.hpp"
#include "ritz/base/parallel.hpp"
#include "ritz/linalg/products.hpp"

namespace ritz::direct {

namespace {

constexpr Index kRowsPerChunk = 2048;   // rows whose features are held at a time
constexpr Index kColumnsPerTask = 400;  // of the data, in sums by class

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
  // Differences do not see a shift, but far from 0 the two parts of F would cancel.
  const RowMatrix centred = data.projected.rowwise() - data.projected.colwise().mean();
  DirectSums sums = linear({data.X, data.gamma, data.basis, data.row_sums, centred}, want_phi, context);
  sums.objective = 2 * sums.objective - 2 * data.row_sums.dot(centred.rowwise().squaredNorm());
  sums.phi.weights *= 2;
  if (want_phi && !data.row_sums.isZero(0)) sums.dense = -2 * data.X.weighted_gram(data.row_sums, context);
  return sums;
}

// Features φ of the slopes: φᵢᵀφⱼ = f′(β_ij) up to a constant. `rows` writes those of the given samples.
struct Features {
  Index count;
  std::function<void(std::span<const Index> samples, RowMatrix& out)> rows;
};

Features monomial_features(const RowMatrix& projected, const Monomials& monomials) {
  return {monomials.count(), [&](std::span<const Index> samples, RowMatrix& out) {
            monomials.evaluate(projected(samples, Eigen::all), out);
          }};
}

Features factor_features(const RowMatrix& L) {
  return {L.cols(), [&](std::span<const Index> samples, RowMatrix& out) { out = L(samples, Eigen::all); }};
}

std::vector<Index> numbers(Range range) {
  std::vector<Index> all(std::size_t(range.size()));
  std::iota(all.begin(), all.end(), range.begin);
  return all;
}

// S_c = Σ over samples of class c of x φᵀ, side by side (d × C·m): the class of a sample picks its block.
Matrix class_sums(const DirectData& data, const Features& features, const RunContext& context) {
  const Index n = data.X.rows(), d = data.X.cols(), m = features.count;
  const int classes = data.gamma.class_count;
  std::vector<std::vector<Index>> members(static_cast<std::size_t>(classes));
  for (Index i = 0; i < n; ++i) members[std::size_t(data.gamma.classes[std::size_t(i)])].push_back(i);
  Matrix sums(d, classes * m);
  const Index splits = tile_count(d, kColumnsPerTask), width = tile_count(d, splits);
  for_each_tile(classes * splits, context, [&](Index t) {
    const Index c = t / splits;
    const Range columns = tile_range(d, width, t % splits);
    const std::span<const Index> rows = members[std::size_t(c)];
    RowMatrix x, phi, sum = RowMatrix::Zero(columns.size(), m), buffer;
    for (Index chunk = 0; chunk < tile_count(Index(rows.size()), kRowsPerChunk); ++chunk) {
      context.poll();
      const Range range = tile_range(Index(rows.size()), kRowsPerChunk, chunk);
      const auto samples = rows.subspan(std::size_t(range.begin), std::size_t(range.size()));
      x.resize(range.size(), columns.size());
      for (Index i = 0; i < range.size(); ++i) {
        const Index row = samples[std::size_t(i)];
        std::copy_n(data.X.rows_block({row, row + 1}, buffer) + columns.begin, columns.size(), &x(i, 0));
      }
      features.rows(samples, phi);
      row_gemm(columns.size(), m, range.size(), 1, {x.data(), columns.size()}, Transpose::yes, {phi.data(), m},
               Transpose::no, 1, {sum.data(), m});
    }
    sums.block(columns.begin, c * m, columns.size(), m) = sum;
  });
  return sums;
}

// Any factor: Σ x (q_r φ)ᵀ, d × r·m.
Matrix factor_sums(const DirectData& data, const Features& features, const RunContext& context) {
  const Index n = data.X.rows(), d = data.X.cols(), m = features.count, r = data.basis.cols();
  Matrix sums = Matrix::Zero(d, r * m);
  RowMatrix phi, weighted, buffer;
  for (Index t = 0; t < tile_count(n, kRowsPerChunk); ++t) {
    context.poll();
    const Range rows = tile_range(n, kRowsPerChunk, t);
    features.rows(numbers(rows), phi);
    weighted.resize(rows.size(), r * m);
    for (Index c = 0; c < r; ++c)
      weighted.middleCols(c * m, m) = data.basis.col(c).segment(rows.begin, rows.size()).asDiagonal() * phi;
    const Eigen::Map<const RowMatrix> x(data.X.rows_block(rows, buffer), rows.size(), d);
    sums += tall_transposed_product(x, weighted, context);
  }
  return sums;
}

// Xᵀ(Γ ∘ φφᵀ)X as a factor: M = Xᵀ[Q ⊙ φ], d × r·m, with Γ's weights.
SymFactor feature_factor(const DirectData& data, const Features& features, const RunContext& context) {
  const Index m = features.count, r = data.basis.cols();
  SymFactor factor;
  if (data.gamma.classes.empty()) {
    factor.basis = factor_sums(data, features, context);
  } else {  // M_c = S_c − (n_c/n)·ΣS: the number of classes drops out of the large product
    factor.basis = class_sums(data, features, context);
    Matrix total = Matrix::Zero(factor.basis.rows(), m);
    for (Index c = 0; c < r; ++c) total += factor.basis.middleCols(c * m, m);
    std::vector<double> share(static_cast<std::size_t>(r), 0.0);
    for (const int c : data.gamma.classes) share[std::size_t(c)] += 1.0 / double(data.X.rows());
    for (Index c = 0; c < r; ++c) factor.basis.middleCols(c * m, m) -= share[std::size_t(c)] * total;
  }
  factor.weights.resize(r * m);
  for (Index c = 0; c < r; ++c) factor.weights.segment(c * m, m).setConstant(data.gamma.factor.weights[c]);
  return factor;
}

// Qᵀφ, r × m: what F needs besides Φ.
Matrix feature_sums(const DirectData& data, const Features& features, const RunContext& context) {
  Matrix sums = Matrix::Zero(data.basis.cols(), features.count);
  RowMatrix phi;
  for (Index t = 0; t < tile_count(data.X.rows(), kRowsPerChunk); ++t) {
    context.poll();
    const Range rows = tile_range(data.X.rows(), kRowsPerChunk, t);
    features.rows(numbers(rows), phi);
    sums += tall_transposed_product(data.basis.middleRows(rows.begin, rows.size()), phi, context);
  }
  return sums;
}

// Ψ = Γ ∘ p·s·(s·β + c)^(p−1) factors exactly over monomials φ of degree p − 1: Φ = p·s·MMᵀ, M = Xᵀ[Q ⊙ φ]. Since
// s·β + c is linear in β, F = Tr(WᵀΦW)/p + c·‖Qᵀφ‖² needs no monomials of degree p.
DirectSums polynomial(const DirectData& data, BlockIn W, const Polynomial& kernel, bool want_phi,
                      const RunContext& context) {
  const Index q = W.cols();
  const Vector& weights = data.gamma.factor.weights;
  DirectSums sums;
  const Monomials monomials(q, want_phi ? kernel.degree - 1 : kernel.degree, kernel.offset, kernel.scale);
  const Features features = monomial_features(data.projected, monomials);
  if (!want_phi) {  // the objective alone, by monomials of degree p
    sums.objective = (feature_sums(data, features, context).cwiseAbs2().transpose() * weights).sum();
    return sums;
  }
  sums.phi = feature_factor(data, features, context);
  sums.phi.weights *= kernel.degree * kernel.scale;

  const Matrix inside = transposed_product(W, sums.phi.basis);  // q × r·m
  sums.objective = (inside.cwiseAbs2() * sums.phi.weights).sum() / kernel.degree;
  if (kernel.offset > 0)
    sums.objective += kernel.offset * (feature_sums(data, features, context).cwiseAbs2().transpose() * weights).sum();
  return sums;
}

}  // namespace

DirectSums direct_sums(const DirectData& data, BlockIn W, const KernelTerm& term, bool want_phi,
                       const RunContext& context) {
  DirectSums sums;
  if (std::holds_alternative<Linear>(*term.kernel))
    sums = linear(data, want_phi, context);
  else if (std::holds_alternative<Squared>(*term.kernel))
    sums = squared(data, want_phi, context);
  else
    sums = polynomial(data, W, std::get<Polynomial>(*term.kernel), want_phi, context);
  sums.objective *= term.weight;
  sums.phi.weights *= term.weight;
  sums.dense *= term.weight;
  return sums;
}

// Φ = 2Xᵀ(diag(Ψ1) − Ψ)X with −Ψ = Γ ∘ LLᵀ, and (Γ ∘ LLᵀ)1 = Σ_c w_c q_c ∘ (L(Lᵀq_c)).
DirectSums low_rank_phi(const DirectData& data, const RowMatrix& L, const Matrix& cross, const RunContext& context) {
  DirectSums sums;
  sums.phi = feature_factor(data, factor_features(L), context);
  sums.phi.weights *= 2;
  const Vector degrees =
      data.basis.cwiseProduct(tall_product(L, cross.transpose(), context)) * data.gamma.factor.weights;
  sums.dense = -2 * data.X.weighted_gram(degrees, context);
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
