// SPDX-License-Identifier: MIT
// All eigenvalues on one side of zero, followed from matrix to matrix: what a projection onto the positive semidefinite
// cone needs, and its derivative.
#pragma once

#include <string>
#include <utility>

#include "linalg/sparse_sum.hpp"
#include "ritz/base/context.hpp"
#include "ritz/base/types.hpp"

namespace ritz {

enum class Side { positive, negative };

// Eigenpairs of A (positive side) or of −A (negative side), so that the wanted ones are positive either way. The first
// `count` pairs are the wanted ones; those behind them are the nearest on the other side of zero, as many as the
// computation had anyway.
struct SpectrumSide {
  Side side = Side::positive;
  Vector values;      // decreasing
  RowMatrix vectors;  // n × values.size(), orthonormal columns
  Index count = 0;    // of values > 0; rounding, 1e-13 of the largest, is not
  // ‖(I − VVᵀ)AV₊‖_F, V₊ the first `count`: zero to rounding for the dense method. With it, and no positive value
  // of A on the complement of V₊, tr A₊² <= Σλ₊² + 2·defect² (docs/algorithms/kernel.md).
  double defect = 0;
  bool exact = false;              // nothing was left out: the dense method, or a fixed subspace
  double outside_mean = kUnknown;  // mean eigenvalue of what is not in the block; NaN when everything is
  Index products = 0;              // columns multiplied
  std::string method;              // "dense", "block" or "fixed subspace"
};
inline void keep(Archive& archive, SpectrumSide& spectrum) {
  auto& [side, values, vectors, count, defect, exact, outside_mean, products, method] = spectrum;
  archive(side, values, vectors, count, defect, exact, outside_mean, products, method);
}

// Keep one for a sequence of similar matrices: it carries its block from one to the next.
//   dense   LAPACK, all pairs: n <= 600, or where more than a quarter of the spectrum is wanted;
//   block   Chebyshev-filtered subspace iteration, from the last block. It widens until at most 85 % of its Ritz values
//           are positive.
class SideSolver {
 public:
  explicit SideSolver(Side side = Side::positive) : side_(side) {}
  // The block stops when defect <= accuracy and the first value that is not positive cannot exceed `accuracy` either;
  // both to rounding.
  SpectrumSide operator()(const SparseSum& A, double accuracy, const RunContext& context);
  Side side() const { return side_; }
  void keep(Archive& archive) { archive(side_, basis_, fresh_, prefer_dense_); }  // what it carries
  void turn_to(Side side);                                                        // forgets the block
  void stay_in(RowMatrix basis) { fixed_ = std::move(basis); }                    // WᵀAW instead of A, W orthonormal
  void widen(const RunContext& context);  // new random directions in the block: where largest_outside found something
  // The largest value (of ±A) that a Lanczos run of its own finds on the complement of the `count` wanted vectors.
  // Above zero it proves that part of the side is missing; <= 0 says that 60 steps from a random start found nothing:
  // what they miss is small against the spectrum's width. −∞ where the spectrum is exact.
  double largest_outside(const SparseSum& A, const SpectrumSide& found, const RunContext& context) const;

 private:
  SpectrumSide dense(const SparseSum& A) const;
  SpectrumSide block(const SparseSum& A, double accuracy, const RunContext& context);
  Side side_;
  RowMatrix fixed_;            // W, where asked for
  RowMatrix basis_;            // of the last call
  bool fresh_ = true;          // the basis holds random directions
  bool prefer_dense_ = false;  // the side turned out to be wide
};

// How many eigenvalues lie on each side of zero, roughly: by stochastic Lanczos quadrature for large n, exactly for
// small n.
struct SideCounts {
  double positive, negative;
};
SideCounts side_counts(const SparseSum& A, const RunContext& context);

}  // namespace ritz
