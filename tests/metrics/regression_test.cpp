// SPDX-License-Identifier: MIT
#include "metrics/regression.hpp"

#include <doctest/doctest.h>

#include "ritz/base/random.hpp"

using namespace ritz;

namespace {

struct Drawn {
  RowMatrix X, Y;
};
Drawn drawn(Index n, Index d, double noise) {
  Rng random(7, "test");
  Drawn all{RowMatrix(random.normal_matrix(n, d)), {}};
  const Matrix truth = random.normal_matrix(d, 2);
  all.Y = all.X * truth + noise * RowMatrix(random.normal_matrix(n, 2));
  all.Y.array() += 3;
  return all;
}

}  // namespace

TEST_CASE("what_is_predicted_exactly_is_explained_and_the_mean_explains_nothing") {
  const Drawn all = drawn(30, 4, 0);
  RowMatrix mean = all.Y;
  mean.rowwise() = all.Y.colwise().mean();

  CHECK(explained_variance(all.Y, all.Y) == doctest::Approx(1));
  CHECK(explained_variance(all.Y, mean) == doctest::Approx(0));
  CHECK(std::isnan(explained_variance(RowMatrix::Constant(5, 2, 3), RowMatrix::Zero(5, 2))));
}

TEST_CASE("least_squares_leaves_residuals_that_are_orthogonal_to_the_columns") {
  const Drawn all = drawn(40, 5, 1);

  const RowMatrix left = all.Y - least_squares(all.X, all.Y, all.X);

  CHECK((all.X.transpose() * left).norm() < 1e-9 * all.Y.norm());
  CHECK(left.colwise().sum().norm() < 1e-9 * all.Y.norm());
}

TEST_CASE("partial_least_squares_with_all_components_is_least_squares_and_explains_less_with_fewer") {
  const Drawn all = drawn(40, 5, 1);
  double last = -1;

  for (Index a = 1; a <= 5; ++a) {
    const double share = explained_variance(all.Y, partial_least_squares(all.X, all.Y, all.X, a));
    CHECK(share >= last - 1e-12);
    last = share;
  }

  const RowMatrix whole = partial_least_squares(all.X, all.Y, all.X, 5);
  CHECK((whole - least_squares(all.X, all.Y, all.X)).norm() < 1e-8 * all.Y.norm());
}

TEST_CASE("the_mean_of_one_neighbour_of_a_sample_itself_is_its_own_value") {
  const Drawn all = drawn(20, 3, 1);

  CHECK((knn_means(all.X, all.Y, all.X, 1, {}) - all.Y).norm() == 0);
  CHECK((knn_means(all.X, all.Y, all.X, 20, {}).rowwise() - all.Y.colwise().mean()).norm() < 1e-12 * all.Y.norm());
}
