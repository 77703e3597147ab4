// SPDX-License-Identifier: MIT
// The papers' synthetic data sets, and one of our own for demonstrations, seeded. The same set, sizes and seed give the
// same numbers everywhere. Clusters are balanced: sample i belongs to cluster i mod (their number), so that every first
// part of a set is balanced too.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ritz/base/options.hpp"
#include "ritz/data/dataset.hpp"

namespace ritz {

struct NamedLabels {
  std::string name;  // "original", "alternative", "class"
  Labels labels;
};
struct Generated {
  Dataset data;                     // for subspace collections: the bases side by side (n × Σdims)
  std::vector<NamedLabels> labels;  // the truths that belong to it; the first one is also data.labels
  // Subspace collections: "dims" (M × 1), "center" (n × 3). squares: "corner" of the square. swiss-roll: "parameters",
  // the place on the flat strip. sectors: "plane", the ring before it was hidden.
  std::vector<NamedMatrix> extra;
};

// For subspace collections `samples` is their number M and `features` the dimension n of the space around them. `noise`
// is the half range of the features of uniform noise where a set has such (large-gauss, noisy-moons, diamond), else a
// standard deviation: of the points around their shape, of sectors' features of noise, of a whole basis of a subspace.
inline constexpr double kNoSnr = 1000;  // no such noise
struct GenerateOptions {
  static constexpr std::string_view name = "generate";
  Index samples = 0;   // 0: the set's usual number
  Index features = 0;  // 0: the set's usual number
  double noise = -1;   // negative: the set's usual amount
  double snr = kNoSnr;
  static constexpr auto fields() {
    return std::tuple{
        field("samples", &GenerateOptions::samples, 0, 100'000'000, "number of samples (0: the set's usual number)"),
        field("features", &GenerateOptions::features, 0, 1'000'000, "number of features (0: the set's usual number)"),
        field("noise", &GenerateOptions::noise, -1.0, 1e6, "amount of noise (-1: the set's usual amount)"),
        field("snr", &GenerateOptions::snr, -200.0, kNoSnr,
              "nested-ball, arc: noise by its signal-to-noise ratio in dB (1000: as generate.noise says)")};
  }
};

struct SyntheticSet {
  std::string_view name;
  std::string_view description;  // one line
  Generated (*make)(const GenerateOptions&, std::uint64_t seed);
};
const std::vector<SyntheticSet>& synthetic_sets();
// Throws bad_option for an unknown set and for sizes that it cannot have, such as fewer samples than clusters.
Generated generate(std::string_view set, const GenerateOptions& options, std::uint64_t seed);

}  // namespace ritz
