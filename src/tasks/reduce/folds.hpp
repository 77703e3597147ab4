// SPDX-License-Identifier: MIT
// k-fold evaluation of a reduction: fitted on all folds but one, judged on that one, for each in turn.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ritz/tasks/reduce.hpp"

namespace ritz::reduce {

// Fold of every sample, numbers 0 … count − 1. Each class is dealt out in random order, so that folds have the same
// shares of it and sizes that differ by one at most. Throws bad_option when count is not in [2, n].
std::vector<int> stratified_folds(const Labels& labels, Index count, std::uint64_t seed);
// From a file with one whole number a sample; the numbers are renamed 0, 1, … in increasing order. Throws bad_file for
// what is no number, bad_shape when there are not n of them, bad_data when all are the same.
std::vector<int> read_folds(const std::string& path, Index n, const RunContext& context);

// Scaling, kernel widths, dimension and fit come from the training part alone, unless options ask to scale once. Throws
// bad_data when a class has no sample outside one fold. Ctrl-C or the time limit: the folds finished so far, none
// of them perhaps, with a note.
FoldReport evaluate_folds(const Dataset& data, const std::vector<int>& fold_of, const ReduceOptions& options,
                          RunContext& context);

// Folds as asked for, made or read; empty: none.
std::vector<int> asked_folds(const Dataset& data, const ReduceOptions& options, const RunContext& context);

}  // namespace ritz::reduce
