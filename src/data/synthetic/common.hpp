// SPDX-License-Identifier: MIT
// What the generators share: sizes with their limits, the named random stream, labels and names.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "ritz/base/random.hpp"
#include "ritz/data/synthetic.hpp"

namespace ritz::synthetic {

// A set's usual sizes, and the ones for which it has a meaning.
struct Usual {
  std::string_view set;
  Index samples, features;
  double noise;
  Index min_samples = 1;
  Index min_features = 1;
  Index max_features = std::numeric_limits<Index>::max();
  std::string_view features_reason = "";  // completes "features is 3; it must be at least 4 because …"
};
struct Sizes {
  Index samples, features;
  double noise;
};
// Usual sizes where the options leave the choice; throws bad_option outside the limits.
Sizes sizes(const Usual& usual, const GenerateOptions& options);

Rng stream(std::string_view set, std::uint64_t seed);  // "generate/<set>", the only source of draws

// n × d, uninitialised; throws Error(memory) where it does not fit.
RowMatrix table(Index rows, Index cols);

// What a set begins with: its sizes, its stream, and room for the samples.
struct Begun {
  Sizes size;
  Rng rng;
  RowMatrix X;
};
inline Begun begun(const Usual& usual, const GenerateOptions& options, std::uint64_t seed) {
  const Sizes size = sizes(usual, options);
  return {size, stream(usual.set, seed), table(size.samples, size.features)};
}

// Sample i belongs to group i mod `groups`: balanced, and so is every first part of the set.
inline int group_of(Index sample, Index groups) { return int(sample % groups); }

Labels labels_of(std::vector<int> of, std::vector<std::string> names);
Labels two_classes(std::vector<int> of);  // named "0" and "1", as in the papers' files

std::string numbered(std::string_view stem, Index number);  // "noise_", 3 -> "noise_3"

// "x1" … "x<plain>", then "noise_1" … up to `total`.
std::vector<std::string> feature_names(Index plain, Index total);

// Puts the parts together; the first of `truths` also becomes the labels of the data.
Generated assemble(const Usual& usual, RowMatrix samples, std::vector<std::string> names,
                   std::vector<NamedLabels> truths);

Generated small_gauss(const GenerateOptions& options, std::uint64_t seed);
Generated large_gauss(const GenerateOptions& options, std::uint64_t seed);
Generated diamond(const GenerateOptions& options, std::uint64_t seed);
Generated moons(const GenerateOptions& options, std::uint64_t seed);
Generated noisy_moons(const GenerateOptions& options, std::uint64_t seed);
Generated squares(const GenerateOptions& options, std::uint64_t seed);
Generated spiral(const GenerateOptions& options, std::uint64_t seed);
Generated chessboard(const GenerateOptions& options, std::uint64_t seed);
Generated nested_ball(const GenerateOptions& options, std::uint64_t seed);
Generated arc(const GenerateOptions& options, std::uint64_t seed);
Generated swiss_roll(const GenerateOptions& options, std::uint64_t seed);
Generated sectors(const GenerateOptions& options, std::uint64_t seed);

}  // namespace ritz::synthetic
