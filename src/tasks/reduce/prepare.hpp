// SPDX-License-Identifier: MIT
// From a data set and what guides it to a problem: scaled samples, kernel, the weights Γ of the pairs.
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

}  // namespace ritz::reduce
