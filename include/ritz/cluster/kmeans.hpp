// SPDX-License-Identifier: MIT
// k-means: Lloyd's iteration from k-means++ starts, the best of several. The result has the same bits for any number of
// threads. And how many clusters there are.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ritz/base/context.hpp"
#include "ritz/base/options.hpp"
#include "ritz/base/types.hpp"

namespace ritz {

struct KMeansOptions {
  static constexpr std::string_view name = "kmeans";
  Index clusters = 2;
  int restarts = 20;
  int max_iterations = 300;
  double tolerance = 1e-9;
  static constexpr auto fields() {
    return std::tuple{field("clusters", &KMeansOptions::clusters, 1, 1 << 24, "number of clusters"),
                      field("restarts", &KMeansOptions::restarts, 1, 1'000'000, "starts, of which the best is kept"),
                      field("max_iterations", &KMeansOptions::max_iterations, 1, 1'000'000'000,
                            "at most this many iterations a start"),
                      field("tolerance", &KMeansOptions::tolerance, 0.0, 1.0,
                            "stop when the inertia falls by at most this part of itself")};
  }
};

struct KMeansResult {
  std::vector<int> labels;  // 0 … centers.rows() − 1, numbered by first appearance: each point's nearest center
  RowMatrix centers;        // clusters × columns; fewer rows than asked where there are fewer distinct points
  double inertia = 0;       // Σ squared distance to the own center
  int iterations = 0;       // of the start that was kept
  bool converged = false;   // false: that start came to max_iterations
  std::vector<double> inertias;  // after each of its iterations; never rising
};

// Points are rows. A start draws its centers one by one with a chance proportional to the squared distance from the
// nearest one so far, and of a few such candidates takes the one that leaves the smallest sum (greedy k-means++). A
// cluster that runs empty is given the point farthest from its own center, among clusters that keep another point.
// Throws bad_option when clusters exceeds the number of points, bad_shape without points or columns.
KMeansResult kmeans(DataView points, const KMeansOptions& options, const RunContext& context);

// The same for points of which the i-th counts weights[i] ≥ 1 times; with ones it is kmeans to the bit.
KMeansResult weighted_kmeans(DataView points, const std::vector<Index>& weights, const KMeansOptions& options,
                             const RunContext& context);

// The number of each point's nearest center, the lower one in a tie.
std::vector<int> nearest_centers(DataView points, DataView centers, const RunContext& context);

// A number of clusters as asked for: 0 where none was, or `auto`.
struct ClusterCount {
  Index value = 0;  // −1: auto, until it is settled
  constexpr ClusterCount(Index count = 0) : value(count) {}
  constexpr operator Index() const { return value; }
  bool automatic() const { return value < 0; }
};

// How many clusters samples have, by the gap statistic (Tibshirani, Walther & Hastie 2001).
struct CountedClusters {
  Index count = 2;  // never less than 2
  std::vector<double>
      gap;  // of 1, 2, … clusters: how much less k-means leaves than in uniform points of the directions, log
  std::string reason;
};
// The smallest k > 1 with gap(k) > gap(1) + 2·error(k) that gap(k + 1) is above by at most error(k + 1) or a tenth of
// gap(k) − gap(1), in the boxes of leading directions and of columns; else 2. On at most 500 points.
CountedClusters count_clusters(DataView points, const RunContext& context);

template <>
struct TextForm<ClusterCount> {
  static std::string kind() { return "a whole number, or auto"; }
  static std::optional<ClusterCount> parse(std::string_view text) {
    if (text == "auto") return ClusterCount(-1);
    const auto number = read_integer(text);
    if (!number || *number < 0 || *number > (1 << 24)) return std::nullopt;
    return ClusterCount(Index(*number));
  }
  static std::string print(const ClusterCount& count) {
    return count.automatic() ? "auto" : std::to_string(count.value);
  }
};

}  // namespace ritz
