// SPDX-License-Identifier: MIT
// Uniform points on a chessboard; the class is the colour of the field.
#include "data/synthetic/common.hpp"

namespace ritz::synthetic {

Generated chessboard(const GenerateOptions& options, std::uint64_t seed) {
  constexpr Usual usual{.set = "chessboard",
                        .samples = 100,
                        .features = 2,
                        .noise = 0,
                        .min_samples = 2,
                        .min_features = 2,
                        .max_features = 2,
                        .features_reason = "a board is flat"};
  constexpr Index kFields = 4;  // along a side
  auto [size, rng, X] = begun(usual, options, seed);
  std::vector<int> colour;
  for (Index i = 0; i < size.samples; ++i) {
    // A field of the wanted colour rather than any point: the classes stay balanced.
    colour.push_back(group_of(i, 2));
    const Index row = rng.below(kFields);
    const Index col = 2 * rng.below(kFields / 2) + (row + colour.back()) % 2;
    X(i, 0) = double(col) + rng.uniform();
    X(i, 1) = double(row) + rng.uniform();
    if (size.noise > 0)
      for (Index j = 0; j < 2; ++j) X(i, j) += size.noise * rng.normal();
  }
  return assemble(usual, std::move(X), feature_names(2, 2), {{"class", two_classes(std::move(colour))}});
}

}  // namespace ritz::synthetic
