// SPDX-License-Identifier: MIT
// How many clusters samples have, by the gap statistic (Tibshirani, Walther & Hastie 2001).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ritz/base/context.hpp"
#include "ritz/base/options.hpp"
#include "ritz/base/types.hpp"

namespace ritz {

// A number of clusters as asked for: 0 where none was, or `auto`.
struct ClusterCount {
  Index value = 0;  // −1: auto, until it is settled
  constexpr ClusterCount(Index count = 0) : value(count) {}
  constexpr operator Index() const { return value; }
  bool automatic() const { return value < 0; }
};

struct CountedClusters {
  Index count = 2;          // never less than 2
  std::vector<double> gap;  // of 1, 2, … clusters: how much less k-means leaves than in uniform points, log
  std::string reason;
};
// The smallest k with gap(k) ≥ gap(k + 1) − error(k + 1), on at most 500 points in their leading directions.
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
