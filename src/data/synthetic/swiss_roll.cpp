// SPDX-License-Identifier: MIT
// A flat strip rolled up without stretching: what an unfolding should give back is known exactly.
#include <cmath>
#include <numbers>

#include "data/synthetic/common.hpp"

namespace ritz::synthetic {
namespace {

constexpr double kInnerAngle = 1.5 * std::numbers::pi;
constexpr double kOuterAngle = 4.5 * std::numbers::pi;
constexpr double kWidth = 21;
constexpr Index kBands = 4;

// Length of the spiral (radius = angle) from its middle.
double arc_length(double angle) { return 0.5 * (angle * std::sqrt(1 + angle * angle) + std::asinh(angle)); }

// Newton's method on a convex increasing function, from the right: it falls monotonically to the root.
double angle_at(double length) {
  constexpr int kEnoughSteps = 50;
  double angle = kOuterAngle;
  for (int step = 0; step < kEnoughSteps; ++step) {
    const double change = (arc_length(angle) - length) / std::sqrt(1 + angle * angle);
    angle -= change;
    if (std::abs(change) <= 1e-14 * angle) break;
  }
  return angle;
}

}  // namespace

Generated swiss_roll(const GenerateOptions& options, std::uint64_t seed) {
  constexpr Usual usual{.set = "swiss-roll",
                        .samples = 800,
                        .features = 3,
                        .noise = 0,
                        .min_samples = kBands,
                        .min_features = 3,
                        .max_features = 3,
                        .features_reason = "the roll lies in space"};
  const Sizes size = sizes(usual, options);
  Rng rng = stream(usual.set, seed);
  const double begin = arc_length(kInnerAngle);
  const double length = arc_length(kOuterAngle) - begin;
  RowMatrix X = table(size.samples, size.features);
  RowMatrix parameters = table(size.samples, 2);
  std::vector<int> band;
  for (Index i = 0; i < size.samples; ++i) {
    // Uniform in length, not in angle: then the strip is evenly filled.
    band.push_back(group_of(i, kBands));
    const double along = length * (band.back() + rng.uniform()) / double(kBands);
    const double across = rng.uniform(0, kWidth);
    const double angle = angle_at(begin + along);
    parameters.row(i) << along, across;
    X.row(i) << angle * std::cos(angle), across, angle * std::sin(angle);
    if (size.noise > 0)
      for (Index j = 0; j < 3; ++j) X(i, j) += size.noise * rng.normal();
  }
  Generated made =
      assemble(usual, std::move(X), feature_names(3, 3), {{"band", labels_of(std::move(band), {"1", "2", "3", "4"})}});
  made.extra.push_back({"parameters", std::move(parameters)});
  return made;
}

}  // namespace ritz::synthetic
