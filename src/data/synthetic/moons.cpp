// SPDX-License-Identifier: MIT
// Two intertwined parabolas in features 1 and 2 and, independently, two Gaussians in features 3 and 4: two good
// clusterings of the same samples. Curves and spreads are those of the alternative-clustering paper's published files.
#include "data/synthetic/common.hpp"

namespace ritz::synthetic {
namespace {

constexpr double kHalfWidth = 2;    // of either parabola
constexpr double kUpperHeight = 8;  // top of the upper one
constexpr double kUpperBend = 1.4;  // its curvature; the lower one has 1
constexpr double kGaussPlace = 5;   // centres (−5, −5) and (5, 5), unit variance
constexpr Index kGroups = 4;        // parabola × Gaussian

Generated make(const Usual& usual, const Sizes& size, double thickness, double noise_range, std::uint64_t seed) {
  Rng rng = stream(usual.set, seed);
  RowMatrix X = table(size.samples, size.features);
  std::vector<int> parabola, gauss;
  for (Index i = 0; i < size.samples; ++i) {
    const int group = group_of(i, kGroups);
    parabola.push_back(group & 1);
    gauss.push_back(group >> 1);
    const double t = rng.uniform(-kHalfWidth, kHalfWidth);
    const bool upper = parabola.back() == 1;
    X(i, 0) = (upper ? kHalfWidth + t : t) + thickness * rng.normal();
    X(i, 1) = (upper ? kUpperHeight - kUpperBend * t * t : t * t) + thickness * rng.normal();
    for (Index j = 2; j < 4; ++j) X(i, j) = (gauss.back() == 1 ? kGaussPlace : -kGaussPlace) + rng.normal();
    for (Index j = 4; j < size.features; ++j) X(i, j) = rng.uniform(-noise_range, noise_range);
  }
  return assemble(usual, std::move(X), feature_names(4, size.features),
                  {{"original", two_classes(std::move(gauss))}, {"alternative", two_classes(std::move(parabola))}});
}

constexpr double kUsualThickness = 0.1;

}  // namespace

Generated moons(const GenerateOptions& options, std::uint64_t seed) {
  constexpr Usual usual{.set = "moons",
                        .samples = 400,
                        .features = 4,
                        .noise = kUsualThickness,
                        .min_samples = kGroups,
                        .min_features = 4,
                        .max_features = 4,
                        .features_reason = "there are two for each clustering (noisy-moons takes more)"};
  const Sizes size = sizes(usual, options);
  return make(usual, size, size.noise, 0, seed);
}

Generated noisy_moons(const GenerateOptions& options, std::uint64_t seed) {
  constexpr Usual usual{.set = "noisy-moons",
                        .samples = 200,
                        .features = 7,
                        .noise = 10,
                        .min_samples = kGroups,
                        .min_features = 4,
                        .features_reason = "there are two for each clustering"};
  const Sizes size = sizes(usual, options);
  return make(usual, size, kUsualThickness, size.noise, seed);
}

}  // namespace ritz::synthetic
