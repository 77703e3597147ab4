// SPDX-License-Identifier: MIT
#include "linalg/optimise/simplex_qp.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <atomic>
#include <cmath>

#include "linalg/projections.hpp"
#include "ritz/base/error.hpp"
#include "ritz/base/random.hpp"

using namespace ritz;

namespace {

double value(const Matrix& H, const Vector& g, const Vector& x) { return g.dot(x) - 0.5 * x.dot(H * x); }

// The best over all sets of entries that are not 0, each by its equations: exponential, and independent.
double best_by_enumeration(const Matrix& H, const Vector& g) {
  const Index m = g.size();
  double best = -1e300;
  for (int set = 1; set < 1 << m; ++set) {
    std::vector<Index> of;
    for (Index i = 0; i < m; ++i)
      if (set >> i & 1) of.push_back(i);
    const Index f = Index(of.size());
    Matrix K = Matrix::Zero(f + 1, f + 1);
    Vector right(f + 1);
    for (Index a = 0; a < f; ++a) {
      for (Index b = 0; b < f; ++b) K(a, b) = H(of[std::size_t(a)], of[std::size_t(b)]);
      K(a, f) = K(f, a) = 1;
      right(a) = g(of[std::size_t(a)]);
    }
    right(f) = 1;
    const Vector solved = K.fullPivLu().solve(right);
    if (!(solved.head(f).minCoeff() >= -1e-12) || (K * solved - right).norm() > 1e-8) continue;
    Vector x = Vector::Zero(m);
    for (Index a = 0; a < f; ++a) x(of[std::size_t(a)]) = std::max(0.0, solved(a));
    x /= x.sum();
    best = std::max(best, value(H, g, x));
  }
  return best;
}

}  // namespace

TEST_CASE("the maximum on the simplex is that of all active sets tried one by one") {
  CHECK(rc::check("against enumeration", [] {
    const Index m = *rc::gen::inRange<Index>(1, 8), rank = *rc::gen::inRange<Index>(1, 10);
    Rng rng(std::uint64_t(*rc::gen::inRange(0, 100000)), "qp");
    const Matrix F = rng.normal_matrix(m, rank);
    const Matrix H = F * F.transpose();
    const Vector g = 2 * rng.normal_matrix(m, 1);
    Vector start = Vector::Zero(m);
    start(rng.below(m)) = 1;

    const SimplexQp found = maximise_on_simplex(H, g, start, {});

    RC_ASSERT(found.x.minCoeff() >= 0);
    RC_ASSERT(std::abs(found.x.sum() - 1) < 1e-14);
    const double scale = 1 + g.cwiseAbs().maxCoeff() + H.cwiseAbs().maxCoeff();
    RC_ASSERT(found.violation < 1e-11 * scale);
    RC_ASSERT(std::abs(value(H, g, found.x) - best_by_enumeration(H, g)) < 1e-10 * scale);
  }));
}

TEST_CASE("with the identity the maximum is the projection on the simplex") {
  Rng rng(3, "projection");
  for (const Index m : {1, 5, 60, 300}) {
    const Vector g = rng.normal_matrix(m, 1);
    const Vector start = Vector::Constant(m, 1.0 / double(m));

    const SimplexQp found = maximise_on_simplex(Matrix::Identity(m, m), g, start, {});

    CHECK((found.x - project_simplex(g)).cwiseAbs().maxCoeff() < 1e-12);
  }
}

TEST_CASE("a linear function is largest at a corner") {
  Vector g(4);
  g << 1, 3, 2, 3 - 1e-6;

  const SimplexQp found = maximise_on_simplex(Matrix::Zero(4, 4), g, Vector::Constant(4, 0.25), {});

  CHECK(found.x(1) == doctest::Approx(1));
  CHECK(found.multiplier == doctest::Approx(3));
}

TEST_CASE("a quadratic programme ends between two of its steps") {
  const std::atomic<bool> cancelled = true;
  RunContext context;
  context.cancel = &cancelled;

  CHECK_THROWS_AS(maximise_on_simplex(Matrix::Identity(2, 2), Vector::Ones(2), Vector::Ones(2), context), Interrupted);
}

TEST_CASE("a quadratic programme of parts of different sizes is refused") {
  CHECK_THROWS_AS(maximise_on_simplex(Matrix::Identity(2, 2), Vector::Zero(3), Vector::Zero(3), {}), Error);
}
