// SPDX-License-Identifier: MIT
// From a data set to a problem: scaled samples, kernel widths, the weights Γ of the pairs.
#pragma once

#include <string>
#include <vector>

#include "base/memory.hpp"
#include "data/footprint.hpp"
#include "ritz/pairs/backend.hpp"
#include "ritz/tasks/reduce_options.hpp"

namespace ritz {

struct Prepared {
  Mode mode;  // never automatic
  ColumnScaling scaling;
  Samples X;         // borrows the data set
  KernelSum kernel;  // resolved
  Gamma gamma;       // empty in the clustering modes
  std::map<std::string, std::string> used;
  std::vector<std::string> notes;
};

// The mode that the options and what is given say. Throws bad_option where they contradict each other or say too
// little.
Mode mode_of(const Dataset& data, const ReduceOptions& options, const Guidance& guidance);

// The kernel with --sigma put in; not resolved. Throws bad_option where a text cannot be read.
KernelSum asked_kernel(const ReduceOptions& options);

// Scales dense data in place; sparse data are scaled on the fly. Throws Error for what the caller can put right: one
// class, constant targets, all points equal, tables whose rows do not match.
Prepared prepare(Dataset& data, const ReduceOptions& options, const Guidance& guidance, const RunContext& context);

// The largest dimension that `auto` considers: what Γ can tell apart, at most kMostDimensions.
inline constexpr Index kMostDimensions = 20;
Index most_dimensions(const Gamma& gamma, Index columns);

// Bytes that a fit takes with the samples' own.
double reduce_bytes(double data_bytes, const PairSizes& sizes, const KernelSum& kernel, const RunContext& context,
                    const PairAccuracy& accuracy = {});

}  // namespace ritz
