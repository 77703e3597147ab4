// SPDX-License-Identifier: MIT
// From a data set and what guides it to a problem (scaled samples, kernel, the weights Γ of the pairs), and to a fit.
#pragma once

#include "ritz/tasks/reduce.hpp"
#include "tasks/projection/prepare.hpp"

namespace ritz::reduce {

inline bool finds_clusters(Mode mode) { return mode == Mode::unsupervised || mode == Mode::semi; }

// The mode that the options and what is given say. Throws bad_option where they contradict each other or say too
// little.
Mode mode_of(const Dataset& data, const Guidance& guidance, const ReduceOptions& options);
// Throws bad_data where all labels are the same. `source`: where they come from.
void require_classes(const Labels& labels, const std::string& source);

// With sigma put in; not resolved. Throws bad_option where a text cannot be read.
KernelSum asked_kernel(const ReduceOptions& options);

struct Problem : projection::Prepared {
  Gamma gamma{};  // empty in the clustering modes
};
// options.mode is settled. Throws Error for what the caller can put right: constant targets, all points equal, tables
// whose rows do not match. Data that are given for good are scaled in place.
Problem prepare(const Dataset& data, const Guidance& guidance, const ReduceOptions& options, const RunContext& context);
Problem prepare(Dataset&& data, const Guidance& guidance, const ReduceOptions& options, const RunContext& context);

// The largest dimension that `auto` considers: what Γ can tell apart, at most kMostDimensions.
inline constexpr Index kMostDimensions = 20;
Index most_dimensions(const Gamma& gamma, Index columns);

// What the pairs of a fit will be like; options.mode is settled. The dimension is the largest that may be chosen.
PairSizes likely_sizes(const Dataset& data, const Guidance& guidance, const ReduceOptions& options);
// Bytes that samples of n rows and a fit to them hold at a time; `data_bytes` of the samples as given.
double fit_bytes(double data_bytes, const PairSizes& sizes, const KernelSum& kernel, const ReduceOptions& options,
                 const RunContext& context);

// --- the parts of a fit: options.mode is settled, and the kernel is not left to be chosen ----------------------------

struct Fitted {
  ReduceResult result;
  projection::Prepared prepared;  // the rows that were fitted
};

// One fit, without folds and interpretation. Memory is checked first.
Fitted fit_once(const Dataset& data, const Guidance& guidance, const ReduceOptions& options, RunContext& context);
// A fit to a part of labelled samples, which are given for good: nothing is held out.
Fitted fit_part(Dataset&& data, const ReduceOptions& options, RunContext& context);

// Folds as asked for, made or read; empty: none.
std::vector<int> asked_folds(const Dataset& data, const ReduceOptions& options, const RunContext& context);

// Clusters and subspace together, for the modes without labels.
void fit_clusters(ReduceResult& found, const projection::Prepared& ready, const Guidance& guidance,
                  const ReduceOptions& options, RunContext& context);

// Rows of each class in random order, a share of them for the test; at least one of each class trains.
struct Split {
  std::vector<Index> train, test;
};
Split stratified_split(const Labels& labels, double share, std::uint64_t seed);
// k-NN from the fitted rows to those held out, in the reduced space and with all features.
void evaluate_holdout(ReduceResult& found, const Samples& train, const Labels& train_labels, Dataset test,
                      Index neighbours, const RunContext& context);

// --- reading a projection: which features matter, how sure that is, and a basis with few loadings --------------------

struct FittedProblem {  // borrowed
  const projection::ScaledSamples& X;
  const Gamma& gamma;
  const KernelSum& kernel;  // resolved
  const ism::Result& fit;
};

// Refits from the spectral start on resamples of the rows with replacement, within each class where Γ comes from
// labels; otherwise the rows of Γ's factor are drawn along and centred anew where they were. Scaling and kernel widths
// stay those of the fit. Resample b depends on the seed and b alone. Throws memory when the loadings of all resamples
// do not fit into context.max_memory. Ctrl-C or the time limit: what is finished so far, with a note.
BootstrapReport bootstrap(const FittedProblem& fitted, const ism::Options& how, const BootstrapOptions& options,
                          RunContext& context);

// At most 40 thresholds, down to where the columns are no longer independent; one evaluation of F each. Ctrl-C or the
// time limit: the path so far, with a note.
SparseReport sparse_basis(const FittedProblem& fitted, const SparseOptions& options, RunContext& context);

// --- kernels and widths chosen by the program: candidates are fitted, scored, and the choice is explained
// -------------

// Judges a kernel, given as text. Any other criterion (an error of regression, negated) is another such function.
using Scorer = std::function<Score(const std::string& kernel, RunContext& context)>;
// They borrow the data, which must have labels.
Scorer alignment_scorer(const Dataset& data, const ReduceOptions& options);
Scorer accuracy_scorer(const Dataset& data, const ReduceOptions& options, Index folds, std::uint64_t seed);
Scorer make_scorer(const Dataset& data, const ReduceOptions& options, std::uint64_t seed);

struct ScoreText {   // how a score is said
  std::string name;  // "5-NN right", "alignment"
  bool percent = false;
};
ScoreText score_text(const ReduceOptions& options);

// The widths of all Gaussian terms set to `sigma`; throws bad_option when there is none.
std::string with_sigma(const std::string& kernel, const Bandwidth& sigma);

// Multiples of the median from 0.05 to 4 in equal ratios, then twice between the best and its neighbours. The best
// score wins; within one standard error of it the wider kernel, which is the smoother.
Choice choose_sigma(const std::string& kernel, const Scorer& score, const ScoreText& say, RunContext& context);
// Linear, polynomials of degree 2 and 3, Gaussians of several widths, multiquadric, Gaussian + polynomial. Within one
// standard error of the best the simpler kernel wins.
Choice choose_kernel(const Scorer& score, const ScoreText& say, RunContext& context);
// Where the kernel or its width is left open: tries some, and puts the choice into the options. Throws bad_option where
// there are no labels to judge by. Nothing: neither is open.
std::optional<Choice> choose(const Dataset& data, ReduceOptions& options, RunContext& context);
bool leaves_kernel_open(const ReduceOptions& options);
// The kernel, or of those that would be tried the one that needs most memory.
KernelSum widest_kernel(const ReduceOptions& options);
// Any list.
Choice choose_among(std::vector<Tried> candidates, const Scorer& score, const ScoreText& say, RunContext& context);

}  // namespace ritz::reduce
