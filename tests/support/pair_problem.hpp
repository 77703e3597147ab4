// SPDX-License-Identifier: MIT
// Random problems for the pair engine, and the sums written as the double loops that define them.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "linalg/subspace.hpp"
#include "model/kernel_list.hpp"
#include "ritz/base/random.hpp"
#include "ritz/pairs/backend.hpp"

namespace ritz::testing {

struct PairProblem {
  RowMatrix X;
  Gamma gamma;
  Matrix W;
  KernelSum kernel;
};

inline Labels random_labels(Index n, int classes, Rng& rng) {
  std::vector<std::string> texts;
  for (Index i = 0; i < n; ++i) texts.push_back(std::to_string(i < classes ? i : rng.below(classes)));
  return make_labels(texts);
}

inline void fill_scales(KernelSum& kernel, Index n, Rng& rng) {
  for (KernelTerm& term : kernel) {
    if (!is_per_sample(term.kernel)) continue;
    std::vector<double> scale;
    for (Index i = 0; i < n; ++i) scale.push_back(rng.uniform(0.2, 0.8));
    term.sample_scale = std::make_shared<const std::vector<double>>(scale);
  }
}

// `labelled` picks Γ = HYYᵀH; otherwise a random indefinite factor that is not centred.
inline PairProblem random_problem(Index n, Index d, Index q, std::string_view kernel, bool labelled,
                                  std::uint64_t seed) {
  Rng rng(seed, "problem");
  PairProblem problem;
  problem.X = rng.normal_matrix(n, d) / std::sqrt(double(d));
  problem.X.rowwise() += rng.normal_matrix(1, d).row(0);  // data need not be centred
  problem.kernel = parse_kernel(kernel);
  fill_scales(problem.kernel, n, rng);
  if (labelled && n >= 2) {
    problem.gamma = supervised_gamma(random_labels(n, int(std::min<Index>(n, 3)), rng));
  } else {
    SymFactor factor{rng.normal_matrix(n, 3), Vector(3)};
    factor.weights << 1.0, -0.7, 0.4;
    problem.gamma = factored_gamma(factor);
  }
  problem.W = orthonormalise(rng.normal_matrix(d, q)).basis;
  return problem;
}

struct NaiveSums {
  Matrix phi;
  double objective = 0;
  double size = 0;  // Σ |Γ_ij K_ij|: what rounding errors are relative to
  double phi_size = 0;
};

// Σ_ij Γ_ij K_ij, and Φ = Σ_ij Γ_ij f′_ij A_ij with A_ij = ½(xᵢxⱼᵀ + xⱼxᵢᵀ) or (xᵢ − xⱼ)(xᵢ − xⱼ)ᵀ.
inline NaiveSums naive_sums(const PairProblem& problem) {
  const Index n = problem.X.rows(), d = problem.X.cols();
  const Matrix Z = problem.X * problem.W, gamma = problem.gamma.factor.dense();
  NaiveSums sums;
  sums.phi = Matrix::Zero(d, d);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j)
      for (const KernelTerm& term : problem.kernel) {
        const bool dot = form_of(term.kernel) == PairForm::dot;
        const double scale =
            term.sample_scale ? (*term.sample_scale)[std::size_t(i)] * (*term.sample_scale)[std::size_t(j)] : 1;
        const double beta = dot ? Z.row(i).dot(Z.row(j)) : (Z.row(i) - Z.row(j)).squaredNorm();
        const double value = std::visit([&](const auto& k) { return k.value(beta * scale); }, *term.kernel);
        const double slope = std::visit([&](const auto& k) { return scale * k.slope(beta * scale); }, *term.kernel);
        sums.objective += term.weight * gamma(i, j) * value;
        sums.size += std::abs(term.weight * gamma(i, j) * value);
        const Vector a = problem.X.row(i), b = problem.X.row(j);
        const Matrix outer =
            dot ? Matrix(0.5 * (a * b.transpose() + b * a.transpose())) : Matrix((a - b) * (a - b).transpose());
        sums.phi += term.weight * gamma(i, j) * slope * outer;
        // Tiles sum diag(Ψ1) − Ψ: their rounding is relative to the separate products, not to (a − b)(a − b)ᵀ.
        sums.phi_size += std::abs(term.weight * gamma(i, j) * slope) * (a.squaredNorm() + b.squaredNorm());
      }
  return sums;
}

}  // namespace ritz::testing
