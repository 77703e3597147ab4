// SPDX-License-Identifier: MIT
#include "linalg/grassmann.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <functional>

#include "linalg/matrices.hpp"
#include "linalg/subspace.hpp"
#include "ritz/base/error.hpp"

using namespace ritz;
using namespace ritz::testing;

TEST_CASE("the nearest subspace of the same dimension lies in or around the other, at the point-to-set distance") {
  for (const Index p : {1, 2, 3, 5}) {
    CAPTURE(p);
    const Matrix U = random_orthonormal(8, 3, 4), X = random_orthonormal(8, p, std::uint64_t(p) + 10);

    const Matrix Y = nearest_of_same_dimension(U, X);

    REQUIRE(Y.cols() == 3);
    CHECK(orthonormality_error(Y) < 1e-12);
    CHECK(principal_angles(Y, X).maxCoeff() < 1e-7);
    const double squared = double(std::min<Index>(3, p)) - (U.transpose() * X).squaredNorm();
    CHECK(principal_angles(U, Y).array().sin().square().sum() == doctest::Approx(squared));
  }
}

TEST_CASE("a geodesic begins and ends where it should and moves evenly") {
  const Matrix A = random_orthonormal(9, 3, 5), B = random_orthonormal(9, 3, 6);

  const Geodesic path = geodesic(A, B);

  CHECK(projector_distance(path.at(0), A) < 1e-13);
  CHECK(projector_distance(path.at(1), B) < 1e-12);
  const double length = principal_angles(A, B).norm();
  CHECK(path.angles.norm() == doctest::Approx(length));
  for (const double t : {0.25, 0.5, 0.9}) {
    CHECK(orthonormality_error(path.at(t)) < 1e-13);
    CHECK(principal_angles(A, path.at(t)).norm() == doctest::Approx(t * length));
  }
}

TEST_CASE("the flag mean holds the leading eigenvectors of the average of the projectors") {
  std::vector<Matrix> bases = {random_orthonormal(6, 1, 11), random_orthonormal(6, 3, 12),
                               random_orthonormal(6, 2, 13)};
  Vector weights(3);
  weights << 0.5, 0.2, 0.3;
  Matrix average = Matrix::Zero(6, 6);
  for (std::size_t i = 0; i < 3; ++i) average += weights(Index(i)) * bases[i] * bases[i].transpose();

  const FlagMean flag = flag_mean(bases, weights);

  CHECK((average * flag.basis - flag.basis * flag.values.asDiagonal()).norm() < 1e-13);
  CHECK(flag.values.sum() == doctest::Approx(average.trace()));
  CHECK(std::is_sorted(flag.values.begin(), flag.values.end(), std::greater<>()));
}

TEST_CASE("a path between different dimensions, and a mean of nothing, are refused") {
  CHECK_THROWS_AS(geodesic(random_orthonormal(5, 2, 1), random_orthonormal(5, 3, 1)), Error);
  CHECK_THROWS_AS(flag_mean({}), Error);
}
