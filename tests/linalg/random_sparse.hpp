// SPDX-License-Identifier: MIT
// Random sparse symmetric matrices for the tests of what multiplies them and takes their spectra.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <vector>

#include "linalg/matrices.hpp"
#include "linalg/sparse_sum.hpp"

namespace ritz::testing {

// About `per_row` entries a row off the diagonal, normal, both triangles stored.
inline SparseRows random_sparse(Index n, Index per_row, std::uint64_t seed) {
  Rng random(seed, "test.sparse");
  std::vector<Eigen::Triplet<double>> entries;
  for (Index e = 0; e < n * per_row / 2; ++e) {
    const auto i = int(random.below(n)), j = int(random.below(n));
    const double value = random.normal();
    if (i == j) continue;
    entries.emplace_back(i, j, value);
    entries.emplace_back(j, i, value);
  }
  for (int i = 0; i < n; ++i) entries.emplace_back(i, i, random.normal());
  SparseRows matrix(n, n);
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

inline SymFactor random_factor(Index n, Index columns, std::uint64_t seed) {
  Rng random(seed, "test.factor");
  const Matrix basis = random.normal_matrix(n, columns), weights = random.normal_matrix(columns, 1);
  return {basis, weights.col(0)};
}

// diag(blocks…): each block a copy of the same matrix, so that every eigenvalue is as often there as there are blocks.
inline SparseRows repeated(const SparseRows& block, Index times) {
  std::vector<Eigen::Triplet<double>> entries;
  for (Index t = 0; t < times; ++t)
    for (Index r = 0; r < block.rows(); ++r)
      for (SparseRows::InnerIterator it(block, r); it; ++it)
        entries.emplace_back(int(t * block.rows() + r), int(t * block.rows() + it.col()), it.value());
  SparseRows matrix(times * block.rows(), times * block.rows());
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

// Blocks of 31 random rows on the diagonal, whose eigenvalues Eigen's own solver gives, then turned in n/2 random
// planes, which connects them: a sparse matrix of any size with a spectrum that is known without a large dense solver.
struct KnownSpectrum {
  SparseRows matrix;
  Vector values;  // decreasing

  KnownSpectrum(Index blocks, std::uint64_t seed) {
    constexpr Index kBlock = 31;
    const Index n = blocks * kBlock;
    std::vector<Eigen::Triplet<double>> entries, turns;
    values.resize(n);
    for (Index b = 0; b < blocks; ++b) {
      const SparseRows block = random_sparse(kBlock, 5, seed * 1000 + std::uint64_t(b));
      const Eigen::SelfAdjointEigenSolver<Matrix> eigen(Matrix(block), Eigen::EigenvaluesOnly);
      values.segment(b * kBlock, kBlock) = eigen.eigenvalues();
      for (Index r = 0; r < kBlock; ++r)
        for (SparseRows::InnerIterator it(block, r); it; ++it)
          entries.emplace_back(int(b * kBlock + r), int(b * kBlock + it.col()), it.value());
    }
    std::sort(values.begin(), values.end(), std::greater<>());
    matrix.resize(n, n);
    matrix.setFromTriplets(entries.begin(), entries.end());
    Rng random(seed, "test.turns");
    std::vector<int> order(static_cast<std::size_t>(n));
    std::iota(order.begin(), order.end(), 0);
    for (Index i = n; i-- > 1;) std::swap(order[std::size_t(i)], order[std::size_t(random.below(i + 1))]);
    for (std::size_t e = 0; e + 1 < order.size(); e += 2) {
      const double angle = random.normal();
      turns.emplace_back(order[e], order[e], std::cos(angle));
      turns.emplace_back(order[e], order[e + 1], -std::sin(angle));
      turns.emplace_back(order[e + 1], order[e], std::sin(angle));
      turns.emplace_back(order[e + 1], order[e + 1], std::cos(angle));
    }
    if (n % 2 == 1) turns.emplace_back(order.back(), order.back(), 1.0);
    SparseRows turn(n, n);
    turn.setFromTriplets(turns.begin(), turns.end());
    const SparseRows transposed = turn.transpose();
    const SparseRows half = turn * matrix;
    matrix = half * transposed;
    const SparseRows other = matrix.transpose();
    matrix = 0.5 * (matrix + other);
    matrix.makeCompressed();
  }
};

}  // namespace ritz::testing
