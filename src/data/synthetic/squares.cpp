// SPDX-License-Identifier: MIT
// Pictures of a white square that slides over a black ground: a two-dimensional family, curved in the pixels' space.
#include <algorithm>
#include <cmath>

#include "data/synthetic/common.hpp"
#include "ritz/base/error.hpp"

namespace ritz::synthetic {
namespace {

// The part of pixel [pixel, pixel + 1] that [begin, begin + length] covers. A picture is the product of two such
// rows, so a shift by less than a pixel shows as grey edges.
double covered(Index pixel, double begin, double length) {
  return std::max(0.0, std::min(double(pixel + 1), begin + length) - std::max(double(pixel), begin));
}

}  // namespace

Generated squares(const GenerateOptions& options, std::uint64_t seed) {
  constexpr Usual usual{.set = "squares",
                        .samples = 60,
                        .features = 49,
                        .noise = 0,
                        .min_features = 4,
                        .features_reason = "a picture has at least 2 × 2 pixels"};
  constexpr double kShareOfSide = 3.0 / 7;  // 3 pixels of 7, 6 of 14
  const Sizes size = sizes(usual, options);
  const auto side = Index(std::lround(std::sqrt(double(size.features))));
  if (side * side != size.features)
    throw Error(ErrorCode::bad_option, "squares: features is " + std::to_string(size.features) +
                                           "; it must be a square number such as 49 or 196, one feature a pixel");

  Rng rng = stream(usual.set, seed);
  const double length = kShareOfSide * double(side);
  RowMatrix X = table(size.samples, size.features);
  RowMatrix corner = table(size.samples, 2);
  for (Index i = 0; i < size.samples; ++i) {
    corner(i, 0) = rng.uniform(0, double(side) - length);
    corner(i, 1) = rng.uniform(0, double(side) - length);
    for (Index row = 0; row < side; ++row)
      for (Index col = 0; col < side; ++col)
        X(i, row * side + col) = covered(col, corner(i, 0), length) * covered(row, corner(i, 1), length);
    if (size.noise > 0)
      for (Index j = 0; j < size.features; ++j) X(i, j) += size.noise * rng.normal();
  }
  std::vector<std::string> names;
  for (Index j = 0; j < size.features; ++j)
    names.push_back(numbered(numbered("pixel_", j / side + 1) + "_", j % side + 1));
  Generated made = assemble(usual, std::move(X), std::move(names), {});
  made.extra.push_back({"corner", std::move(corner)});
  return made;
}

}  // namespace ritz::synthetic
