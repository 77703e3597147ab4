// SPDX-License-Identifier: MIT
#include "linalg/optimise/lbfgsb.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

using namespace ritz;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// ½Σ c_i(x_i − t_i)² within the bounds, c = 1, 2, 3, …
Vector minimiser(const Vector& target, double low, double high) {
  BoundedLbfgs search(Vector::Constant(target.size(), std::isinf(low) ? 0.0 : low), low, high);
  const Vector c = Vector::LinSpaced(target.size(), 1, double(target.size()));
  Vector x;
  for (int k = 0; k < 200; ++k) {
    const auto wanted = search.wanted();
    if (!wanted) break;
    x = *wanted;
    search.tell(0.5 * (x - target).cwiseAbs2().dot(c), c.cwiseProduct(x - target));
  }
  return x;
}

}  // namespace

TEST_CASE("a bounded minimum is the target, or the bound that it lies beyond") {
  const Vector target = Vector::LinSpaced(9, -2, 2);
  CHECK((minimiser(target, -kInfinity, kInfinity) - target).norm() <= 1e-6);
  CHECK((minimiser(target, 0, kInfinity) - target.cwiseMax(0)).norm() <= 1e-6);
  CHECK((minimiser(target, -1, 1) - target.cwiseMax(-1).cwiseMin(1)).norm() <= 1e-6);
}
