// SPDX-License-Identifier: MIT
#include "linalg/grassmann.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <cmath>
#include <numbers>

#include "linalg/matrices.hpp"
#include "linalg/subspace.hpp"
#include "ritz/base/error.hpp"

using namespace ritz;
using namespace ritz::testing;

namespace {

constexpr auto kAll = {SubspaceDistance::asimov,       SubspaceDistance::binet_cauchy, SubspaceDistance::chordal,
                       SubspaceDistance::fubini_study, SubspaceDistance::geodesic,     SubspaceDistance::martin,
                       SubspaceDistance::procrustes,   SubspaceDistance::projection,   SubspaceDistance::spectral};

double spectral_norm(const Matrix& A) { return A.jacobiSvd().singularValues()(0); }

}  // namespace

TEST_CASE("distances agree with the matrices that they are defined by") {
  const Matrix A = random_orthonormal(7, 3, 1), B = random_orthonormal(7, 3, 2);
  const Matrix PA = A * A.transpose(), PB = B * B.transpose();
  const auto between = [&](SubspaceDistance kind) { return subspace_distance(A, B, kind); };
  const Eigen::JacobiSVD<Matrix> svd(A.transpose() * B, Eigen::ComputeFullU | Eigen::ComputeFullV);
  const double determinant = std::abs((A.transpose() * B).determinant());
  const Matrix a = A * svd.matrixU(), b = B * svd.matrixV();  // principal vectors: the nearest pair of bases

  CHECK(between(SubspaceDistance::chordal) == doctest::Approx((PA - PB).norm() / std::numbers::sqrt2));
  CHECK(between(SubspaceDistance::projection) == doctest::Approx(spectral_norm(PA - PB)));
  CHECK(between(SubspaceDistance::binet_cauchy) == doctest::Approx(std::sqrt(1 - determinant * determinant)));
  CHECK(between(SubspaceDistance::fubini_study) == doctest::Approx(std::acos(determinant)));
  CHECK(between(SubspaceDistance::martin) == doctest::Approx(std::sqrt(-2 * std::log(determinant))));
  CHECK(between(SubspaceDistance::procrustes) == doctest::Approx((a - b).norm()));
  CHECK(between(SubspaceDistance::spectral) == doctest::Approx(spectral_norm(a - b)));
  CHECK(between(SubspaceDistance::asimov) == doctest::Approx(std::asin(spectral_norm(PA - PB))));
  CHECK(between(SubspaceDistance::geodesic) == doctest::Approx(principal_angles(A, B).norm()));
}

TEST_CASE("distances keep their digits between nearly equal subspaces") {
  Matrix A = Matrix::Zero(4, 1), B = Matrix::Zero(4, 1);
  A(0, 0) = 1;
  const double angle = 1e-9;
  B(0, 0) = std::cos(angle);
  B(1, 0) = std::sin(angle);

  for (const SubspaceDistance kind : kAll) {
    CAPTURE(int(kind));
    CHECK(std::abs(subspace_distance(A, B, kind) / angle - 1) < 1e-6);
  }
}

TEST_CASE("a subspace and a part of it are at distance zero, and apart with right angles counted") {
  const Matrix whole = random_orthonormal(6, 4, 3), part = whole.leftCols(2);
  for (const SubspaceDistance kind : kAll) {
    CAPTURE(int(kind));
    CHECK(subspace_distance(part, whole, kind) < 1e-7);
    CHECK(subspace_distance(part, whole, kind, ExtraDimensions::right_angles) >= 1 - 1e-12);
  }
  CHECK(subspace_distance(part, whole, SubspaceDistance::chordal, ExtraDimensions::right_angles) ==
        doctest::Approx(std::numbers::sqrt2));
  CHECK(std::isinf(subspace_distance(part, whole, SubspaceDistance::martin, ExtraDimensions::right_angles)));
  CHECK(containment_gap(part, whole) < 1e-14);
  CHECK(containment_gap(whole, part) == 1);
}

TEST_CASE("with right angles counted the distances obey the triangle inequality across dimensions") {
  CHECK(rc::check("triangle", [] {
    const Index n = *rc::gen::inRange<Index>(3, 9);
    const auto seed = std::uint64_t(*rc::gen::inRange(0, 1000));
    std::vector<Matrix> of;
    for (std::uint64_t i = 0; i < 3; ++i) of.push_back(random_orthonormal(n, *rc::gen::inRange<Index>(1, n), seed + i));
    for (const SubspaceDistance kind :
         {SubspaceDistance::chordal, SubspaceDistance::geodesic, SubspaceDistance::procrustes}) {
      const auto far = [&](std::size_t a, std::size_t b) {
        return subspace_distance(of[a], of[b], kind, ExtraDimensions::right_angles);
      };
      RC_ASSERT(far(0, 2) <= far(0, 1) + far(1, 2) + 1e-12);
    }
  }));
}

TEST_CASE("the nearest subspace of the same dimension lies in or around the other, at the point-to-set distance") {
  for (const Index p : {1, 2, 3, 5}) {
    CAPTURE(p);
    const Matrix U = random_orthonormal(8, 3, 4), X = random_orthonormal(8, p, std::uint64_t(p) + 10);

    const Matrix Y = nearest_of_same_dimension(U, X);

    REQUIRE(Y.cols() == 3);
    CHECK(orthonormality_error(Y) < 1e-12);
    CHECK((p >= 3 ? containment_gap(Y, X) : containment_gap(X, Y)) < 1e-7);
    const double squared = double(std::min<Index>(3, p)) - (U.transpose() * X).squaredNorm();
    CHECK(std::pow(subspace_distance(U, Y, SubspaceDistance::chordal), 2) == doctest::Approx(squared));
  }
}

TEST_CASE("a geodesic begins and ends where it should and moves evenly") {
  const Matrix A = random_orthonormal(9, 3, 5), B = random_orthonormal(9, 3, 6);

  const Geodesic path = geodesic(A, B);

  CHECK(projector_distance(path.at(0), A) < 1e-13);
  CHECK(projector_distance(path.at(1), B) < 1e-12);
  CHECK(path.length() == doctest::Approx(subspace_distance(A, B, SubspaceDistance::geodesic)));
  for (const double t : {0.25, 0.5, 0.9}) {
    CHECK(orthonormality_error(path.at(t)) < 1e-13);
    CHECK(subspace_distance(A, path.at(t), SubspaceDistance::geodesic) == doctest::Approx(t * path.length()));
  }
}

TEST_CASE("the exponential map undoes the logarithm") {
  const Matrix A = random_orthonormal(9, 4, 7);
  for (const double scale : {1.0, 1e-6}) {
    Matrix B = A + scale * random_orthonormal(9, 4, 8);
    B = orthonormalise(B).basis;

    const Matrix H = log_map(A, B);

    CHECK((A.transpose() * H).norm() < 1e-12);
    CHECK(H.norm() == doctest::Approx(subspace_distance(A, B, SubspaceDistance::geodesic)));
    CHECK(projector_distance(exp_map(A, H), B) < 1e-12);
  }
}

TEST_CASE("at the Karcher mean the directions to all subspaces cancel, and it is no worse than its neighbours") {
  const Matrix center = random_orthonormal(8, 2, 9);
  std::vector<Matrix> bases;
  for (std::uint64_t i = 0; i < 5; ++i)
    bases.push_back(orthonormalise(center + 0.2 * random_orthonormal(8, 2, 20 + i)).basis);
  const auto cost = [&](const Matrix& U) {
    double sum = 0;
    for (const Matrix& X : bases) sum += std::pow(subspace_distance(U, X, SubspaceDistance::geodesic), 2);
    return sum;
  };

  const KarcherMean mean = karcher_mean(bases);

  CHECK(mean.converged);
  Matrix sum = Matrix::Zero(8, 2);
  for (const Matrix& X : bases) sum += log_map(mean.basis, X);
  CHECK(sum.norm() < 1e-11);
  for (std::uint64_t i = 0; i < 5; ++i)
    CHECK(cost(mean.basis) <= cost(orthonormalise(mean.basis + 0.01 * random_orthonormal(8, 2, 40 + i)).basis));
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
