// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "linalg/eigen/engine.hpp"
#include "ritz/base/error.hpp"
#include "ritz/base/parallel.hpp"
#include "ritz/base/random.hpp"
#include "ritz/linalg/products.hpp"

namespace ritz {

namespace {

constexpr Index kFirstRitz = 20, kRitzPart = 4;  // steps before the first Ritz pair, and a part of them to the next
constexpr double kCancelled = 0.7;               // what is left of a vector, below which it is made orthogonal twice
constexpr double kInvariant = 1e-13;

}  // namespace

LargestPair largest_pair(const OperatorView& op, double allowed, Index most, const Vector& near,
                         const RunContext& context) {
  const Index n = op.size();
  if (n < 1) throw Error(ErrorCode::bad_shape, "an operator of size 0 has no eigenvalues");
  const SingleThreadedBlas hold;
  detail::Product multiply(op, context);
  most = std::clamp<Index>(most, 1, n);
  Matrix basis(n, most);
  Vector diagonal(most), beside(most);
  Vector next = Rng(context.seed, "largest_pair").normal_matrix(n, 1);
  next.normalize();
  if (near.size() == n && near.norm() > 0) next += near.normalized();
  next.normalize();
  LargestPair found;
  Index look = kFirstRitz;
  for (Index k = 0; k < most; ++k) {
    basis.col(k) = next;
    multiply(basis.col(k), next);
    diagonal(k) = basis.col(k).dot(next);
    const double before = next.norm();
    const auto orthogonalise = [&] {
      subtract_product(basis.leftCols(k + 1), transposed_product(basis.leftCols(k + 1), next), next);
    };
    orthogonalise();
    if (next.norm() < kCancelled * before) orthogonalise();
    beside(k) = next.norm();
    const bool closed = !(beside(k) > kInvariant * before);
    if (k + 1 < std::min(look, most) && !closed) {
      next /= beside(k);
      continue;
    }
    look = k + 1 + std::max(kFirstRitz / 2, (k + 1) / kRitzPart);
    Matrix T = Matrix::Zero(k + 1, k + 1);
    T.diagonal() = diagonal.head(k + 1);
    T.diagonal(1) = T.diagonal(-1) = beside.head(k);
    const auto [values, vectors] = symmetric_eigen(std::move(T));
    // A small residual is that of some eigenvalue; the largest one is found when the value does not rise any more.
    const bool settled = values(0) - found.value <= allowed && k >= kFirstRitz;
    found.value = values(0);
    found.residual = closed ? 0.0 : beside(k) * std::abs(vectors(k, 0));
    if (closed || (found.residual <= allowed && settled) || k + 1 == most) {
      found.vector = basis.leftCols(k + 1) * vectors.col(0);
      break;
    }
    next /= beside(k);
  }
  found.products = multiply.columns();
  return found;
}

}  // namespace ritz
