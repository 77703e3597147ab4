// SPDX-License-Identifier: MIT
#include "linalg/spectral_maps.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "linalg/matrices.hpp"

using namespace ritz;
using namespace ritz::testing;

namespace {

EigenPairs pairs_of(const Vector& values) {
  EigenPairs pairs;
  pairs.values = values;
  pairs.vectors = random_orthonormal(8, values.size());
  return pairs;
}

}  // namespace

TEST_CASE("shrink takes the threshold off every value above it and drops the others") {
  const EigenPairs pairs = pairs_of(Vector{{3.0, 2.0, 1.0, -4.0}});

  const SymFactor factor = shrink(pairs, 1.0);

  CHECK(factor.weights == Vector{{2.0, 1.0}});
  CHECK(factor.basis == pairs.vectors.leftCols(2));
}

TEST_CASE("shrink is the proximal point of the trace on positive semidefinite matrices") {
  // P = shrink(A, τ) minimises ½‖P − A‖² + τ tr P over P ⪰ 0: A − τI − P ⪯ 0 and is orthogonal to P.
  const Matrix a = random_symmetric(8);
  const EigenPairs pairs = EigenSolver{}(DenseOperator{a}, {Count{8}}, RunContext{});

  const Matrix p = shrink(pairs, 0.7).dense();

  const Matrix dual = a - 0.7 * Matrix::Identity(8, 8) - p;
  CHECK(Eigen::SelfAdjointEigenSolver<Matrix>(dual).eigenvalues().maxCoeff() < 1e-12);
  CHECK(std::abs((dual * p).trace()) < 1e-12);
}

TEST_CASE("positive_power drops what is not positive, for any power") {
  const EigenPairs pairs = pairs_of(Vector{{4.0, 0.0, -1.0}});
  for (const double power : {-1.0, 0.0, 0.5, 2.0}) {
    const SymFactor factor = positive_power(pairs, power, 3.0);

    REQUIRE(factor.weights.size() == 1);
    CHECK(factor.weights(0) == doctest::Approx(3 * std::pow(4.0, power)));
  }
}

TEST_CASE("a projector is idempotent") {
  const Matrix p = projector(pairs_of(Vector{{4.0, -2.0, 1.0}})).dense();

  CHECK((p * p - p).norm() < 1e-13);
  CHECK(p.trace() == doctest::Approx(3));
}
