// SPDX-License-Identifier: MIT
// What every loss of the list promises (model/loss.hpp); a new loss is tested by joining the list.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "model/loss_list.hpp"
#include "ritz/base/random.hpp"
#include "support/errors.hpp"

using namespace ritz;

namespace {

constexpr double kReach = 8;    // residuals from −kReach to kReach
constexpr double kGrid = 1e-3;  // of the brute-force supremum
constexpr double kPenalties[] = {0.25, 1.0, 3.0};

template <class Check>
void for_each_loss(Check&& check) {
  for (const std::string& name : loss_names())
    for (const double penalty : kPenalties) {
      CAPTURE(name);
      CAPTURE(penalty);
      const AnyLoss loss = make_loss(name, penalty);
      std::visit([&](const auto& each) { check(each); }, loss);
    }
}

double drawn(Rng& random, double low, double high) { return low == high ? low : random.uniform(low, high); }

// A dual value where the conjugate is finite, and not so far out that its supremum lies beyond kReach.
double dual_value(const Interval& box, double penalty, Rng& random) {
  const double most = 0.5 * kReach * penalty;
  return drawn(random, std::max(box.low, -most), std::min(box.high, most));
}

}  // namespace

TEST_CASE("a loss is found by its name and carries its penalty") {
  for_each_loss([](const auto& loss) {
    const AnyLoss made = make_loss(loss.name, 2.5);
    CHECK(loss_name(made) == loss.name);
    CHECK(std::visit([](const auto& each) { return each.penalty; }, made) == 2.5);
  });
  CHECK(loss_names().size() == std::variant_size_v<AnyLoss>);
  CHECK(test::complaint([] { make_loss("squarehinge", 1); }).says("square-hinge"));
}

TEST_CASE("a loss is convex and its slope is a subgradient in the dual's domain") {
  for_each_loss([](const auto& loss) {
    Rng random(1, "test.loss");
    for (int trial = 0; trial < 300; ++trial) {
      const double a = random.uniform(-kReach, kReach), b = random.uniform(-kReach, kReach);
      CAPTURE(a);
      CAPTURE(b);
      CHECK(loss.value(b) >= loss.value(a) + loss.slope(a) * (b - a) - 1e-12);
      CHECK(loss.slope(a) >= loss.dual_domain().low);
      CHECK(loss.slope(a) <= loss.dual_domain().high);
    }
  });
}

TEST_CASE("a loss's slope is its derivative by central differences") {
  constexpr double h = 1e-6;
  for_each_loss([](const auto& loss) {
    Rng random(2, "test.loss");
    for (int trial = 0; trial < 100; ++trial) {
      const double r = random.uniform(-kReach, kReach);
      if (std::abs(r) < 1e-3) continue;  // the corner of a hinge
      CAPTURE(r);
      const double difference = (loss.value(r + h) - loss.value(r - h)) / (2 * h);
      CHECK(std::abs(loss.slope(r) - difference) <= 1e-7 * loss.penalty * kReach);
    }
  });
}

TEST_CASE("a conjugate is the supremum of alpha r − loss(r) over r") {
  for_each_loss([](const auto& loss) {
    Rng random(3, "test.loss");
    for (int trial = 0; trial < 20; ++trial) {
      const double alpha = dual_value(loss.dual_domain(), loss.penalty, random);
      CAPTURE(alpha);
      double supremum = -std::numeric_limits<double>::infinity();
      for (double r = -kReach; r <= kReach; r += kGrid) supremum = std::max(supremum, alpha * r - loss.value(r));
      CHECK(supremum <= loss.conjugate(alpha) + 1e-9);
      CHECK(supremum >= loss.conjugate(alpha) - loss.penalty * kGrid * kGrid - 1e-9);
    }
  });
}

TEST_CASE("outside its domain the supremum has no bound") {
  for_each_loss([](const auto& loss) {
    const Interval box = loss.dual_domain();
    const auto grows = [&](double alpha) {  // αr − ℓ(r) towards one of the ends
      const auto at = [&](double r) { return alpha * r - loss.value(r); };
      return std::max(at(1e6) - at(1e5), at(-1e6) - at(-1e5)) > 0.01 * loss.penalty * 1e5;
    };
    if (std::isfinite(box.low)) CHECK(grows(box.low - 0.5 * loss.penalty));
    if (std::isfinite(box.high)) CHECK(grows(box.high + 0.5 * loss.penalty));
  });
}

TEST_CASE("the inequality of Fenchel and Young is an equality at the slope") {
  for_each_loss([](const auto& loss) {
    Rng random(4, "test.loss");
    for (int trial = 0; trial < 300; ++trial) {
      const double r = random.uniform(-kReach, kReach);
      const double alpha = dual_value(loss.dual_domain(), loss.penalty, random);
      CAPTURE(r);
      CAPTURE(alpha);
      const double size = 1 + loss.penalty * kReach * kReach;
      CHECK(loss.value(r) + loss.conjugate(alpha) >= alpha * r - 1e-13 * size);
      const double slope = loss.slope(r);
      CHECK(std::abs(loss.value(r) + loss.conjugate(slope) - slope * r) <= 1e-13 * size);
    }
  });
}

TEST_CASE("a conjugate's derivatives are its differences") {
  constexpr double h = 1e-4;
  for_each_loss([](const auto& loss) {
    Rng random(5, "test.loss");
    for (int trial = 0; trial < 100; ++trial) {
      const double a = dual_value(loss.dual_domain(), loss.penalty, random);
      CAPTURE(a);
      const double first = (loss.conjugate(a + h) - loss.conjugate(a - h)) / (2 * h);
      const double second = (loss.conjugate_slope(a + h) - loss.conjugate_slope(a - h)) / (2 * h);
      CHECK(loss.conjugate_slope(a) == doctest::Approx(first).epsilon(1e-7));
      CHECK(loss.conjugate_curvature() == doctest::Approx(second).epsilon(1e-7));
    }
  });
}

TEST_CASE("the curvature of a loss is the derivative of its slope, and its shape gives the same values") {
  for_each_loss([](const auto& loss) {
    const double h = 1e-6, C = loss.penalty;
    for (double r = -2.05; r < 2; r += 0.3) {
      CAPTURE(r);
      CHECK(loss.curvature(r) == doctest::Approx((loss.slope(r + h) - loss.slope(r - h)) / (2 * h)).epsilon(1e-6));
      const double positive = std::max(r, 0.0);
      switch (loss.shape) {
        case LossShape::linear:
          CHECK(loss.value(r) == doctest::Approx(C * r));
          break;
        case LossShape::hinge:
          CHECK(loss.value(r) == doctest::Approx(C * positive));
          break;
        case LossShape::square_hinge:
          CHECK(loss.value(r) == doctest::Approx(C / 2 * positive * positive));
          break;
        case LossShape::square:
          CHECK(loss.value(r) == doctest::Approx(C / 2 * r * r));
          break;
        case LossShape::none:
          break;
      }
    }
  });
}
