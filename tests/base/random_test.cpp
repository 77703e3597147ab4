// SPDX-License-Identifier: MIT
#include "ritz/base/random.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <set>

using namespace ritz;

TEST_CASE("philox agrees with the known answers of Random123") {
  using Words = std::array<std::uint32_t, 4>;
  constexpr std::uint32_t kOnes = 0xffffffff;

  CHECK(philox4x32({0, 0, 0, 0}, {0, 0}) == Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
  CHECK(philox4x32({kOnes, kOnes, kOnes, kOnes}, {kOnes, kOnes}) ==
        Words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd});
  CHECK(philox4x32({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}) ==
        Words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1});
}

TEST_CASE("a stream is its seed, name and place, and nothing else") {
  const auto first = [](std::uint64_t seed, std::string_view name, std::uint64_t place) {
    return Rng(seed, name, place).bits();
  };

  CHECK(first(1, "kmeans", 0) == first(1, "kmeans", 0));
  const std::set<std::uint64_t> different = {
      first(1, "kmeans", 0), first(2, "kmeans", 0),          first(1, "secants", 0),        first(1, "kmeans", 1),
      first(1, "", 0),       first(1ull << 32, "kmeans", 0), first(1, "kmeans", 1ull << 33)};
  CHECK(different.size() == 7);
}

TEST_CASE("two streams are uncorrelated") {
  constexpr int kDraws = 20000;
  Rng a(0, "a"), b(0, "b"), place(0, "a", 1);
  double with_name = 0, with_place = 0;

  for (int i = 0; i < kDraws; ++i) {
    const double x = a.normal();
    with_name += x * b.normal();
    with_place += x * place.normal();
  }

  // Five standard deviations; the draws are fixed, so this holds always or never.
  CHECK(std::abs(with_name) < 5 * std::sqrt(kDraws));
  CHECK(std::abs(with_place) < 5 * std::sqrt(kDraws));
}

TEST_CASE("uniform numbers fill their interval evenly and stay inside") {
  constexpr int kDraws = 40000, kBins = 20;
  Rng random(3, "test.uniform");
  std::array<int, kBins> bins{};

  for (int i = 0; i < kDraws; ++i) {
    const double x = random.uniform();
    REQUIRE(x >= 0);
    REQUIRE(x < 1);
    ++bins[std::size_t(x * kBins)];
    const double y = random.uniform(-3, -2);
    REQUIRE(y >= -3);
    REQUIRE(y < -2);
  }

  const double expected = double(kDraws) / kBins;
  for (const int count : bins) CHECK(std::abs(count - expected) < 5 * std::sqrt(expected));
}

TEST_CASE("normal numbers have the moments of the normal distribution") {
  constexpr int kDraws = 100000;
  const Vector x = Rng(5, "test.normal").normal_matrix(kDraws, 1);

  CHECK(std::abs(x.mean()) < 5 / std::sqrt(kDraws));
  CHECK(std::abs(x.cwiseAbs2().mean() - 1) < 5 * std::sqrt(2.0 / kDraws));
  CHECK(std::abs(x.array().pow(4).mean() - 3) < 5 * std::sqrt(96.0 / kDraws));
  CHECK(x.allFinite());
}

TEST_CASE("below is even, also where the range does not divide a power of two") {
  constexpr int kDraws = 60000;
  for (const Index count : {1, 2, 3, 7, 10}) {
    Rng random(7, "test.below");
    std::vector<int> seen(std::size_t(count), 0);
    for (int i = 0; i < kDraws; ++i) {
      const Index value = random.below(count);
      REQUIRE(value >= 0);
      REQUIRE(value < count);
      ++seen[std::size_t(value)];
    }
    const double expected = double(kDraws) / double(count);
    for (const int times : seen) CHECK(std::abs(times - expected) <= 5 * std::sqrt(expected));
  }
}

TEST_CASE("below stays even in ranges where plain remainders would be twice as likely") {
  // Of a range of ¾·2⁶³ the lower third would come up twice as often under a 63-bit remainder.
  constexpr Index kRange = 3 * (Index(1) << 61);
  constexpr int kDraws = 30000;
  Rng random(8, "test.below");
  int low = 0;

  for (int i = 0; i < kDraws; ++i) low += random.below(kRange) < kRange / 3;

  CHECK(std::abs(low - kDraws / 3.0) < 5 * std::sqrt(kDraws * 2.0 / 9.0));
}

TEST_CASE("permutations and samples are what they say") {
  CHECK(rc::check("permutation, sample", [] {
    const Index count = *rc::gen::inRange<Index>(0, 50), size = *rc::gen::inRange<Index>(0, count + 1);
    Rng random(std::uint64_t(*rc::gen::inRange(0, 1000)), "test.permutation");

    std::vector<Index> order = random.permutation(count);
    const std::vector<Index> chosen = random.sample(count, size);

    std::ranges::sort(order);
    for (Index i = 0; i < count; ++i) RC_ASSERT(order[std::size_t(i)] == i);
    RC_ASSERT(Index(chosen.size()) == size);
    RC_ASSERT(std::ranges::is_sorted(chosen));
    RC_ASSERT(std::ranges::adjacent_find(chosen) == chosen.end());
    RC_ASSERT((chosen.empty() || (chosen.front() >= 0 && chosen.back() < count)));
  }));
}

TEST_CASE("every order of three comes up equally often") {
  constexpr int kDraws = 12000;
  Rng random(9, "test.orders");
  std::map<std::vector<Index>, int> seen;

  for (int i = 0; i < kDraws; ++i) ++seen[random.permutation(3)];

  REQUIRE(seen.size() == 6);
  for (const auto& [order, times] : seen) CHECK(std::abs(times - kDraws / 6.0) < 5 * std::sqrt(kDraws / 6.0));
}
