// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "ritz/base/context.hpp"
#include "ritz/base/types.hpp"
#include "ritz/cluster/kmeans.hpp"

namespace ritz {

// k-means that moves groups of points as a whole: each goes to the center with the smallest sum of squared distances to
// its points. With groups = must_link_groups(pairs).of it is constrained k-means in Xing's version; cannot-links are
// not enforced (doing so point by point, as COP-k-means does, runs into dead ends). groups[i] in [0, number of points)
// names the group of point i; points of the same number move together. `labels`, `inertia` and `inertias` are those of
// the points; a group is at its nearest center, a single point of it need not be. Throws as kmeans does, and bad_option
// when clusters exceeds the number of groups.
KMeansResult constrained_kmeans(DataView points, const std::vector<Index>& groups, const KMeansOptions& options,
                                const RunContext& context);

}  // namespace ritz
