// SPDX-License-Identifier: MIT
// The parts of a fit. options.mode is settled, and the kernel is not left to be chosen.
#pragma once

#include "ritz/tasks/reduce.hpp"
#include "tasks/reduce/prepare.hpp"

namespace ritz::reduce {

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

}  // namespace ritz::reduce
