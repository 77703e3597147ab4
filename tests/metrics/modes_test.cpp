// SPDX-License-Identifier: MIT
#include "metrics/modes.hpp"

#include <doctest/doctest.h>

using namespace ritz;

namespace {

// As the definition has it: all pairs of intervals between samples.
double by_all_intervals(std::vector<double> x) {
  std::ranges::sort(x);
  const std::size_t n = x.size();
  double most = 0;
  for (int step = -4; step <= 60; ++step) {
    const double lambda = std::exp2(step / 4.0) / (x.back() - x.front());
    const auto held = [&](std::size_t a, std::size_t b) {
      return double(b - a + 1) / double(n) - lambda * (x[b] - x[a]);
    };
    double one = 0, two = 0;
    for (std::size_t a = 0; a < n; ++a)
      for (std::size_t b = a; b < n; ++b) {
        one = std::max(one, held(a, b));
        for (std::size_t c = b + 1; c < n; ++c)
          for (std::size_t d = c; d < n; ++d) two = std::max(two, held(a, b) + held(c, d));
      }
    most = std::max(most, std::max(one, two) - one);
  }
  return most;
}

template <class Draw>
std::vector<double> drawn(std::size_t n, Draw&& draw) {
  std::vector<double> values(n);
  for (double& each : values) each = draw();
  return values;
}

}  // namespace

TEST_CASE("a_second_interval_gains_what_all_pairs_of_intervals_say") {
  Rng random(3, "test");
  for (int i = 0; i < 20; ++i) {
    const std::vector<double> x = drawn(9, [&] { return random.normal() + (random.uniform() < 0.5 ? 3 : 0); });
    CHECK(second_peak(x) == doctest::Approx(by_all_intervals(x)));
  }
}

TEST_CASE("unit_and_origin_do_not_matter") {
  Rng random(4, "test");
  std::vector<double> x = drawn(50, [&] { return random.normal(); });
  const double before = second_peak(x);
  for (double& each : x) each = 1e6 - 1e-3 * each;
  CHECK(second_peak(x) == doctest::Approx(before).epsilon(1e-4));
}

TEST_CASE("one_peak_is_seldom_taken_for_two") {
  Rng random(5, "test");
  for (const int shape : {0, 1, 2, 3}) {
    int called = 0;
    for (int i = 0; i < 100; ++i) {
      const auto one = [&] {
        const double z = random.normal();
        return shape == 0 ? random.uniform() : shape == 1 ? z : shape == 2 ? std::exp(z) : std::round(3 * z);
      };
      called += second_peak_p(drawn(80, one), Rng(i, "null")) < 0.05 ? 1 : 0;
    }
    CHECK_MESSAGE(called <= 13, "shape ", shape);  // 5 of 100 are allowed; 13 come by chance once in a thousand tests
  }
}

TEST_CASE("two_groups_are_found_and_two_values_are_none") {
  Rng random(6, "test");
  const auto groups = drawn(60, [&] { return random.normal() + (random.uniform() < 0.5 ? 6 : 0); });
  const auto flags = drawn(60, [&] { return random.uniform() < 0.5 ? 1.0 : 0.0; });
  CHECK(second_peak_p(groups, Rng(1, "null")) < 1e-4);
  CHECK(second_peak_p(flags, Rng(1, "null")) == 1);
  CHECK(second_peak(flags) < 0.1);
  CHECK(second_peak({}) == 0);
  CHECK(second_peak({2, 2, 2}) == 0);
}
