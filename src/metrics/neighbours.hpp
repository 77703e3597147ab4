// SPDX-License-Identifier: MIT
// Classification by the k nearest neighbours: a plain measure of how much a space tells about the classes.
#pragma once

#include <vector>

#include "ritz/base/context.hpp"
#include "ritz/base/types.hpp"

namespace ritz {

// The label of each row of `test`: the most frequent one among its k nearest rows of `train` by Euclidean distance.
// Of equally near rows the one with the lower index comes first, of equally frequent labels the smaller wins. Sweeps
// over tiles: memory grows with the number of rows, never with its square; the same result for any number of threads.
// Throws bad_shape when sizes do not match, bad_option when k is not in [1, rows of train], not_finite for NaN or ∞.
std::vector<int> knn_labels(DataView train, const std::vector<int>& train_labels, DataView test, Index k,
                            const RunContext& context);
// The same, and what share of the k has the label that is right.
struct KnnVotes {
  std::vector<int> labels;
  std::vector<double> right;
};
KnnVotes knn_votes(DataView train, const std::vector<int>& train_labels, DataView test,
                   const std::vector<int>& test_labels, Index k, const RunContext& context);

// Share of the test rows whose label knn_labels finds. Throws bad_data when there are none.
double knn_accuracy(DataView train, const std::vector<int>& train_labels, DataView test,
                    const std::vector<int>& test_labels, Index k, const RunContext& context);

// The same with each row classified by all the others; k lies in [1, n − 1].
double leave_one_out_knn_accuracy(DataView X, const std::vector<int>& labels, Index k, const RunContext& context);

}  // namespace ritz
