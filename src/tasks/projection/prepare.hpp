// SPDX-License-Identifier: MIT
// From a data set to samples and kernel widths that a projection can be fitted with. `verb` is the task whose options
// messages speak of.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/memory.hpp"
#include "data/footprint.hpp"
#include "ritz/base/options.hpp"
#include "ritz/pairs/backend.hpp"
#include "tasks/projection/scaled_samples.hpp"

namespace ritz::projection {

struct Prepared {
  ColumnScaling scaling;
  ScaledSamples X;
  KernelSum kernel;  // with widths; weights may be open
  std::map<std::string, std::string> used;
  std::vector<std::string> notes;
};

// The kernel with the width of all its Gaussians put in; not resolved. Throws bad_option where a text cannot be read.
KernelSum asked_kernel(const std::string& kernel, const std::string& sigma, std::string_view verb);

// Throw where there are too few samples, too many dimensions asked for, or a number of clusters that cannot be.
void check_samples(const Dataset& data, const Dimension& dim, std::string_view verb);
void check_clusters(Index clusters, const Dataset& data, std::string_view verb);

// Throws bad_data where all points are equal. The data are borrowed, or scaled in place where they are given for good.
Prepared prepare(const Dataset& data, Scaling scale, KernelSum asked, const RunContext& context);
Prepared prepare(Dataset&& data, Scaling scale, KernelSum asked, const RunContext& context);

// How often the samples are held: as given, and as the scaled copy that dense ones need.
double samples_held(bool sparse, Scaling scale);
// Bytes that a fit takes with its samples.
double fit_bytes(double samples_bytes, const PairSizes& sizes, const KernelSum& kernel, const RunContext& context,
                 const PairAccuracy& accuracy = {});
// Bytes that a clustering's embedding takes beside that.
double embedding_bytes(Index n, Index clusters);

}  // namespace ritz::projection
