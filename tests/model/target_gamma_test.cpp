// SPDX-License-Identifier: MIT
#include "ritz/model/gamma.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include "ritz/base/error.hpp"
#include "ritz/base/random.hpp"

using namespace ritz;

namespace {

Matrix centred(const Matrix& K) {
  const Index n = K.rows();
  const Matrix H = Matrix::Identity(n, n) - Matrix::Constant(n, n, 1.0 / double(n));
  return H * K * H;
}

Matrix standardised(const RowMatrix& Y) {
  Matrix S = Y.rowwise() - Y.colwise().mean();
  for (Index c = 0; c < S.cols(); ++c) S.col(c) /= std::sqrt(S.col(c).squaredNorm() / double(S.rows()));
  return S;
}

Matrix gaussian(const Matrix& Y, double sigma) {
  Matrix K(Y.rows(), Y.rows());
  for (Index i = 0; i < Y.rows(); ++i)
    for (Index j = 0; j < Y.rows(); ++j) K(i, j) = std::exp(-(Y.row(i) - Y.row(j)).squaredNorm() / (2 * sigma * sigma));
  return K;
}

RowMatrix random_targets(Index n, Index columns, std::uint64_t seed) {
  RowMatrix Y = Rng(seed, "targets").normal_matrix(n, columns);
  Y.col(0) = 1000 * Y.col(0).array() + 7;  // another unit
  return Y;
}

}  // namespace

TEST_CASE("linear targets give the centred inner products of the standardised columns") {
  const RowMatrix Y = random_targets(40, 3, 1);

  const TargetGamma result = target_gamma(standardised_targets(Y), {}, {});

  const Matrix S = standardised(Y);
  CHECK((result.gamma.factor.dense() - centred(S * S.transpose())).norm() <= 1e-10);
  CHECK(result.gamma.row_sums().isZero(0));
  CHECK(result.error == 0);
}

TEST_CASE("the Gaussian targets' factor misses no more of the kernel than it says, and no more than was allowed") {
  CHECK(rc::check([] {
    const Index n = *rc::gen::inRange<Index>(2, 120), columns = *rc::gen::inRange<Index>(1, 4);
    const double sigma = *rc::gen::element(0.3, 1.0, 3.0), tolerance = *rc::gen::element(1e-2, 1e-6);
    const RowMatrix Y = random_targets(n, columns, *rc::gen::inRange<std::uint64_t>(0, 1000));

    const TargetGamma result = target_gamma(
        standardised_targets(Y), {.kernel = TargetKernel::gaussian, .sigma = {sigma, 1}, .tolerance = tolerance}, {});

    // R = K − LLᵀ is positive semidefinite with Tr R = error·n, and H only makes it smaller.
    const Matrix difference = centred(gaussian(standardised(Y), sigma)) - result.gamma.factor.dense();
    RC_ASSERT(result.error <= tolerance);
    RC_ASSERT(difference.norm() <= result.error * double(n) + 1e-10);
    RC_ASSERT(difference.trace() >= -1e-10);
  }));
}

TEST_CASE("a rank limit that is too small is said") {
  const RowMatrix Y = random_targets(80, 2, 2);
  const TargetGamma result =
      target_gamma(standardised_targets(Y), {.kernel = TargetKernel::gaussian, .sigma = {0.1, 1}, .max_rank = 5}, {});
  CHECK(result.gamma.factor.basis.cols() <= 5);
  CHECK(result.error > 1e-6);
  CHECK(result.notes.size() == 1);
}

TEST_CASE("a constant column and a value that is no number are refused by their place") {
  RowMatrix Y = random_targets(10, 2, 3);
  Y(3, 1) = std::numeric_limits<double>::quiet_NaN();
  CHECK_THROWS_WITH_AS(standardised_targets(Y), "target column 2, sample 4 is nan; targets must be numbers", Error);
  Y.col(1).setConstant(2.5);
  CHECK_THROWS_WITH_AS(standardised_targets(Y), "target column 2 is 2.5 for all 10 samples; nothing can depend on it",
                       Error);
  CHECK_THROWS_AS(standardised_targets(RowMatrix(0, 1)), Error);
}
