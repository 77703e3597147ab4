// SPDX-License-Identifier: MIT
// Four Gaussian clusters in different surroundings. Places and spreads are those of the alternative-clustering paper's
// published files.
#include "data/synthetic/common.hpp"

namespace ritz::synthetic {
namespace {

constexpr Index kCorners = 4;

// Bits of the corner number: which half in the first and in the second direction.
int first_half(int corner) { return corner & 1; }
int second_half(int corner) { return corner >> 1; }
double side(int half) { return half == 0 ? -1 : 1; }

struct CornerLabels {
  std::vector<int> first, second;
  void add(int corner) {
    first.push_back(first_half(corner));
    second.push_back(second_half(corner));
  }
};

}  // namespace

Generated small_gauss(const GenerateOptions& options, std::uint64_t seed) {
  constexpr Usual usual{.set = "small-gauss",
                        .samples = 40,
                        .features = 2,
                        .noise = 0.1,
                        .min_samples = kCorners,
                        .min_features = 2,
                        .max_features = 2,
                        .features_reason = "the clusters are the corners of a square"};
  constexpr double kHalfSide = 2.5;
  auto [size, rng, X] = begun(usual, options, seed);
  CornerLabels truth;
  for (Index i = 0; i < size.samples; ++i) {
    const int corner = group_of(i, kCorners);
    X(i, 0) = kHalfSide * side(first_half(corner)) + size.noise * rng.normal();
    X(i, 1) = kHalfSide * side(second_half(corner)) + size.noise * rng.normal();
    truth.add(corner);
  }
  return assemble(
      usual, std::move(X), feature_names(2, 2),
      {{"feature1", two_classes(std::move(truth.first))}, {"feature2", two_classes(std::move(truth.second))}});
}

Generated large_gauss(const GenerateOptions& options, std::uint64_t seed) {
  constexpr Usual usual{.set = "large-gauss",
                        .samples = 1000,
                        .features = 4,
                        .noise = 20,
                        .min_samples = kCorners,
                        .min_features = 3,
                        .features_reason = "the clusters lie in three features"};
  constexpr double kHalfSide = 10;
  auto [size, rng, X] = begun(usual, options, seed);
  CornerLabels truth;
  for (Index i = 0; i < size.samples; ++i) {
    // A square of clusters turned by 45 degrees about the third axis: its first direction is x1 = x2.
    const int corner = group_of(i, kCorners);
    const double along[] = {side(first_half(corner)), side(first_half(corner)), side(second_half(corner))};
    for (Index j = 0; j < 3; ++j) X(i, j) = kHalfSide * along[j] + rng.normal();
    for (Index j = 3; j < size.features; ++j) X(i, j) = rng.uniform(-size.noise, size.noise);
    truth.add(corner);
  }
  return assemble(
      usual, std::move(X), feature_names(3, size.features),
      {{"original", two_classes(std::move(truth.second))}, {"alternative", two_classes(std::move(truth.first))}});
}

Generated diamond(const GenerateOptions& options, std::uint64_t seed) {
  constexpr Usual usual{.set = "diamond",
                        .samples = 128,
                        .features = 64,
                        .noise = 30,
                        .min_samples = kCorners,
                        .min_features = 2,
                        .features_reason = "the clusters lie in two features"};
  constexpr double kRadius = 10;
  constexpr double kPlaces[kCorners][2] = {{0, kRadius}, {kRadius, 0}, {0, -kRadius}, {-kRadius, 0}};
  auto [size, rng, X] = begun(usual, options, seed);
  std::vector<int> cluster;
  for (Index i = 0; i < size.samples; ++i) {
    cluster.push_back(group_of(i, kCorners));
    for (Index j = 0; j < 2; ++j) X(i, j) = kPlaces[cluster.back()][j] + rng.normal();
    for (Index j = 2; j < size.features; ++j) X(i, j) = rng.uniform(-size.noise, size.noise);
  }
  return assemble(usual, std::move(X), feature_names(2, size.features),
                  {{"cluster", labels_of(std::move(cluster), {"0", "1", "2", "3"})}});
}

}  // namespace ritz::synthetic
