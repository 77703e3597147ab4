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
// `spectra`: of these data, where they are scaled more than once.
Problem prepare(Dataset&& data, const Guidance& guidance, const ReduceOptions& options, const RunContext& context,
                projection::Whitening::Spectra* spectra = nullptr);

// What the classes or targets need: one less than classes, as many as targets, at most the columns of the fit.
Index needed_dimensions(const Dataset& data, const Guidance& guidance);

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

// As many directions as options.dim says; or, where the program chose it, those of them in which samples differ.
enum class Axes { as_many, at_most };
Axes axes_of(const ReduceOptions& open);  // before anything was chosen
// One fit, without folds and interpretation. Memory is checked first.
Fitted fit_once(const Dataset& data, const Guidance& guidance, const ReduceOptions& options, RunContext& context,
                Axes axes = Axes::as_many);
// A fit to a part of the samples, which are given for good: nothing is held out, nothing is open.
Fitted fit_part(Dataset&& data, const Guidance& guidance, const ReduceOptions& options, Axes axes, RunContext& context);
// Targets and scores of some rows.
Guidance select_rows(const Guidance& guidance, const std::vector<Index>& rows);

// Folds as asked for, made or read; empty: none.
std::vector<int> asked_folds(const Dataset& data, const Guidance& guidance, const ReduceOptions& options,
                             const RunContext& context);
// By class where there are labels.
std::vector<int> dealt_folds(const Dataset& data, Index count, std::uint64_t seed);

// Clusters and subspace together, for the modes without labels.
void fit_clusters(ReduceResult& found, const projection::Prepared& ready, const Guidance& guidance,
                  const ReduceOptions& options, RunContext& context);

// Quality of quick clusterings of few samples, and of the same with shuffled columns.
dependence::Null shuffled_clusters(const Samples& X, const KernelSum& kernel, const ReduceOptions& options,
                                   const RunContext& context);

// Rows of each class in random order, a share of them for the test; at least one of each class trains.
struct Split {
  std::vector<Index> train, test;
};
Split stratified_split(const Labels& labels, double share, std::uint64_t seed);
// By class where there are labels.
Split holdout_split(const Dataset& data, double share, std::uint64_t seed);
// k-NN from the fitted rows to those held out, in the reduced space and with all features. `found.embedding` is that of
// the fitted rows.
void evaluate_holdout(ReduceResult& found, const Dataset& data, const Guidance& guidance, const Split& split,
                      Index neighbours, const RunContext& context);

// --- reading a projection: which features matter, how sure that is, and a basis with few loadings --------------------

struct FittedProblem {  // borrowed
  const projection::ScaledSamples& X;
  const Gamma& gamma;
  const KernelSum& kernel;  // resolved
  const Matrix& W;          // in the coordinates of X
  const Frame& frame;       // of X: takes W to loadings of the features
};

// Refits from the spectral start on resamples of the rows with replacement, within each class where Γ comes from
// labels; otherwise the rows of Γ's factor are drawn along and centred anew where they were. Scaling and kernel widths
// stay those of the fit. Resample b depends on the seed and b alone. Throws memory when the loadings of all resamples
// do not fit into context.max_memory. Ctrl-C or the time limit: what is finished so far, with a note.
BootstrapReport bootstrap(const FittedProblem& fitted, const ism::Options& how, const BootstrapOptions& options,
                          RunContext& context);

// The weakest features go, at most 40 times, and the axes are fitted again without them while that costs no more than
// is allowed; then at most 40 thresholds of single loadings, down to where the columns are no longer independent, one
// evaluation of F each. Ctrl-C or the time limit: the path so far, with a note.
SparseReport sparse_basis(const FittedProblem& fitted, const SparseOptions& options, RunContext& context);

// Throws unsupported for sparse data, bad_option where there are not so many features or nothing to judge by.
void require_few(const Dataset& data, const ReduceOptions& options);
// options: settled, and required to be possible. Ctrl-C or the time limit: nothing, with a note.
FewReport few_features(const Dataset& data, const Guidance& guidance, const ReduceOptions& options,
                       const Vector& relevance, RunContext& context);
// Some columns of dense data.
Dataset select_columns(const Dataset& data, const std::vector<Index>& columns);

// --- kernels and widths chosen by the program: candidates are fitted, scored, and the choice is explained
// -------------

// Judges a kernel, given as text. Any other criterion (an error of regression, negated) is another such function.
using Scorer = std::function<Score(const std::string& kernel, RunContext& context)>;
// They borrow the data, which must have labels.
Scorer alignment_scorer(const Dataset& data, const Guidance& guidance, const ReduceOptions& options);
// Numeric targets: R² in place of accuracy.
Scorer accuracy_scorer(const Dataset& data, const Guidance& guidance, const ReduceOptions& options, Index folds,
                       std::uint64_t seed);
Scorer make_scorer(const Dataset& data, const Guidance& guidance, const ReduceOptions& options, std::uint64_t seed);

struct ScoreText {   // how a score is said
  std::string name;  // "5-NN right", "alignment"
  bool percent = false;
};
ScoreText score_text(const ReduceOptions& options, bool targets = false);
std::string said(double value, const ScoreText& say);
// "whiten (by classes, shrinkage 0.1), linear"
std::string scale_text(const TriedSetting& tried);

// The widths of all Gaussian terms set to `sigma`; throws bad_option when there is none.
std::string with_sigma(const std::string& kernel, const Bandwidth& sigma);

// Multiples of the median from 4 to 0.125, halved each time, then between the best and its neighbours. The best score
// wins; within one standard error of it the wider kernel, which is the smoother.
Choice choose_sigma(const std::string& kernel, const Scorer& score, const ScoreText& say, RunContext& context);
// Linear, polynomials of degree 2 and 3, Gaussians of several widths, multiquadric, Gaussian + polynomial. Within one
// standard error of the best the simpler kernel wins.
Choice choose_kernel(const Scorer& score, const ScoreText& say, RunContext& context);
// Where the kernel or its width is left open: tries some, and puts the choice into the options. Throws bad_option where
// there are no labels to judge by. Nothing: neither is open.
std::optional<Choice> choose(const Dataset& data, const Guidance& guidance, ReduceOptions& options,
                             RunContext& context);
bool leaves_kernel_open(const ReduceOptions& options);
// The kernel, or of those that would be tried the one that needs most memory.
KernelSum widest_kernel(const ReduceOptions& options);
// --- scale and dimension by held-out evidence ------------------------------------------------------------------------

// What choices are judged by: at most so many rows, shares of the classes kept, classes of one sample left out; and how
// a candidate is fitted, loosely. Choosing takes a fraction of a large fit, and evidence of some hundred samples is
// good to two parts in a hundred.
struct Evidence {
  static constexpr Index kMostRows = 500, kMostRowsWide = 300, kWide = 100;  // of more than kWide columns
  Dataset data;
  Guidance guidance;
  ReduceOptions options;
};
Evidence evidence_of(const Dataset& data, const Guidance& guidance, const ReduceOptions& options, std::uint64_t seed);
// Where the preset is the papers': what they do. options.mode is settled.
void settle_preset(const Dataset& data, const Guidance& guidance, ReduceOptions& options);
// Where scale or dimension are open: what linear kernels find in the fewest dimensions, where the kernel is open, too,
// and by it how much a scale is to shrink; then the scales in all dimensions, a narrower kernel, and all features. The
// fewest dimensions within a quarter of a standard error of the best score win. All are compared sample by sample on
// the same folds (judge.hpp). Puts the choice into the options.
std::optional<SettingChoice> choose_setting(const Dataset& data, const Guidance& guidance, ReduceOptions& options,
                                            RunContext& context);
// All that is open; what was chosen goes into the result.
void choose_all(const Dataset& data, const Guidance& guidance, ReduceOptions& options, ReduceResult* found,
                RunContext& context);

// Any list.
Choice choose_among(std::vector<Tried> candidates, const Scorer& score, const ScoreText& say, RunContext& context);

}  // namespace ritz::reduce
