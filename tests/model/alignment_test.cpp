// SPDX-License-Identifier: MIT
#include "ritz/model/alignment.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <cmath>

#include "ritz/base/error.hpp"
#include "ritz/base/random.hpp"

using namespace ritz;

TEST_CASE("the non-negative minimiser satisfies its optimality conditions, dependent terms included") {
  CHECK(rc::check([] {
    const Index T = *rc::gen::inRange<Index>(1, 8), rank = *rc::gen::inRange<Index>(1, 10);
    Rng rng(*rc::gen::inRange<std::uint64_t>(0, 100000), "minimiser");
    Matrix factor = rng.normal_matrix(rank, T) + Matrix::Constant(rank, T, rng.uniform(0, 2));
    for (Index k = 0; k < T; ++k) factor.col(k) *= std::pow(10.0, rng.uniform(-4, 6));
    const Matrix M = factor.transpose() * factor;
    const Vector a = factor.transpose() * rng.normal_matrix(rank, 1);

    const Vector v = nonnegative_minimiser(M, a);

    // v >= 0, Mv − a >= 0 and v ∘ (Mv − a) = 0, each relative to what rounding leaves of a term of its size.
    const Vector rest = M * v - a;
    for (Index k = 0; k < T; ++k) {
      const double size = 1e-6 * std::sqrt(M(k, k)) * (factor * v).norm() + 1e-9 * std::abs(a[k]);
      RC_ASSERT(v[k] >= 0);
      RC_ASSERT(rest[k] >= -size - 1e-9 * a.cwiseAbs().maxCoeff() * 1e-3);
      if (v[k] > 0) RC_ASSERT(std::abs(rest[k]) <= size + 1e-6 * std::abs(a[k]));
    }
  }));
}

TEST_CASE("kernels that all point away from the target are refused") {
  const AlignmentSums sums{Matrix::Ones(1, 1), Vector::Constant(1, -1.0), 1};

  CHECK_THROWS_WITH_AS(align_weights(parse_kernel("auto*linear"), sums),
                       doctest::Contains("is aligned with the target"), Error);
}

TEST_CASE("open weights are written auto, for all terms or for none") {
  const KernelSum kernel = parse_kernel("auto*gaussian(sigma=2)+ auto * linear");

  CHECK(has_open_weights(kernel));
  CHECK_FALSE(is_resolved(kernel, 10));
  CHECK(kernel_text(kernel) == "auto*gaussian(sigma=2)+auto*linear");
  CHECK_FALSE(has_open_weights(parse_kernel("0.5*gaussian(sigma=2)+linear")));
  CHECK_THROWS_WITH_AS(parse_kernel("auto*linear+0.5*squared"), doctest::Contains("for all terms or for none"), Error);
}
