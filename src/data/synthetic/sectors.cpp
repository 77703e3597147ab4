// SPDX-License-Identifier: MIT
// The demonstration set for supervised dimension reduction: a ring cut into six sectors, opposite ones of the same
// class. The ring's plane lies across four features, together with two directions of noise, and among further features
// of noise only; all noise has a larger variance than the ring, so that principal components show nothing of it. No
// straight line separates the classes, as each lies on both sides of the centre.
#include <cmath>
#include <numbers>

#include "data/synthetic/common.hpp"

namespace ritz::synthetic {
namespace {

constexpr int kClasses = 3;
constexpr Index kSignalFeatures = 4;
constexpr double kInnerRadius = 0.7, kOuterRadius = 1.3;
constexpr double kFilledShare = 0.75;  // of a sector; the rest is the gap to its neighbours
// One sample in three lies on the opposite side. At one in two the class means would coincide, and methods that start
// from them, as spectral initialisation does, would see nothing at all.
constexpr Index kSides = 3;
// Spread of the two hidden directions for noise 1; a little above the ring's own 0.72.
constexpr double kHiddenSpread = 0.75;

// Rows: the ring's two directions, then the two of noise, in the four signal features. Orthogonal, and no entry is
// zero: every signal feature is needed.
constexpr double kMix[kSignalFeatures][kSignalFeatures] = {
    {0.5, 0.5, 0.5, 0.5}, {0.5, -0.5, 0.5, -0.5}, {0.5, 0.5, -0.5, -0.5}, {0.5, -0.5, -0.5, 0.5}};

std::vector<std::string> names(Index features) {
  std::vector<std::string> all = {"signal_a", "signal_b", "signal_c", "signal_d"};
  for (Index j = kSignalFeatures; j < features; ++j) all.push_back(numbered("noise_", j - kSignalFeatures + 1));
  return all;
}

}  // namespace

Generated sectors(const GenerateOptions& options, std::uint64_t seed) {
  constexpr Usual usual{.set = "sectors",
                        .samples = 600,
                        .features = 10,
                        .noise = 1,
                        .min_samples = kClasses,
                        .min_features = kSignalFeatures,
                        .features_reason = "four of them carry the signal"};
  auto [size, rng, X] = begun(usual, options, seed);
  RowMatrix plane = table(size.samples, 2);
  std::vector<int> of;
  for (Index i = 0; i < size.samples; ++i) {
    of.push_back(group_of(i, kClasses));
    const bool opposite = group_of(i / kClasses, kSides) == kSides - 1;
    const double sector = of.back() + (opposite ? kClasses : 0) + kFilledShare * rng.uniform(-0.5, 0.5);
    const double angle = sector * std::numbers::pi / kClasses;
    const double radius = rng.uniform(kInnerRadius, kOuterRadius);
    plane.row(i) << radius * std::cos(angle), radius * std::sin(angle);
    double hidden[kSignalFeatures] = {plane(i, 0), plane(i, 1)};
    for (Index m = 2; m < kSignalFeatures; ++m) hidden[m] = kHiddenSpread * size.noise * rng.normal();
    for (Index j = 0; j < kSignalFeatures; ++j) {
      X(i, j) = 0;
      for (Index m = 0; m < kSignalFeatures; ++m) X(i, j) += hidden[m] * kMix[m][j];
    }
    for (Index j = kSignalFeatures; j < size.features; ++j) X(i, j) = size.noise * rng.normal();
  }
  Generated made =
      assemble(usual, std::move(X), names(size.features), {{"class", labels_of(std::move(of), {"a", "b", "c"})}});
  made.extra.push_back({"plane", std::move(plane)});
  return made;
}

}  // namespace ritz::synthetic
