// SPDX-License-Identifier: MIT
// Kernel widths from the data: the median distance, and per-sample distances to near neighbours. The distances are
// swept by context.backend.
#pragma once

#include <string>
#include <vector>

#include "ritz/base/context.hpp"
#include "ritz/model/kernel_sum.hpp"
#include "ritz/model/samples.hpp"

namespace ritz {

inline constexpr Index kMedianRows = 4000;

struct MedianDistance {
  double value = 0;
  Index rows_used = 0;   // fewer than all: a seeded sample of the rows
  bool floored = false;  // more than half of the distances were 0: the median of the others
};
// Median over all n² ordered pairs, each sample with itself included (the convention of the published programs), of
// ‖xᵢ − xⱼ‖. Above `max_rows` rows a seeded sample of that many is taken. Throws bad_data when all points are equal.
MedianDistance median_distance(const Samples& X, const RunContext& context, Index max_rows = kMedianRows);

// For every sample the distance to its k-th nearest distinct point (points equal to it, and repeats of a point already
// counted, do not count). Throws bad_data when there are not k + 1 distinct points.
std::vector<double> neighbour_distances(const Samples& X, Index k, const RunContext& context);

// A width in numbers: a multiple of the median distance is multiplied out.
Bandwidth resolved_width(Bandwidth width, const Samples& X, const RunContext& context);

struct ResolvedKernel {
  KernelSum kernel;
  std::string text;                // what was chosen: "median distance 4.9955 over 178 rows"; empty when nothing was
  std::vector<std::string> notes;  // what the user should know
};
// Memory that resolve_bandwidths takes beyond the samples.
double bandwidth_bytes(const KernelSum& kernel, Index n, Index d, const RunContext& context);
ResolvedKernel resolve_bandwidths(KernelSum kernel, const Samples& X, const RunContext& context);

}  // namespace ritz
