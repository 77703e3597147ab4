// SPDX-License-Identifier: MIT
// How far two partitions of the same samples agree. None of these depends on how the clusters are numbered, and each is
// symmetric in its arguments. Labels may be any numbers; throws bad_shape when the lengths differ.
#pragma once

#include <vector>

#include "ritz/base/types.hpp"

namespace ritz {

// I(a, b) / √(H(a) H(b)), in [0, 1]. With a single cluster in both, 1; with a single cluster in one of them only, 0: it
// tells nothing about the other. Two empty partitions agree: 1.
double normalised_mutual_information(const std::vector<int>& first, const std::vector<int>& second);

// Share of the pairs of samples on which the partitions agree (together in both, or apart in both), in [0, 1]; 1 for
// fewer than two samples.
double rand_index(const std::vector<int>& first, const std::vector<int>& second);

// What rand_index(truth, labels) is on average for labels drawn from `clusters` equally likely ones: the mark that a
// clustering has to beat. (All in one cluster, the other trivial answer, is rand_index with equal labels.)
double random_rand_index(const std::vector<int>& truth, Index clusters);

// rand_index, scaled so that independent partitions of these cluster sizes give 0 on average and equal ones give 1; can
// be negative. Where the scale is 0/0 (both one cluster, or both all apart) the partitions are equal: 1.
double adjusted_rand_index(const std::vector<int>& first, const std::vector<int>& second);

// Mean over the points of (b − a)/max(a, b), a the mean distance to the others of the own cluster and b that to the
// nearest other cluster (Rousseeuw 1987); 0 for a point that is alone, and for a single cluster.
double silhouette(const RowMatrix& points, const std::vector<int>& labels);

// For each cluster 0 … clusters − 1 the class that it stands for, −1 where it stands for none: every class is taken
// once, the pair with the most samples in common first (of equal ones the lower numbers).
std::vector<int> matched_classes(const std::vector<int>& clusters_of, int clusters, const std::vector<int>& classes_of,
                                 int classes);

}  // namespace ritz
