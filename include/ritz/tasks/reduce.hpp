// SPDX-License-Identifier: MIT
// Interpretable projections: the few directions of the data that tell classes apart, explain numbers, or show clusters.
// The task `reduce`.
//
//   const auto found = reduce::fit(data, {}, {.dim = {2}, .kernel = "auto"}, context);
//   found.fit.W, found.embedding, found.choice->reason
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ritz/algorithms/clustering.hpp"
#include "ritz/algorithms/dependence.hpp"
#include "ritz/base/options.hpp"
#include "ritz/cluster/kmeans.hpp"
#include "ritz/data/dataset.hpp"
#include "ritz/data/preprocess.hpp"
#include "ritz/linalg/rotations.hpp"
#include "ritz/model/gamma.hpp"
#include "ritz/tasks/projection.hpp"

namespace ritz::reduce {

// What the projection is learned from besides the samples.
//   supervised    class labels, or numeric targets
//   unsupervised  nothing: clusters are sought, and the directions that show them
//   semi          clusters are sought that go along with expert scores
// `auto` takes semi with scores, supervised with labels or targets, and asks otherwise.
enum class Mode { automatic, supervised, unsupervised, semi };
constexpr auto names_of(Mode) { return std::array{"auto", "supervised", "unsupervised", "semi"}; }

// What goes with the samples, a row each; empty where there is none. Class labels are in Dataset::labels; in the
// clustering modes they are only compared with, as a truth is.
struct Guidance {
  RowMatrix targets{};  // n × t, numbers to be explained
  RowMatrix scores{};   // n × r, an expert's
  Labels truth{};       // what found clusters are compared with
};

// alignment: the cosine between the centred kernel of the reduced samples and Γ, F/(‖HKH‖_F‖Γ‖_F). F itself grows with
// the scale of the kernel (without bound for a polynomial, and with the width for a Gaussian) and cannot be compared;
// the cosine can, and costs one fit a candidate. It looks at the fitted samples only.
// accuracy: share of the samples that k-NN in the reduced space finds in a cross-validation; one fit a fold.
enum class Criterion { alignment, accuracy };
constexpr auto names_of(Criterion) { return std::array{"alignment", "accuracy"}; }

// What the program does by itself where an option is left open.
//   best   settings by held-out evidence: a Gaussian of half the median distance; scale and dimension that let k-NN
//          find the most of what was held out; the solver `best` (docs/guide/reduce.md)
//   paper  the papers' settings: standardised columns, a Gaussian of the median distance, as many dimensions as classes
enum class Preset { best, paper };
constexpr auto names_of(Preset) { return std::array{"best", "paper"}; }

// Whose covariance whitening makes round: that of all samples, or that inside the classes, around their means. The
// latter is the metric of discriminant analysis, in which distances count in units of what classes scatter by: it
// weighs directions also where all of them are kept, which an orthonormal W cannot.
enum class WhitenBy { all, classes };
constexpr auto names_of(WhitenBy) { return std::array{"all", "classes"}; }

struct ChooseOptions {
  static constexpr std::string_view name = "choose";
  Criterion choose_by = Criterion::accuracy;
  Index choose_folds = 5;
  static constexpr auto fields() {
    return std::tuple{field("choose_by", &ChooseOptions::choose_by,
                            "what a kernel or width that the program chooses is judged by: accuracy (k-NN, "
                            "cross-validated) or alignment (of kernel and labels, one fit each)"),
                      field("choose_folds", &ChooseOptions::choose_folds, 2, 1000, "folds of that accuracy")};
  }
};

struct FoldOptions {
  static constexpr std::string_view name = "folds";
  Index folds = 0;
  std::string fold_file;
  bool scale_once = false;
  bool svm = true;
  bool all_features = true;  // compare with no reduction
  static constexpr auto fields() {
    return std::tuple{
        field("folds", &FoldOptions::folds, 0, 1'000'000,
              "parts of a cross-validation, stratified by class: each is predicted by a fit to the others, all choices "
              "made anew (0: none)"),
        field("fold_file", &FoldOptions::fold_file, "file with the fold of each sample, a number a line"),
        field("scale_once", &FoldOptions::scale_once,
              "scale columns on all samples before splitting (the papers' protocol) instead of on each training part"),
        field("svm", &FoldOptions::svm, "classify by a Gaussian support vector machine beside k-NN")};
  }
};

struct BootstrapOptions {
  static constexpr std::string_view name = "bootstrap";
  Index bootstrap = 0;
  static constexpr auto fields() {
    return std::tuple{field("bootstrap", &BootstrapOptions::bootstrap, 0, 1'000'000,
                            "refit on this many resamples to see how sure the loadings are (0: none)")};
  }
};

struct SparseOptions {
  static constexpr std::string_view name = "sparse";
  double max_loss = 0.01;
  static constexpr auto fields() {
    return std::tuple{
        field("max_loss", &SparseOptions::max_loss, 0.0, 1.0, "share of the objective that a sparse basis may cost")};
  }
};

inline constexpr std::string_view kUsualKernel = "gaussian(sigma=0.5*median)";

struct ReduceOptions {
  static constexpr std::string_view name = "reduce";
  Mode mode = Mode::automatic;
  ClusterCount clusters = 0;
  Dimension dim{};
  std::string kernel{kUsualKernel};
  std::string sigma{};
  Scaling scale = Scaling::automatic;
  double shrinkage = kUsualShrinkage;
  WhitenBy whiten_by = WhitenBy::all;
  Preset preset = Preset::best;
  TargetKernel target_kernel = TargetKernel::linear;
  Bandwidth target_sigma{};
  double target_error = 1e-6;
  double mu = 0;  // 0: balanced
  LabelBy label_by = LabelBy::automatic;
  double round_tolerance = 1e-3;
  int max_rounds = 500;
  double holdout = 0;
  Index neighbours = 5;
  ism::Options how{.solver = Solver::best};
  ChooseOptions choosing{};
  FoldOptions splitting{};
  BootstrapOptions resampling{};
  bool sparse = false;
  SparseOptions thinning{};
  Index features = 0;
  static constexpr auto fields() {
    return std::tuple{
        field("mode", &ReduceOptions::mode,
              "supervised (labels or targets), unsupervised, semi (scores), or auto: by what is given"),
        field("clusters", &ReduceOptions::clusters,
              "clusters to look for, in the modes unsupervised and semi, or auto: by the gap statistic"),
        field("dim", &ReduceOptions::dim,
              "dimensions to keep, or auto: by held-out evidence, at least as many as the classes need"),
        field("preset", &ReduceOptions::preset,
              "what is left open: best (by held-out evidence), or paper (standard columns, sigma=median, as many "
              "dimensions as classes)"),
        field("kernel", &ReduceOptions::kernel,
              "kernel, e.g. gaussian(sigma=0.5*median), polynomial(degree=3,offset=1), or a sum such as "
              "0.7*gaussian(sigma=2)+0.3*linear (a weight may be auto), or auto; see 'ritz list kernels'"),
        field("sigma", &ReduceOptions::sigma,
              "width of all Gaussian kernels: a number, median, a multiple such as 0.5*median, or auto"),
        field("scale", &ReduceOptions::scale,
              "columns: standard (mean 0, deviation 1), whiten (standard, then decorrelated), center, none, or auto: "
              "standard or whiten by held-out evidence"),
        field("shrinkage", &ReduceOptions::shrinkage, 0.0, 1.0,
              "of whitening: part of the covariance that is replaced by a multiple of the identity"),
        field(
            "whiten_by", &ReduceOptions::whiten_by,
            "of whitening: by the covariance of all samples, or by that inside the classes, as discriminant analysis"),
        field("target_kernel", &ReduceOptions::target_kernel,
              "of numeric targets: linear, or gaussian for dependence of every kind"),
        field("target_sigma", &ReduceOptions::target_sigma,
              "width of the targets' gaussian, in deviations of the targets"),
        field("target_error", &ReduceOptions::target_error, 0.0, 1.0,
              "part of the targets' gaussian kernel that its low-rank factor may miss"),
        field("mu", &ReduceOptions::mu, 0.0, 1e12,
              "weight of the scores against the clusters, in the mode semi (0: balanced)"),
        field(
            "label_by", &ReduceOptions::label_by,
            "clusters from the fitted embedding, from a Gaussian on the subspace, or by k-means of the samples in the "
            "subspace (auto: the embedding or that, whichever is clearer, where the kernel is left open, a Gaussian "
            "for "
            "polynomials, else the embedding)"),
        field("round_tolerance", &ReduceOptions::round_tolerance, 0.0, 1.0,
              "clustering modes: stop when a round moves both subspaces by at most this part"),
        field("max_rounds", &ReduceOptions::max_rounds, 1, 1'000'000'000, "clustering modes: at most this many rounds"),
        field("holdout", &ReduceOptions::holdout, 0.0, 0.9,
              "share of each class (or of the samples, with targets) kept out of the fit and predicted by k-NN before "
              "and "
              "after"),
        field("neighbours", &ReduceOptions::neighbours, 1, 10000, "k of that k-NN classifier"),
        rows(&ReduceOptions::how, "dimension"),
        rows(&ReduceOptions::choosing),
        rows(&ReduceOptions::splitting, "svm"),
        rows(&ReduceOptions::resampling),
        field("sparse", &ReduceOptions::sparse,
              "drop features, fitting again without them, then small loadings, while that costs no more than "
              "reduce.max_loss"),
        rows(&ReduceOptions::thinning),
        field("features", &ReduceOptions::features, 0, 1'000'000,
              "name the best few: fit, drop the weakest, fit again until so many are left, and tell what they lose (0: "
              "do not)")};
  }
};

// --- how well it generalises ----------------------------------------------------------------------------------------

struct HoldoutReport {
  Index train = 0, test = 0, neighbours = 0;
  // Share classified right, or of numeric targets the share of their variance that is explained (R²).
  double accuracy_before = kUnknown;  // k-NN on all (scaled) features
  double accuracy_after = kUnknown;   // k-NN in the reduced space
  double least_squares = kUnknown;    // targets: linear regression on all features
  double partial = kUnknown;          // targets: partial least squares with as many components as dimensions
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
  FoldMeasure knn, svm;  // share of the test part classified right in the reduced space; of targets, R² by k-NN
  FoldMeasure knn_all_features, svm_all_features;  // with all scaled features: no reduction
  FoldMeasure least_squares, partial;  // targets: linear regression, partial least squares with as many components
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
// What the options leave open (kernel, width, scale, dimension) is chosen on each training part by itself.
FoldReport evaluate_folds(const Dataset& data, const std::vector<int>& fold_of, const ReduceOptions& options,
                          RunContext& context);
// The same for numeric targets, where guidance has some: R² instead of accuracies.
FoldReport evaluate_folds(const Dataset& data, const Guidance& guidance, const std::vector<int>& fold_of,
                          const ReduceOptions& options, RunContext& context);

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

// Scale and dimension by held-out evidence.
struct TriedSetting {
  Scaling scale = Scaling::standard;
  double shrinkage = kUsualShrinkage;
  WhitenBy whiten_by = WhitenBy::all;
  Index dim = 0;
  std::string kernel{};     // where it is not the asked one
  Score score{};            // share of the nearest neighbours that are of the right class; of numbers R²
  double right = kUnknown;  // share of the samples whose class they find
  double seconds = 0;
  Index judged = 0;  // samples that it predicted; fewer than `rows` where it fell clearly behind
};
struct SettingChoice {
  std::size_t chosen = 0;            // place in `tried`
  std::vector<TriedSetting> tried;   // in the order tried; empty: there was too little to judge by
  Index rows = 0;                    // samples that were judged by
  std::string score, reason, curve;  // what they were judged by; one sentence; the dimensions with their scores
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

// Features dropped, and the axes fitted again to the rest (threshold 0); then one threshold after the other: loadings
// of the rotated basis below it in magnitude are set to 0, then the nearest orthonormal basis.
struct SparseStep {
  double threshold = 0;
  Index loadings = 0;  // not 0 after the threshold
  Index features = 0;  // with such a loading
  double objective = kUnknown;
  double loss = kUnknown;  // (F(W) − F(W_sparse)) / |F(W)|; negative where it gains
};
struct SparseReport {
  VarimaxRotation rotation;      // of the axes that are left when no further feature can go
  double objective = kUnknown;   // F(W)
  std::vector<SparseStep> path;  // from all loadings to few
  std::size_t chosen = 0;        // place on the path: the fewest loadings with loss <= max_loss; 0, all, where none
  Matrix loadings;               // of the chosen step, d × q: columns of length 1 with exact zeros, not orthogonal
  Matrix W;                      // their span's nearest orthonormal basis, which has the objective of the step
  double max_loss = 0;
  std::vector<std::string> notes;
};

// The features that are left where the weakest were dropped, a third at a time, with a fit after each drop.
struct FewReport {
  std::vector<Index> features;  // strongest first; empty: not asked for
  std::vector<double> relevance;
  Score score, score_all;  // k-NN, cross-validated: with them alone, with all
  std::string judged_by;   // "5-NN right"
  std::vector<std::string> notes;
};

struct Interpretation {
  Vector relevance;  // d; see feature_relevance
  BootstrapReport bootstrap{};
  SparseReport sparse{};  // path empty: not asked for
  FewReport few{};
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
  std::optional<Choice> choice;          // with kernel or sigma auto
  std::optional<SettingChoice> setting;  // where scale or dimension were open
  RowMatrix targets{};                   // of the fitted rows, where there are some
  Scaling scale = Scaling::standard;     // as used
  double shrinkage = kUsualShrinkage;
  WhitenBy whiten_by = WhitenBy::all;
  std::optional<FoldReport> folds;  // where asked for
  // Is there anything to find? HSIC of all features and the labels or targets, with no W fitted to them, beside that of
  // shuffled ones; of clusters the quality of a quick fit, beside that where the columns are shuffled. On at most
  // kNullRows and kClusterNullRows samples.
  std::optional<dependence::Null> null;
  Interpretation reading;
};

inline constexpr Index kNullRows = 1000, kNullShuffles = 199, kClusterNullRows = 200, kClusterShuffles = 19;

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
