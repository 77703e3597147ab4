// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include "ritz/pairs/pair_pass.hpp"

using namespace ritz;

TEST_CASE("the plan takes the cheaper exact route and says why") {
  const KernelTerm cubic = parse_kernel("polynomial(degree=3)")[0], gaussian = parse_kernel("gaussian")[0];

  const PairRoute many = plan_pairs(cubic, {60000, 784, 10, 10, true}),
                  few = plan_pairs(cubic, {200, 960, 20, 20, false});

  CHECK_FALSE(many.tiled);
  CHECK(many.reason.find("exact sums by class") != std::string::npos);
  CHECK(few.tiled);
  CHECK(plan_pairs(gaussian, {100000, 10, 2, 3, true}, RouteChoice::direct).tiled);
  CHECK_FALSE(plan_pairs(parse_kernel("linear")[0], {100, 10, 2, 3, true}).tiled);
}
