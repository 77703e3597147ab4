// SPDX-License-Identifier: MIT
// What the files of ISM share.
#pragma once

#include "ritz/algorithms/ism.hpp"
#include "ritz/linalg/eigen.hpp"

namespace ritz::ism {

// Eigenvalues closer than this, relative to ‖Φ‖, are taken as tied: which of their vectors enter W is then our choice.
inline constexpr double kTie = 1e-10;
// Φ's spectrum may have hardly a gap at the cut, where iterating takes longer than LAPACK's direct way; above this size
// that way would hold up Ctrl-C.
inline constexpr Index kDirectSize = 1500;

std::unique_ptr<PairPass> make_pass(const Problem& problem, const PairAccuracy& accuracy, const RunContext& context);

// Throws bad_option naming the kernel when Φ holds a value that is not finite.
void require_finite(const PhiMatrix& phi, const KernelSum& kernel);
EigenSolver eigen_solver(const PhiMatrix& phi);
double residual(const PhiMatrix& phi, const Matrix& W, double norm);  // ‖(I − WWᵀ)ΦW‖_F / norm

// Top eigenvectors of Φ₀. Where Φ₀ has fewer than q positive eigenvalues (k classes give rank k − 1) LAPACK would
// return arbitrary null vectors; the leading principal axes outside the rest stand in for them.
Matrix spectral_start(const Problem& problem, PairPass& pass, Index q, const RunContext& context);

// The certificate of W, whose sums are at hand.
Certificate certify(const Problem& problem, PairPass& pass, const PairSums& sums, const Matrix& W, Effort curvature,
                    const RunContext& context);

}  // namespace ritz::ism
