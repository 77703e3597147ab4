// SPDX-License-Identifier: MIT
#include "ritz/model/alignment.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>

#include "linalg/dense/dense.hpp"
#include "ritz/base/error.hpp"
#include "ritz/base/parallel.hpp"
#include "ritz/linalg/tall_products.hpp"

namespace ritz {

namespace {

constexpr Index kTile = 256;
// Relative to its own square, what is left of a kernel beside the others; below it is rounding.
constexpr double kDependent = 1e-12;

// The values of all kernels on a tile of pairs, less a constant of each kernel: H removes it, and what is left has more
// digits (a wide Gaussian is nearly 1 everywhere).
class KernelTiles {
 public:
  KernelTiles(const KernelSum& kernel, const Samples& X, const RunContext& context)
      : kernel_(kernel),
        X_(X),
        mean_(X.adjoint(RowMatrix::Constant(X.rows(), 1, 1 / double(X.rows())), context).transpose()),
        shift_(Vector::Zero(Index(kernel.size()))) {
    const std::vector<RowMatrix> first = values({0, std::min(X.rows(), kTile)}, {0, std::min(X.rows(), kTile)});
    for (std::size_t k = 0; k < kernel.size(); ++k) shift_[Index(k)] = first[k].mean();
  }

  std::vector<RowMatrix> values(Range I, Range J) const {
    const RowMatrix left = centred(I), right = centred(J);
    RowMatrix dots(I.size(), J.size());
    row_gemm(I.size(), J.size(), X_.cols(), 1, {left.data(), X_.cols()}, Transpose::no, {right.data(), X_.cols()},
             Transpose::yes, 0, {dots.data(), J.size()});
    const Vector own = left.rowwise().squaredNorm(), other = right.rowwise().squaredNorm();
    // xᵢᵀxⱼ from centred rows c: cᵢᵀcⱼ + mᵀcᵢ + mᵀcⱼ + mᵀm.
    const Vector own_mean = left * mean_.transpose(), other_mean = right * mean_.transpose();
    const double square = mean_.squaredNorm();
    std::vector<RowMatrix> tiles;
    RowMatrix beta(I.size(), J.size());
    for (const KernelTerm& term : kernel_) {
      const bool dot = form_of(term.kernel) == PairForm::dot;
      for (Index i = 0; i < I.size(); ++i)
        for (Index j = 0; j < J.size(); ++j)
          beta(i, j) = dot ? dots(i, j) + own_mean[i] + other_mean[j] + square
                           : std::max(own[i] + other[j] - 2 * dots(i, j), 0.0);
      if (term.sample_scale) {
        const Eigen::Map<const Vector> s(term.sample_scale->data(), Index(term.sample_scale->size()));
        beta = s.segment(I.begin, I.size()).asDiagonal() * beta * s.segment(J.begin, J.size()).asDiagonal();
      }
      const double shift = shift_[Index(tiles.size())];
      std::visit(
          [&](const auto& kernel) {
            for (Index e = 0; e < beta.size(); ++e) beta.data()[e] = kernel.value(beta.data()[e]) - shift;
          },
          term.kernel);
      tiles.push_back(beta);
    }
    return tiles;
  }

 private:
  const KernelSum& kernel_;
  const Samples& X_;
  Eigen::RowVectorXd mean_;
  Vector shift_;

  RowMatrix centred(Range rows) const {
    RowMatrix buffer;
    const Eigen::Map<const RowMatrix> block(X_.rows_block(rows, buffer), rows.size(), X_.cols());
    return block.rowwise() - mean_;
  }
};

}  // namespace

// ⟨HKH, HLH⟩ = ΣK_ijL_ij − (2/n)(K1)ᵀ(L1) + (1ᵀK1)(1ᵀL1)/n², and ⟨HKH, Γ⟩ = ⟨K, HΓH⟩.
AlignmentSums alignment_sums(const KernelSum& kernel, const Samples& X, const Gamma& gamma, const RunContext& context) {
  const Index n = X.rows(), T = Index(kernel.size()), panels = tile_count(n, kTile);
  const RowMatrix basis = gamma.factor.basis.rowwise() - gamma.factor.basis.colwise().mean();
  const RowMatrix weighted = basis * gamma.factor.weights.asDiagonal();
  const KernelTiles kernels(kernel, X, context);
  RowMatrix row_sums = RowMatrix::Zero(n, T);
  std::vector<Matrix> partial(std::size_t(panels), Matrix::Zero(T, T + 1));  // by row panel: M, then a
  for_each_pair(panels, context, [&](Index p, Index q) {
    const Range I = tile_range(n, kTile, p), J = tile_range(n, kTile, q);
    const double times = p == q ? 1 : 2;
    const std::vector<RowMatrix> K = kernels.values(I, J);
    RowMatrix target(I.size(), J.size());
    row_gemm(I.size(), J.size(), basis.cols(), 1, {weighted.data() + I.begin * basis.cols(), basis.cols()},
             Transpose::no, {basis.data() + J.begin * basis.cols(), basis.cols()}, Transpose::yes, 0,
             {target.data(), J.size()});
    Matrix& sum = partial[std::size_t(p)];
    for (Index k = 0; k < T; ++k) {
      const RowMatrix& own = K[std::size_t(k)];
      for (Index l = 0; l <= k; ++l) sum(k, l) += times * own.cwiseProduct(K[std::size_t(l)]).sum();
      sum(k, T) += times * own.cwiseProduct(target).sum();
      row_sums.col(k).segment(I.begin, I.size()) += own.rowwise().sum();
      if (p != q) row_sums.col(k).segment(J.begin, J.size()) += own.colwise().sum().transpose();
    }
  });
  Matrix total = Matrix::Zero(T, T + 1);
  for (const Matrix& part : partial) total += part;
  const Vector sums = row_sums.colwise().sum().transpose();
  AlignmentSums result;
  const Matrix lower = total.leftCols(T) - (2.0 / double(n)) * (row_sums.transpose() * row_sums) +
                       sums * sums.transpose() / (double(n) * double(n));
  result.gram = lower.selfadjointView<Eigen::Lower>();
  result.target = total.col(T);
  const Matrix inside = basis.transpose() * weighted;
  result.target_norm = std::sqrt(std::max(0.0, inside.cwiseProduct(inside.transpose()).sum()));
  return result;
}

// Lawson and Hanson's active set on M scaled to ones on its diagonal: kernels differ by many orders of magnitude.
Vector nonnegative_minimiser(const Matrix& M, const Vector& a) {
  const Index T = a.size();
  Vector scale(T);
  for (Index k = 0; k < T; ++k) scale[k] = M(k, k) > 0 ? 1 / std::sqrt(M(k, k)) : 0;
  const Matrix scaled = scale.asDiagonal() * M * scale.asDiagonal();
  const Vector target = scale.cwiseProduct(a);
  const double zero = kDependent * target.cwiseAbs().maxCoeff();
  std::vector<Index> used;
  std::vector<bool> banned(std::size_t(T), false);  // dependent on those in use
  Vector v = Vector::Zero(T);
  const auto solve = [&](const std::vector<Index>& terms) {
    return Vector(semidefinite_solve(scaled(terms, terms), target(terms)));
  };
  // What is left of a term beside those in use; its square, and 1 before they are taken away.
  const auto remainder = [&](Index k) {
    if (used.empty()) return scaled(k, k);
    const Vector cross = scaled(used, k);
    return scaled(k, k) - cross.dot(Vector(semidefinite_solve(scaled(used, used), cross)));
  };

  // Every round lowers the objective, so that no set of terms comes back; the bound is for rounding.
  for (Index round = 0; round < 64 * (T + 1); ++round) {
    const Vector rise = target - scaled * v;
    Index best = -1;
    for (Index k = 0; k < T; ++k) {
      const bool open = std::ranges::find(used, k) == used.end() && !banned[std::size_t(k)];
      if (open && rise[k] > zero && (best < 0 || rise[k] > rise[best])) best = k;
    }
    if (best < 0) break;
    if (!(remainder(best) > kDependent)) {
      banned[std::size_t(best)] = true;
      continue;
    }
    used.push_back(best);
    std::ranges::sort(used);
    for (;;) {
      const Vector wanted = solve(used);
      double step = 1;  // towards `wanted`, as far as no weight falls below 0
      Index leaving = -1;
      for (Index i = 0; i < wanted.size(); ++i) {
        const double now = v[used[std::size_t(i)]];
        if (wanted[i] > 0) continue;
        const double possible = now > 0 ? now / (now - wanted[i]) : 0;
        if (leaving < 0 || possible < step) {
          step = possible;
          leaving = i;
        }
      }
      for (Index i = 0; i < wanted.size(); ++i) v[used[std::size_t(i)]] += step * (wanted[i] - v[used[std::size_t(i)]]);
      if (leaving < 0) break;
      v[used[std::size_t(leaving)]] = 0;
      used.erase(used.begin() + leaving);
      banned.assign(std::size_t(T), false);
      if (used.empty()) break;
    }
  }
  return scale.cwiseProduct(v);
}

AlignedKernel align_weights(KernelSum kernel, const Samples& X, const Gamma& gamma, const RunContext& context) {
  for (KernelTerm& term : kernel) term.open_weight = false;
  assert(is_resolved(kernel, X.rows()));
  const AlignmentSums sums = alignment_sums(kernel, X, gamma, context);
  if (!sums.gram.allFinite() || !sums.target.allFinite())
    throw Error(ErrorCode::bad_option, fmt::format("kernel {} overflows on this data; change its parameters or scale "
                                                   "the data",
                                                   kernel_text(kernel)));
  AlignedKernel aligned;
  aligned.weights = nonnegative_minimiser(sums.gram, sums.target);
  const double norm = aligned.weights.norm();
  if (!(norm > 0))
    throw Error(ErrorCode::bad_data,
                fmt::format("no kernel of {} is aligned with the target: the weights 'auto' cannot be chosen; give "
                            "numbers instead",
                            kernel_text(kernel)));
  aligned.weights /= norm;
  aligned.alignment = sums.target.dot(aligned.weights) /
                      (std::sqrt(aligned.weights.dot(sums.gram * aligned.weights)) * sums.target_norm);
  for (std::size_t k = 0; k < kernel.size(); ++k) {
    const double weight = aligned.weights[Index(k)];
    kernel[k].weight = weight;
    if (weight > 0)
      aligned.kernel.push_back(kernel[k]);
    else {
      KernelTerm alone = kernel[k];
      alone.weight = 1;
      aligned.notes.push_back(
          fmt::format("{} has weight 0 by centred alignment and is left out", kernel_text({alone})));
    }
  }
  aligned.text =
      fmt::format("centred alignment {:.4f} with the target: {}", aligned.alignment, kernel_text(aligned.kernel));
  return aligned;
}

double alignment_bytes(const KernelSum& kernel, Index n, Index d, int threads) {
  const double T = double(kernel.size());
  const double tiles = double(kTile) * (2 * double(d) + (T + 3) * double(kTile));
  return 8 * (double(n) * T + double(threads) * tiles + double(tile_count(n, kTile)) * T * (T + 1));
}

}  // namespace ritz
