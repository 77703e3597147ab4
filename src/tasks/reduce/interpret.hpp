// SPDX-License-Identifier: MIT
// Reading a projection: which features matter, how sure that is, and a basis of the same or nearly the same subspace
// with few loadings.
#pragma once

#include <string>
#include <vector>

#include "ritz/algorithms/ism.hpp"
#include "ritz/data/preprocess.hpp"
#include "ritz/linalg/rotations.hpp"

namespace ritz {

// What was fitted. Borrowed; dense data are scaled already (reduce() leaves them so), sparse data are scaled on the
// fly.
struct FittedProblem {
  const Dataset& data;  // the rows that were fitted
  const ColumnScaling& scaling;
  const Gamma& gamma;
  const KernelSum& kernel;  // resolved
  const ism::Result& fit;
};

// r_j = Σ_a λ_a W_ja² / Σ_a λ_a, λ the eigenvalues of Φ, negative ones counted as 0: the diagonal of the projector,
// each axis weighted by what it brings to the objective. Sums to 1; does not depend on signs, nor on the choice of axes
// for equal eigenvalues. Where no eigenvalue is positive, all axes count alike. It speaks of the scaled features.
Vector feature_relevance(BlockIn W, const Vector& eigenvalues);

struct BootstrapOptions {
  static constexpr std::string_view name = "bootstrap";
  Index bootstrap = 0;
  static constexpr auto fields() {
    return std::tuple{field("bootstrap", &BootstrapOptions::bootstrap, 0, 1'000'000,
                            "refit on this many resamples to see how sure the loadings are (0: none)")};
  }
};

struct BootstrapReport {
  Index asked = 0, finished = 0;
  // Loadings after the rotation that brings each resample's W nearest to the fitted one (signs and turns inside the
  // subspace are no instability), d × q; quantiles 5 % and 95 %, interpolated. Empty when none is finished.
  Matrix mean, low, high;
  Vector relevance_mean, relevance_low, relevance_high;  // d
  std::vector<double> angles;  // largest principal angle to the fitted subspace, degrees, one a resample
  std::vector<std::string> notes;
};

// Refits from the spectral start on resamples of the rows with replacement, within each class where Γ comes from
// labels; otherwise the rows of Γ's factor are drawn along and centred anew where they were. Scaling and kernel widths
// stay those of the fit. Resample b depends on the seed and b alone. Throws memory when the loadings of all resamples
// do not fit into context.max_memory. Ctrl-C or the time limit: what is finished so far, with a note.
BootstrapReport bootstrap(const FittedProblem& fitted, const ism::Options& how, const BootstrapOptions& options,
                          RunContext& context);

struct SparseOptions {
  static constexpr std::string_view name = "sparse";
  double max_loss = 0.01;
  static constexpr auto fields() {
    return std::tuple{
        field("max_loss", &SparseOptions::max_loss, 0.0, 1.0, "share of the objective that a sparse basis may cost")};
  }
};

// One threshold: loadings of the rotated basis below it in magnitude are set to 0, then the nearest orthonormal basis.
struct SparseStep {
  double threshold = 0;
  Index loadings = 0;  // not 0 after the threshold
  Index features = 0;  // with such a loading
  double objective = kUnknown;
  double loss = kUnknown;  // (F(W) − F(W_sparse)) / |F(W)|; negative where it gains
};
struct SparseReport {
  VarimaxRotation rotation;      // of W: the same subspace, so the same objective
  double objective = kUnknown;   // F(W)
  std::vector<SparseStep> path;  // from all loadings to few
  std::size_t chosen = 0;        // place on the path: the fewest loadings with loss <= max_loss; 0, all, where none
  Matrix loadings;               // of the chosen step, d × q: columns of length 1 with exact zeros, not orthogonal
  Matrix W;                      // their span's nearest orthonormal basis, which has the objective of the step
  double max_loss = 0;
  std::vector<std::string> notes;
};
// At most 40 thresholds, down to where the columns are no longer independent; one evaluation of F each. Ctrl-C or the
// time limit: the path so far, with a note.
SparseReport sparse_basis(const FittedProblem& fitted, const SparseOptions& options, RunContext& context);

struct Interpretation {
  std::vector<std::string> feature_names;
  Vector relevance;  // d
  Matrix W;          // as fitted
  BootstrapReport bootstrap;
  SparseReport sparse;  // path empty: not asked for
};
std::string interpretation_text(const Interpretation& reading);  // a few lines for a summary

}  // namespace ritz
