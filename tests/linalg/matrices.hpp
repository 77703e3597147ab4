// SPDX-License-Identifier: MIT
// Matrices with a known spectrum.
#pragma once

#include "linalg/subspace.hpp"
#include "ritz/base/random.hpp"
#include "ritz/linalg/operator.hpp"

namespace ritz::testing {

inline Matrix random_symmetric(Index n, std::uint64_t seed = 1) {
  const Matrix m = Rng(seed, "test.symmetric").normal_matrix(n, n);
  return 0.5 * (m + m.transpose());
}

inline Matrix random_orthonormal(Index n, Index k, std::uint64_t seed = 1) {
  return orthonormalise(Rng(seed, "test.orthonormal").normal_matrix(n, k)).basis;
}

// Q diag(values) Qᵀ with a random orthogonal Q.
inline Matrix with_spectrum(const Vector& values, std::uint64_t seed = 1) {
  const Matrix q = random_orthonormal(values.size(), values.size(), seed);
  const Matrix m = q * values.asDiagonal() * q.transpose();
  return 0.5 * (m + m.transpose());
}

struct ScaledIdentity {
  Index n;
  double scale;
  Index size() const { return n; }
  void apply(BlockIn in, BlockOut out) const { out = scale * in; }
};

// Laplacian of `parts` separate paths of `length` nodes: the value 0 has multiplicity `parts`, and so has every other.
inline Sparse path_laplacian(Index parts, Index length) {
  std::vector<Eigen::Triplet<double>> entries;
  for (Index part = 0; part < parts; ++part)
    for (Index i = 0; i + 1 < length; ++i) {
      const Index a = part * length + i, b = a + 1;
      for (const Index node : {a, b}) entries.emplace_back(int(node), int(node), 1.0);
      entries.emplace_back(int(a), int(b), -1.0);
      entries.emplace_back(int(b), int(a), -1.0);
    }
  Sparse laplacian(parts * length, parts * length);
  laplacian.setFromTriplets(entries.begin(), entries.end());
  return laplacian;
}

// The same matrix, known by its products only.
inline MatrixFreeOperator hidden(Matrix a) {
  return {a.rows(), [a](BlockIn in, BlockOut out) { out.noalias() = a * in; }};
}

}  // namespace ritz::testing
