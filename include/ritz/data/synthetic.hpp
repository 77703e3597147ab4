// SPDX-License-Identifier: MIT
// The papers' synthetic data sets, seeded.
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
struct NamedMatrix {
  std::string name;
  RowMatrix values;
};
struct Generated {
  Dataset data;                     // for subspace collections: the bases side by side (n × Σdims)
  std::vector<NamedLabels> labels;  // the truths that belong to it
  std::vector<NamedMatrix> extra;   // subspace collections: "dims", "center"
};

struct GenerateOptions {
  static constexpr std::string_view name = "generate";
  Index samples = 0;    // 0: the set's usual number
  Index features = 0;   // 0: the set's usual number
  double noise = -1;    // negative: the set's usual amount
  static constexpr auto fields() {
    return std::tuple{
        field("samples", &GenerateOptions::samples, 0, 100'000'000, "number of samples (0: the set's usual number)"),
        field("features", &GenerateOptions::features, 0, 1'000'000, "number of features (0: the set's usual number)"),
        field("noise", &GenerateOptions::noise, -1.0, 1e6, "amount of noise (-1: the set's usual amount)")};
  }
};

struct SyntheticSet {
  std::string_view name;
  std::string_view description;  // one line
  Generated (*make)(const GenerateOptions&, std::uint64_t seed);
};
const std::vector<SyntheticSet>& synthetic_sets();
Generated generate(std::string_view set, const GenerateOptions& options, std::uint64_t seed);

}  // namespace ritz
