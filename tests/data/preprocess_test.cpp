// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <cmath>
#include <limits>

#include "base/finite.hpp"
#include "data/scale_rows.hpp"
#include "ritz/base/random.hpp"
#include "ritz/data/preprocess.hpp"
#include "support/errors.hpp"

using namespace ritz;
using namespace ritz::test;

namespace {

Dataset dataset(const RowMatrix& X) {
  Dataset data;
  data.samples = X;
  return data;
}

Dataset sparse_dataset(const RowMatrix& X) {
  Dataset data;
  data.samples = SparseRows(X.sparseView());
  return data;
}

}  // namespace

TEST_CASE("standardised_columns_have_mean_zero_and_population_deviation_one") {
  CHECK(rc::check([] {
    Rng random(*rc::gen::arbitrary<std::uint64_t>(), "test");
    const Index n = *rc::gen::inRange<Index>(2, 60), d = *rc::gen::inRange<Index>(1, 6);
    RowMatrix X = random.normal_matrix(n, d);
    for (Index j = 0; j < d; ++j)
      X.col(j) = X.col(j) * std::pow(10.0, random.uniform(-8, 8)) + Vector::Constant(n, random.uniform(-5, 5));
    const ColumnScaling scaling = learn_scaling(dataset(X), Scaling::standard);

    apply_scaling(scaling, X);

    for (Index j = 0; j < d; ++j) {
      const double mean = X.col(j).mean();
      RC_ASSERT(std::abs(mean) < 1e-6);
      RC_ASSERT(std::abs(X.col(j).squaredNorm() / double(n) - mean * mean - 1) < 1e-6);
    }
  }));
}

TEST_CASE("columns and rows are scaled by any number of threads to the same bits") {
  RowMatrix X = Rng(3, "test").normal_matrix(1300, 70);  // several bands of columns, several blocks of rows
  X.col(33).setConstant(7);
  const ColumnScaling alone = learn_scaling(dataset(X), Scaling::standard);
  RowMatrix scaled = X;
  apply_scaling(alone, scaled);
  for (const int threads : {1, 2, 5}) {
    RunContext context;
    context.threads = threads;
    const ColumnScaling found = learn_scaling(dataset(X), Scaling::standard, context);
    CHECK(found.mean == alone.mean);
    CHECK(found.factor == alone.factor);
    CHECK(found.constant_columns == std::vector<Index>{33});
    CHECK(scaled_rows(found, view_of(X), context) == scaled);
  }
}

TEST_CASE("one number that is not finite is found wherever it stands") {
  Vector values = Rng(3, "test").normal_matrix(20000, 1);
  values[5] = std::numeric_limits<double>::max();
  CHECK(all_finite(values.data(), values.size()));
  CHECK(all_finite(values.data(), 0));
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  for (const Index place : {0, 5, 8191, 8192, 19999})
    for (const double bad : {kInfinity, -kInfinity, std::nan("")}) {
      Vector some = values;
      some[place] = bad;
      CHECK_FALSE(all_finite(some.data(), some.size()));
    }
}

TEST_CASE("sparse_and_dense_data_give_the_same_scaling") {
  CHECK(rc::check([] {
    Rng random(*rc::gen::arbitrary<std::uint64_t>(), "test");
    RowMatrix X = random.normal_matrix(*rc::gen::inRange<Index>(1, 40), *rc::gen::inRange<Index>(1, 6));
    X = X.unaryExpr([](double x) { return x > 0.3 ? x : 0.0; }).eval();

    const ColumnScaling dense = learn_scaling(dataset(X), Scaling::standard);
    const ColumnScaling sparse = learn_scaling(sparse_dataset(X), Scaling::standard);

    RC_ASSERT(dense.mean.isApprox(sparse.mean, 1e-12) || (dense.mean - sparse.mean).norm() < 1e-12);
    RC_ASSERT(dense.factor.isApprox(sparse.factor, 1e-9) || dense.factor.norm() == 0);
    RC_ASSERT(dense.constant_columns == sparse.constant_columns);
  }));
}

TEST_CASE("constant_columns_become_zero") {
  RowMatrix X(5, 4);
  X.col(0).setConstant(0.1);
  X.col(1).setZero();
  X.col(2) << 0.3, 0.1 + 0.2, 0.3, 0.3, 0.1 + 0.2;  // equal but for the last bit
  X.col(3) << 1, 2, 3, 4, 5;

  for (const Dataset& data : {dataset(X), sparse_dataset(X)}) {
    const ColumnScaling scaling = learn_scaling(data, Scaling::standard);
    RowMatrix scaled = X;
    apply_scaling(scaling, scaled);

    CHECK(scaling.constant_columns == std::vector<Index>{0, 1, 2});
    CHECK(scaled.leftCols(3).isZero(0));
    CHECK(scaled(0, 3) == doctest::Approx(-std::sqrt(2.0)));
  }
}

TEST_CASE("a_large_offset_does_not_spoil_the_deviation") {
  RowMatrix X(4, 1);
  X << 1e9 + 4, 1e9 + 7, 1e9 + 13, 1e9 + 16;  // deviation √22.5, lost by the sum of squares

  const ColumnScaling scaling = learn_scaling(dataset(X), Scaling::standard);

  CHECK(1 / scaling.factor[0] == doctest::Approx(std::sqrt(22.5)).epsilon(1e-9));
}

TEST_CASE("a_single_sample_is_constant_in_every_column") {
  const RowMatrix X = RowMatrix::Constant(1, 3, 7);

  CHECK(learn_scaling(dataset(X), Scaling::standard).constant_columns.size() == 3);
}

TEST_CASE("centring_only_and_no_scaling") {
  const RowMatrix X = (RowMatrix(2, 1) << 1, 3).finished();
  RowMatrix centred = X, same = X;

  apply_scaling(learn_scaling(dataset(X), Scaling::center), centred);
  apply_scaling(learn_scaling(dataset(X), Scaling::none), same);

  CHECK(centred == (RowMatrix(2, 1) << -1, 1).finished());
  CHECK(same == X);
}

TEST_CASE("scaling_that_cannot_be_is_an_error") {
  RowMatrix huge(2, 1), other(2, 3);
  huge << 1e200, -1e200;
  other.setZero();
  const ColumnScaling scaling = learn_scaling(dataset(RowMatrix::Ones(2, 2)), Scaling::center);

  CHECK(complaint([&] { learn_scaling(dataset(huge), Scaling::standard); }).code == ErrorCode::not_finite);
  CHECK(complaint([&] { apply_scaling(scaling, other); }).says("learned from 2 columns; the data has 3"));
}

TEST_CASE("whitened_samples_have_the_identity_as_covariance_without_shrinkage_and_go_back_through_the_inverse") {
  CHECK(rc::check([] {
    Rng random(*rc::gen::arbitrary<std::uint64_t>(), "test");
    const Index d = *rc::gen::inRange<Index>(1, 6), n = *rc::gen::inRange<Index>(20, 60);
    RowMatrix X = RowMatrix(random.normal_matrix(n, d)) * RowMatrix(random.normal_matrix(d, d));
    apply_scaling(learn_scaling(dataset(X), Scaling::whiten), X);

    const Frame frame = whitening(X, 0), none = whitening(X, 1);

    const Matrix Z = X * frame.basis;
    RC_ASSERT((Z.transpose() * Z / double(n) - Matrix::Identity(d, d)).norm() < 1e-6);
    RC_ASSERT((frame.inverse * frame.basis - Matrix::Identity(d, d)).norm() < 1e-6);
    RC_ASSERT((none.basis * none.basis.transpose() - Matrix::Identity(d, d)).norm() < 1e-6);
  }));
}

TEST_CASE("the_row_space_of_wide_samples_keeps_every_product_of_rows") {
  CHECK(rc::check([] {
    Rng random(*rc::gen::arbitrary<std::uint64_t>(), "test");
    const Index n = *rc::gen::inRange<Index>(1, 8), d = n + *rc::gen::inRange<Index>(1, 20);
    const RowMatrix X = random.normal_matrix(n, d);

    const Frame frame = row_space(X);

    const RowMatrix B = X * frame.basis;
    RC_ASSERT(frame.basis.cols() == n);
    RC_ASSERT((frame.basis.transpose() * frame.basis - Matrix::Identity(n, n)).norm() < 1e-12);
    RC_ASSERT((B * frame.inverse - X).norm() < 1e-12 * X.norm());
  }));
}

TEST_CASE("a_direction_without_variance_is_left_out_of_whitening_instead_of_blown_up") {
  RowMatrix X(4, 2);
  X << 1, 1, -1, -1, 2, 2, -2, -2;

  const RowMatrix Z = X * whitening(X, 0).basis;

  CHECK(Z.cols() == 1);
  CHECK(Z.squaredNorm() / 4.0 == doctest::Approx(1));
}
