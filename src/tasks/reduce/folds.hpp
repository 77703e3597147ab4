// SPDX-License-Identifier: MIT
// k-fold evaluation of a reduction: fitted on all folds but one, judged on that one, for each in turn.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ritz/tasks/reduce.hpp"

namespace ritz {

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
              "parts of a stratified cross-validation: each is classified by a fit to the others (0: none)"),
        field("fold_file", &FoldOptions::fold_file, "file with the fold of each sample, a number a line"),
        field("scale_once", &FoldOptions::scale_once,
              "scale columns on all samples before splitting (the papers' protocol) instead of on each training part"),
        field("svm", &FoldOptions::svm, "classify by a Gaussian support vector machine beside k-NN")};
  }
};

// Fold of every sample, numbers 0 … count − 1. Each class is dealt out in random order, so that folds have the same
// shares of it and sizes that differ by one at most. Throws bad_option when count is not in [2, n].
std::vector<int> stratified_folds(const Labels& labels, Index count, std::uint64_t seed);
// From a file with one whole number a sample; the numbers are renamed 0, 1, … in increasing order. Throws bad_file for
// what is no number, bad_shape when there are not n of them, bad_data when all are the same.
std::vector<int> read_folds(const std::string& path, Index n, const RunContext& context);

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

// Scaling, kernel widths, dimension and fit come from the training part alone, unless options ask to scale once. Throws
// bad_data when a class has no sample outside one fold. Ctrl-C or the time limit: the folds finished so far, none
// of them perhaps, with a note.
FoldReport evaluate_folds(const Dataset& data, const std::vector<int>& fold_of, const ReduceOptions& options,
                          const ism::Options& how, const FoldOptions& folds, RunContext& context);

std::string folds_text(const FoldReport& report, Index features);  // a few lines for a summary

}  // namespace ritz
