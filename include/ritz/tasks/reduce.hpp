// SPDX-License-Identifier: MIT
// Interpretable projections: the few directions of the data that tell classes apart, explain numbers, or show clusters.
// The task `reduce`.
//
//   const auto found = reduce::fit(data, {}, {.dim = {2}, .kernel = "auto"}, context);
//   found.fit.W, found.embedding, found.choice->reason
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ritz/linalg/rotations.hpp"
#include "ritz/tasks/projection.hpp"
#include "ritz/tasks/reduce_options.hpp"

namespace ritz::reduce {

// --- how well it generalises ----------------------------------------------------------------------------------------

struct HoldoutReport {
  Index train = 0, test = 0, neighbours = 0;
  double accuracy_before = kUnknown;  // k-NN on all (scaled) features
  double accuracy_after = kUnknown;   // k-NN in the reduced space
};

// One number a finished fold; NaN where it was not computed.
struct FoldMeasure {
  std::vector<double> values;
  double mean() const;       // over the finite values; NaN without any
  double deviation() const;  // population deviation (divided by the number of folds, as numpy.std)
};

struct FoldReport {
  int count = 0, finished = 0;  // fewer finished: interrupted, or out of time
  Index neighbours = 0;         // k of k-NN
  bool scaled_once = false;
  std::vector<Index> test_sizes;  // of all folds
  FoldMeasure objective;          // F on the training part
  FoldMeasure zero_diagonal;      // Σ_{i≠j} Γ_ij K_ij, as the papers print it; kernels of differences only
  FoldMeasure dimension, iterations, seconds;
  FoldMeasure knn, svm;                            // share of the test part classified right in the reduced space
  FoldMeasure knn_all_features, svm_all_features;  // with all scaled features: no reduction
  std::vector<std::string> notes;
};

// Fold of every sample, numbers 0 … count − 1. Each class is dealt out in random order, so that folds have the same
// shares of it and sizes that differ by one at most. Throws bad_option when count is not in [2, n].
std::vector<int> stratified_folds(const Labels& labels, Index count, std::uint64_t seed);
// From a file with one whole number a sample; the numbers are renamed 0, 1, … in increasing order. Throws bad_file for
// what is no number, bad_shape when there are not n of them, bad_data when all are the same.
std::vector<int> read_folds(const std::string& path, Index n, const RunContext& context);
// Fitted on all folds but one, judged on that one, for each in turn. Scaling, kernel widths, dimension and fit come
// from the training part alone, unless options ask to scale once. Throws bad_data when a class has no sample outside
// one fold. Ctrl-C or the time limit: the folds finished so far, none of them perhaps, with a note.
FoldReport evaluate_folds(const Dataset& data, const std::vector<int>& fold_of, const ReduceOptions& options,
                          RunContext& context);

// --- how the kernel was chosen --------------------------------------------------------------------------------------

struct Score {
  double value = kUnknown;           // the larger the better; NaN: it could not be fitted
  double standard_error = kUnknown;  // NaN: not known
};
struct Tried {
  std::string kernel;
  int complexity = 0;  // of two that are as good, the one with the smaller number is taken
  Score score{};
  double seconds = 0;
};
struct Choice {
  std::string kernel;
  std::vector<Tried> tried;  // in the order tried
  std::string score;         // what they were judged by: "5-NN right over 5 folds"
  std::string reason;        // one sentence
  std::vector<std::string> notes;
};

// --- how to read it -------------------------------------------------------------------------------------------------

struct BootstrapReport {
  Index asked = 0, finished = 0;
  // Loadings after the rotation that brings each resample's W nearest to the fitted one (signs and turns inside the
  // subspace are no instability), d × q; quantiles 5 % and 95 %, interpolated. Empty when none is finished.
  Matrix mean, low, high;
  Vector relevance_mean, relevance_low, relevance_high;  // d
  std::vector<double> angles;  // largest principal angle to the fitted subspace, degrees, one a resample
  std::vector<std::string> notes;
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

struct Interpretation {
  Vector relevance;  // d; see feature_relevance
  BootstrapReport bootstrap;
  SparseReport sparse;  // path empty: not asked for
};

// r_j = Σ_a λ_a W_ja² / Σ_a λ_a, λ the eigenvalues of Φ, negative ones counted as 0: the diagonal of the projector,
// each axis weighted by what it brings to the objective. Sums to 1; does not depend on signs, nor on the choice of axes
// for equal eigenvalues. Where no eigenvalue is positive, all axes count alike. It speaks of the scaled features.
Vector feature_relevance(BlockIn W, const Vector& eigenvalues);

// --- the task -------------------------------------------------------------------------------------------------------

struct ReduceResult : Projection {
  Mode mode = Mode::supervised;  // never automatic
  Labels classes;                // of all rows: labels, or the truth
  HoldoutReport holdout;
  std::optional<Choice> choice;     // with kernel or sigma auto
  std::optional<FoldReport> folds;  // where asked for
  Interpretation reading;
};

// Chooses the kernel and the dimension where asked, fits, embeds all rows, evaluates and interprets. Throws Error for
// what the caller can put right; memory is checked against context.max_memory before the work begins. Interrupted
// leaves the best fit so far, or comes through when there is none.
ReduceResult fit(const Dataset& data, const Guidance& guidance, const ReduceOptions& options, RunContext& context);

// For transform, predict and check.
ModelFile to_model(const ReduceResult& found, const ReduceOptions& options);
using projection::check;
using projection::predict;
using projection::transform;

// Bytes: about what a fit holds at a time.
double forecast(const Dataset& data, const Guidance& guidance, const ReduceOptions& options, const RunContext& context);

// --- several solvers on one problem, under one time budget ----------------------------------------------------------

struct SolverRun {
  Solver solver;
  ism::Result result;
  double seconds = kUnknown;  // of the whole run, its certificate included
};
struct Comparison {
  Index dimension = 0;
  KernelSum kernel;
  std::vector<SolverRun> runs;
};
// Each solver gets `budget` seconds and the same start; one that uses them up keeps its best W. Interrupted by the
// user: the runs finished so far. Throws bad_option in the clustering modes.
Comparison compare_solvers(const Dataset& data, const Guidance& guidance, const ReduceOptions& options,
                           const std::vector<Solver>& solvers, double budget, RunContext& context);

}  // namespace ritz::reduce
