// SPDX-License-Identifier: MIT
// Two interleaved spirals: classes that no straight line and no ball separates.
#include <cmath>
#include <numbers>

#include "data/synthetic/common.hpp"

namespace ritz::synthetic {

Generated spiral(const GenerateOptions& options, std::uint64_t seed) {
  constexpr Usual usual{.set = "spiral",
                        .samples = 100,
                        .features = 3,
                        .noise = 0.03,
                        .min_samples = 2,
                        .min_features = 2,
                        .features_reason = "the spirals lie in two features"};
  constexpr double kTurns = 1.5;
  constexpr double kInnerEnd = 0.15;  // the arms would touch in the middle
  auto [size, rng, X] = begun(usual, options, seed);
  std::vector<int> arm;
  for (Index i = 0; i < size.samples; ++i) {
    arm.push_back(group_of(i, 2));
    const double radius = rng.uniform(kInnerEnd, 1);
    const double angle = std::numbers::pi * (2 * kTurns * radius + arm.back());
    X(i, 0) = radius * std::cos(angle);
    X(i, 1) = radius * std::sin(angle);
    for (Index j = 2; j < size.features; ++j) X(i, j) = 0;
    for (Index j = 0; j < size.features; ++j) X(i, j) += size.noise * rng.normal();
  }
  return assemble(usual, std::move(X), feature_names(2, size.features), {{"class", two_classes(std::move(arm))}});
}

}  // namespace ritz::synthetic
