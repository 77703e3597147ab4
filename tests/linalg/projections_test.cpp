// SPDX-License-Identifier: MIT
#include "linalg/projections.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <cmath>
#include <limits>

#include "ritz/base/error.hpp"
#include "ritz/base/random.hpp"

using namespace ritz;

namespace {

// Vectors with ties, zeros and large entries, not only generic ones.
Vector any_vector(Index size) {
  const auto entries = *rc::gen::container<std::vector<int>>(std::size_t(size), rc::gen::inRange(-8, 9));
  const double scale = *rc::gen::element(1e-3, 0.25, 1.0, 1e6);
  Vector v(size);
  for (Index i = 0; i < size; ++i) v(i) = scale * entries[std::size_t(i)];
  return v;
}

// The projection by trying every set of positive entries: on a set the best point has equal shifts.
Vector brute_force_simplex(const Vector& v, double total) {
  const Index n = v.size();
  Vector best;
  double least = std::numeric_limits<double>::infinity();
  for (Index set = 1; set < (Index(1) << n); ++set) {
    double sum = 0;
    int count = 0;
    for (Index i = 0; i < n; ++i)
      if (set >> i & 1) sum += v(i), ++count;
    Vector x = Vector::Zero(n);
    for (Index i = 0; i < n; ++i)
      if (set >> i & 1) x(i) = v(i) - (sum - total) / count;
    if (x.minCoeff() < 0) continue;
    if (const double distance = (x - v).squaredNorm(); distance < least) {
      least = distance;
      best = x;
    }
  }
  return best;
}

}  // namespace

TEST_CASE("the simplex projection meets its optimality conditions and brute force") {
  CHECK(rc::check("simplex", [] {
    const Index n = *rc::gen::inRange<Index>(1, 9);
    const Vector v = any_vector(n);
    const double total = *rc::gen::element(0.5, 1.0, 3.0);

    const Vector x = project_simplex(v, total);

    const double rounding = 1e-12 * (1 + v.cwiseAbs().maxCoeff());
    RC_ASSERT(x.minCoeff() >= 0);
    RC_ASSERT(std::abs(x.sum() - total) <= rounding);
    // There is a shift with x = v − shift where x > 0 and v <= shift where x = 0.
    Index top = 0;
    x.maxCoeff(&top);
    const double shift = v(top) - x(top);
    for (Index i = 0; i < n; ++i)
      RC_ASSERT((x(i) > 0 ? std::abs(v(i) - shift - x(i)) <= rounding : v(i) <= shift + rounding));
    RC_ASSERT((x - brute_force_simplex(v, total)).norm() <= 1e-9 * (1 + v.norm()));
  }));
}

TEST_CASE("a point of the simplex is its own projection") {
  const Vector inside{{0.2, 0.5, 0.3}};

  CHECK((project_simplex(inside) - inside).norm() < 1e-15);
  CHECK(project_simplex(Vector{{7.0}})(0) == 1);
  CHECK(project_simplex(Vector{{3.0, -1.0}}, 0.0).isZero(0));
}

TEST_CASE("the simplex projection keeps its digits far away") {
  const Vector x = project_simplex(Vector{{1e12, 1e12 + 0.5}});

  CHECK(x(0) == doctest::Approx(0.25));
  CHECK(x(1) == doctest::Approx(0.75));
}

TEST_CASE("sets that are empty are refused") {
  CHECK_THROWS_AS(project_simplex(Vector{{1.0}}, -1.0), Error);
  CHECK_THROWS_AS(project_simplex(Vector(0)), Error);
  CHECK_THROWS_AS(project_l1_ball(Vector{{1.0}}, -1.0), Error);
  CHECK_THROWS_AS(project_box(Vector{{1.0}}, Vector{{2.0}}, Vector{{1.0}}), Error);
  CHECK_THROWS_AS(project_box(Vector{{1.0}}, Vector{{1.0, 2.0}}, Vector{{1.0, 2.0}}), Error);
}

TEST_CASE("projections satisfy the variational inequality and do not move points of the set") {
  // x is the projection of v exactly when (v − x)ᵀ(y − x) <= 0 for every y of the set.
  CHECK(rc::check("l1 ball, box", [] {
    const Index n = *rc::gen::inRange<Index>(1, 9);
    const Vector v = any_vector(n);
    const double scale = 1 + v.cwiseAbs().maxCoeff();
    Rng random(std::uint64_t(*rc::gen::inRange(0, 1000)), "test.projections");
    const double radius = *rc::gen::element(0.0, 0.5, 4.0);

    const Vector low = Vector::Constant(n, -1), high = Vector::Constant(n, 2);
    const Vector ball = project_l1_ball(v, radius), box = project_box(v, low, high);

    RC_ASSERT(ball.cwiseAbs().sum() <= radius + 1e-12 * scale);
    RC_ASSERT(box.minCoeff() >= -1);
    RC_ASSERT(box.maxCoeff() <= 2);
    for (int trial = 0; trial < 20; ++trial) {
      const Vector y = random.normal_matrix(n, 1);
      const Vector in_ball = radius * y / std::max(1e-300, y.cwiseAbs().sum());
      RC_ASSERT((v - ball).dot(in_ball - ball) <= 1e-11 * scale * scale);
      RC_ASSERT((v - box).dot(project_box(y, low, high) - box) <= 1e-11 * scale * scale);
    }
    RC_ASSERT((project_l1_ball(ball, radius + 1e-9) - ball).isZero(0));
    RC_ASSERT((project_box(box, low, high) - box).isZero(0));
  }));
}

TEST_CASE("a box may have its own bounds for every entry, infinite ones too") {
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  const Vector x =
      project_box(Vector{{-5.0, 5.0, 5.0}}, Vector{{-1.0, -kInfinite, 6.0}}, Vector{{1.0, kInfinite, 7.0}});

  CHECK(x == Vector{{-1.0, 5.0, 6.0}});
}
