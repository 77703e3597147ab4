// SPDX-License-Identifier: MIT
#include "ritz/pairs/distance_sweep.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "ritz/base/random.hpp"
#include "ritz/pairs/backend.hpp"
#include "support/drawn_cloud.hpp"

using namespace ritz;
using namespace ritz::test;

namespace {

template <class Use>
void for_each_backend(const Use& use) {
  for (Backend* backend : backends())
    if (backend->available()) use(*backend);
}

}  // namespace

TEST_CASE("a sweep finds the extremes of an independent double loop, over all pairs or listed ones") {
  for_each_backend([](Backend& backend) {
    for (const Index n : {2, 3, 40, 700}) {  // more than one tile
      const RowMatrix X = cloud(n, 12, std::uint64_t(n));
      const Matrix psi = Rng(1, "psi").normal_matrix(5, 12) / std::sqrt(5.0);
      const DistanceRequest request{.band = 0.5, .listed = 20, .bins = 50};
      const Extremes truth = measured(X, psi, 0.5);
      for (const bool listed : {false, true}) {
        if (listed && n > 100) continue;
        const auto pairs = listed ? all_pairs(n) : std::vector<WeightedPair>{};

        const DistanceFacts sweep = backend.distance_sweep(X, pairs, {})->sweep(psi, request, {});

        CHECK(sweep.pairs == truth.pairs);
        CHECK(sweep.beyond == truth.beyond);
        CHECK(sweep.lowest == doctest::Approx(truth.lowest).epsilon(1e-12));
        CHECK(sweep.highest == doctest::Approx(truth.highest).epsilon(1e-12));
        CHECK(sweep.distortion == doctest::Approx(truth.distortion).epsilon(1e-12));
        Index counted = 0;
        for (const Index count : sweep.histogram) counted += count;
        CHECK(counted == truth.pairs);
        REQUIRE(!sweep.worst.empty());
        for (const MeasuredPair& pair : sweep.worst)
          CHECK(pair.ratio == doctest::Approx(ratio(X, psi, pair.a, pair.b)).epsilon(1e-11));
        CHECK(sweep.worst.front().distortion() == sweep.distortion);
      }
    }
  });
}

TEST_CASE("leading principal coordinates hide no pair, where a first look at them is enough for most") {
  for_each_backend([](Backend& backend) {
    const Index n = 700, d = 96;
    RowMatrix X = cloud(n, d, 9);  // in few dimensions nearly all of it
    const Matrix turn = Rng(2, "turn").normal_matrix(d, d);
    X = RowMatrix(X * turn);
    for (const Index r : {3, 12, 60}) {
      const Matrix psi = Rng(3, "psi").normal_matrix(r, d) / std::sqrt(double(r));
      for (const double band : {0.1, 0.6, 0.9, 1e300}) {
        CAPTURE(r);
        CAPTURE(band);
        const Extremes truth = measured(X, psi, band);
        const DistanceFacts found = backend.distance_sweep(X, {}, {})->sweep(psi, {.band = band, .listed = 5}, {});
        CHECK(found.lowest == doctest::Approx(truth.lowest).epsilon(1e-10));
        CHECK(found.highest == doctest::Approx(truth.highest).epsilon(1e-10));
        CHECK(found.beyond == truth.beyond);
        CHECK(found.pairs == truth.pairs);
      }
    }
  });
}

TEST_CASE("near and far points are measured alike") {
  // Pairs a billionth apart beside clusters at a distance of a thousand: nothing is left of them in single precision.
  RowMatrix X = cloud(60, 6, 5);
  for (Index i = 0; i < 30; ++i) {
    X.row(30 + i) = X.row(i) + 1e-9 * Eigen::RowVectorXd::Unit(6, i % 6);
    X.row(i).array() += i % 2 == 0 ? 1000 : 0;
    X.row(30 + i).array() += i % 2 == 0 ? 1000 : 0;
  }
  Matrix psi = Matrix::Identity(6, 6);
  psi(5, 5) = 0.5;
  const Extremes truth = measured(X, psi);
  CHECK(truth.distortion > 0.7);

  for_each_backend([&](Backend& backend) {
    const DistanceFacts sweep = backend.distance_sweep(X, {}, {})->sweep(psi, {}, {});
    CHECK(sweep.distortion == doctest::Approx(truth.distortion).epsilon(1e-9));
  });
}

TEST_CASE("many points too near to tell do not hide the worst of the others") {
  // A cluster far too tight for single precision gives thousands of such pairs in the tile of two outliers.
  RowMatrix X = 1e-5 * cloud(200, 4, 8);
  X.row(190) << 3, 0, 0, 0.1;
  X.row(195) << 3, 1, 0, 0.3;
  X.row(60) << 0, 0, 0, 5;
  Matrix psi = Matrix::Identity(4, 4);
  psi(3, 3) = 1.6;
  const Extremes truth = measured(X, psi);

  for_each_backend([&](Backend& backend) {
    const DistanceFacts sweep = backend.distance_sweep(X, {}, {})->sweep(psi, {}, {});
    CHECK(sweep.highest == doctest::Approx(truth.highest).epsilon(1e-9));
    CHECK(sweep.lowest == doctest::Approx(truth.lowest).epsilon(1e-9));
  });
}

TEST_CASE("the identity keeps every distance, to the last bit") {
  RowMatrix X = cloud(300, 6, 4);
  X.row(7) = X.row(3);
  const DistanceRequest request{.band = 0.1, .listed = 4, .bins = 20};

  for_each_backend([&](Backend& backend) {
    for (const bool listed : {false, true}) {
      const auto sweep = backend.distance_sweep(X, listed ? all_pairs(300) : std::vector<WeightedPair>{}, {});
      const DistanceFacts facts = sweep->sweep(Matrix::Identity(6, 6), request, {});
      CHECK(facts.lowest == 1);
      CHECK(facts.highest == 1);
      CHECK(facts.distortion == 0);
      CHECK(facts.beyond == 0);
      CHECK(facts.pairs == 300 * 299 / 2 - 1);
      CHECK(facts.histogram.at(9) + facts.histogram.at(10) == facts.pairs);  // 1 is where they meet
      CHECK(sweep->sweep(Matrix::Identity(6, 6), {}, {}).histogram.empty());
      REQUIRE(!facts.worst.empty());
      CHECK(facts.worst[0].ratio == 1);
    }
  });
}

TEST_CASE("coincident points have no secant") {
  RowMatrix X = cloud(20, 4, 1);
  X.row(7) = X.row(3);
  X.row(9) = X.row(3);
  X.row(13) = X.row(12);
  X(12, 1) = 0.0, X(13, 1) = -0.0;

  for_each_backend([&](Backend& backend) {
    const auto sweep = backend.distance_sweep(X, {}, {});
    CHECK(sweep->coincident() == 4);
    CHECK(sweep->pairs() == 190 - 4);
    CHECK(backend.distance_sweep(X, all_pairs(20), {})->pairs() == 190 - 4);
  });
}

namespace {

// A draw of points and a map that a sweep could get wrong: ratios on one side of 1, ties, duplicates, near pairs,
// points far from 0, scales of all sizes.
struct Adversary {
  RowMatrix X;
  Matrix psi;
  explicit Adversary(std::uint64_t seed) {
    Rng draw(seed, "adversary");
    const auto among = [&](std::initializer_list<double> of) { return of.begin()[draw.below(Index(of.size()))]; };
    const Index n = 2 + draw.below(seed % 50 == 0 ? 700 : 60), d = 1 + draw.below(6);
    X = draw.normal_matrix(n, d);
    switch (draw.below(6)) {
      case 0:
        X = X.array().round();
        break;  // duplicates and ties
      case 1:
        X.array() += among({1e3, 1e8, 1e15});
        break;  // far from 0
      case 2:
        for (Index i = 1; i < n; i += 2) X.row(i) = X.row(i - 1) + 1e-9 * X.row(i);
        break;  // near pairs
      case 3:
        X.topRows(n - 1) *= among({1e-3, 1e-8, 1e-30});
        break;  // one far away
      default:
        break;
    }
    X *= among({1, 1, 1, 1e-160, 1e-30, 1e30, 1e160, 1e300 / (1 + X.cwiseAbs().maxCoeff())});
    const Index r = 1 + draw.below(d);
    Vector stretch(d);
    switch (draw.below(5)) {
      case 0:
        psi = draw.normal_matrix(r, d) / std::sqrt(double(r));
        break;
      case 1:
        psi = Matrix::Identity(r, d);
        break;
      default:  // all ratios on one side of 1, or around it
        for (Index c = 0; c < d; ++c) stretch(c) = std::sqrt(among({1, 1, 1.31, 1.03, 1 + 1e-7, 0.7, 0.99}));
        if (draw.below(2) == 0)
          stretch = stretch.cwiseMax(1.0);
        else if (draw.below(2) == 0)
          stretch = stretch.cwiseMin(1.0);
        psi = stretch.asDiagonal();
    }
    psi *= among({1, 1, 1, 1, 1e-3, 1e-30, 1e-200, 1e3, 1e30, 1e120});
  }
};

struct Naive {
  long double lowest = 1e4000L, highest = 0;
  Index pairs = 0, surely = 0, perhaps = 0;  // beyond the band
};
Naive naive(const RowMatrix& X, const Matrix& psi, double band) {
  using Wide = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;
  const Wide wide = psi.cast<long double>();
  Naive found;
  for (Index a = 0; a < X.rows(); ++a)
    for (Index b = a + 1; b < X.rows(); ++b) {
      const Wide difference = (X.row(a).cast<long double>() - X.row(b).cast<long double>()).transpose();
      if (difference.isZero(0)) continue;
      const long double ratio = (wide * difference).squaredNorm() / difference.squaredNorm();
      found.lowest = std::min(found.lowest, ratio);
      found.highest = std::max(found.highest, ratio);
      const long double out = std::abs(ratio - 1) - band, slack = 1e-9L * (1 + ratio);
      found.surely += out > slack;
      found.perhaps += out > -slack;
      ++found.pairs;
    }
  return found;
}

bool same(double found, long double truth) {
  if (truth > 1e308L) return found > 1e307;
  return std::abs((long double)(found)-truth) <= 1e-8L * truth + 1e-300L;
}

}  // namespace

#ifdef __SANITIZE_ADDRESS__
constexpr std::uint64_t kDraws = 200;  // sanitizers look for what a few show as well as many
#else
constexpr std::uint64_t kDraws = 4000;
#endif

TEST_CASE("a sweep says what a loop over all pairs says, whatever the points and the map") {
  for_each_backend([](Backend& backend) {
    for (std::uint64_t seed = 0; seed < kDraws; ++seed) {
      const Adversary drawn(seed);
      const double band = seed % 3 == 0 ? 0.02 : seed % 3 == 1 ? 0.3 : std::numeric_limits<double>::infinity();
      const Naive truth = naive(drawn.X, drawn.psi, band);
      if (truth.pairs == 0) continue;

      const DistanceFacts sweep = backend.distance_sweep(drawn.X, {}, {})->sweep(drawn.psi, {.band = band}, {});

      CAPTURE(seed);
      CAPTURE(sweep.lowest);
      CAPTURE(double(truth.lowest));
      CAPTURE(sweep.highest);
      CAPTURE(double(truth.highest));
      REQUIRE(sweep.pairs == truth.pairs);
      REQUIRE(same(sweep.lowest, truth.lowest));
      REQUIRE(same(sweep.highest, truth.highest));
      REQUIRE(sweep.distortion == std::max(sweep.highest - 1, 1 - sweep.lowest));
      REQUIRE(sweep.beyond >= truth.surely);
      REQUIRE(sweep.beyond <= truth.perhaps);
    }
  });
}

TEST_CASE("ratios on one side of 1 do not push the worst pair out") {
  const RowMatrix X = Rng(32, "one side").normal_matrix(34, 2);
  Matrix psi = Matrix::Identity(2, 2);
  psi(0, 0) = std::sqrt(1.31);
  const Extremes truth = measured(X, psi, 0.3);

  for_each_backend([&](Backend& backend) {
    const DistanceFacts sweep = backend.distance_sweep(X, {}, {})->sweep(psi, {.band = 0.3}, {});
    CHECK(sweep.distortion == doctest::Approx(truth.distortion).epsilon(1e-12));
    CHECK(sweep.beyond == truth.beyond);
  });
}

TEST_CASE("a map that is not of numbers keeps no distance") {
  const RowMatrix X = cloud(9, 3, 2);
  for (const double entry : {std::nan(""), std::numeric_limits<double>::infinity(), 1e300})
    for_each_backend([&](Backend& backend) {
      Matrix psi = Matrix::Identity(3, 3);
      psi(1, 2) = entry;
      for (const auto& pairs : {std::vector<WeightedPair>{}, all_pairs(9)}) {
        const DistanceFacts sweep = backend.distance_sweep(X, pairs, {})->sweep(psi, {.band = 0.3}, {});
        CHECK(std::isinf(sweep.distortion));
        CHECK(sweep.beyond == sweep.pairs);
      }
    });
}
