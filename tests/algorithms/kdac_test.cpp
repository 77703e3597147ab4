// SPDX-License-Identifier: MIT
#include "ritz/algorithms/kdac.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "metrics/clustering.hpp"
#include "ritz/base/random.hpp"
#include "ritz/data/io.hpp"
#include "ritz/data/preprocess.hpp"
#include "support/data_folder.hpp"

using namespace ritz;

namespace {

// Two independent splits of the samples, one in column 0 and one in column 1, and noise in the others.
RowMatrix two_splits(Index n, Index columns, std::uint64_t seed) {
  RowMatrix X = 0.3 * Rng(seed, "splits").normal_matrix(n, columns);
  for (Index i = 0; i < n; ++i) {
    X(i, 0) += i % 2 ? 1 : -1;
    X(i, 1) += (i / 2) % 2 ? 1 : -1;
  }
  return X;
}

Labels every(Index n, Index period) {
  Labels labels{{}, {"a", "b"}};
  for (Index i = 0; i < n; ++i) labels.of.push_back(int((i / period) % 2));
  return labels;
}

// H, K, D, Y and U written out.
Matrix normalised_kernel(const RowMatrix& X, const Matrix& W, double sigma) {
  const Matrix Z = X * W;
  Matrix K(Z.rows(), Z.rows());
  for (Index i = 0; i < Z.rows(); ++i)
    for (Index j = 0; j < Z.rows(); ++j) K(i, j) = std::exp(-(Z.row(i) - Z.row(j)).squaredNorm() / (2 * sigma * sigma));
  const Vector root = K.rowwise().sum().cwiseSqrt().cwiseInverse();
  return root.asDiagonal() * K * root.asDiagonal();
}

}  // namespace

TEST_CASE("the split that is given is avoided and the other one found, also from random starts and by the rivals") {
  const RowMatrix X = two_splits(80, 4, 1);
  const Samples samples(X);
  RunContext context;
  for (const Index period : {1, 2}) {
    const kdac::Problem problem{samples, parse_kernel("gaussian(sigma=0.7)"), {every(80, period)}, 1};
    const std::vector<int> other = every(80, 3 - period).of;
    const auto labels = [&](const kdac::Options& options) {
      const kdac::Result result = kdac::solve(problem, options, context);
      CHECK(result.worst_novelty() <= 0.05);
      return normalised_mutual_information(result.found.labels, other);
    };
    CHECK(labels({.clusters = 2, .dimension = 1}) == doctest::Approx(1));
    CHECK(labels({.clusters = 2, .dimension = 1, .init = Init::random, .restarts = 5}) == doctest::Approx(1));
    for (const Solver solver : {Solver::dg, Solver::sm})
      CHECK(labels({.clusters = 2, .dimension = 1, .solver = solver}) == doctest::Approx(1));
  }
}

TEST_CASE("cost, quality and dependence on the given clusters are the formulas of the method page") {
  const RowMatrix X = two_splits(50, 3, 2);
  const Samples samples(X);
  RunContext context;
  const double lambda = 0.3;
  const Labels given = every(50, 1);
  const kdac::Problem problem{samples, parse_kernel("gaussian(sigma=0.7)"), {given, every(50, 5)}, lambda};

  const kdac::Result result = kdac::solve(problem, {.clusters = 2, .dimension = 2}, context);

  const Matrix L = normalised_kernel(X, result.found.W, 0.7);
  double dependence = 0;
  for (const Labels& labels : problem.given) {
    Matrix Y = Matrix::Zero(50, 2);
    for (Index i = 0; i < 50; ++i) Y(i, labels.of[std::size_t(i)]) = 1;
    Y.rowwise() -= Y.colwise().mean().eval();
    dependence += (Y.transpose() * L * Y).trace();
  }
  const Matrix& U = result.found.embedding.U;
  CHECK(result.hsic_given == doctest::Approx(dependence));
  CHECK(result.quality == doctest::Approx((U.transpose() * L * U).trace()));
  CHECK(result.quality <= 2);
  CHECK(result.cost == doctest::Approx(lambda * dependence - result.quality));
  CHECK(result.cost == doctest::Approx(-result.found.objective));
  CHECK(result.novelty.size() == 2);
  CHECK((U.transpose() * U - Matrix::Identity(2, 2)).norm() <= 1e-9);
  CHECK(U.colwise().sum().norm() <= 1e-9);
}

TEST_CASE("kernels without positive degrees are not divided by them, unless that is asked for") {
  const RowMatrix X = two_splits(60, 3, 3);
  const Samples samples(X);
  RunContext context;
  for (const std::string kernel : {"linear", "squared", "multiquadric", "polynomial(degree=2,offset=1)"}) {
    CAPTURE(kernel);
    const kdac::Problem problem{samples, parse_kernel(kernel), {every(60, 1)}, 2};
    const kdac::Result result = kdac::solve(problem, {.clusters = 2, .dimension = 1}, context);
    CHECK(result.found.embedding.degrees.size() == 0);
    CHECK(std::abs(result.found.W(0, 0)) <= 0.3);  // away from the column of the given split
  }
  CHECK_THROWS_AS(kdac::solve({samples, parse_kernel("squared"), {every(60, 1)}, 1},
                              {.clusters = 2, .by_degree = ByDegree::always}, context),
                  Error);
}

TEST_CASE("rounds that creep are extrapolated to a place where a plain round moves as little") {
  const RowMatrix X = two_splits(300, 4, 7);
  const Samples samples(X);
  RunContext context;
  const kdac::Problem problem{samples, parse_kernel("gaussian(sigma=0.3)"), {every(300, 1)}, 0.05};
  const kdac::Options options{.clusters = 2, .dimension = 2, .curvature = Effort::never};

  const kdac::Result result = kdac::solve(problem, options, context);
  kdac::Options once = options;
  once.max_rounds = 1;
  const kdac::Result again = kdac::solve(problem, once, context, result.found.W);

  REQUIRE(result.found.summary.converged());
  const Trace& trace = again.found.summary.trace;
  const auto column = std::ranges::find(trace.columns, "W_moved") - trace.columns.begin();
  CHECK(trace.at(0, std::size_t(column)) <= 2e-3);
}

TEST_CASE("bad input has a sentence, and repeated samples have an answer") {
  const RowMatrix X = two_splits(20, 3, 4);
  const Samples samples(X);
  RunContext context;
  const KernelSum kernel = parse_kernel("gaussian(sigma=1)");
  const Labels one{std::vector<int>(20, 0), {"a"}};
  CHECK_THROWS_WITH_AS(kdac::solve({samples, kernel, {one}, 1}, {}, context),
                       "the given clustering puts all 20 samples into one cluster; there is nothing to differ from: "
                       "give one of at least two clusters",
                       Error);
  CHECK_THROWS_WITH_AS(kdac::solve({samples, kernel, {every(19, 1)}, 1}, {}, context),
                       "the given clustering has 19 labels for 20 samples", Error);
  for (const Index k : {1, 20, 21})
    CHECK_THROWS_AS(kdac::solve({samples, kernel, {every(20, 1)}, 1}, {.clusters = k}, context), Error);
  CHECK_THROWS_WITH_AS(kdac::solve({samples, kernel, {every(20, 1)}, -1}, {}, context),
                       "lambda is -1; it must not be negative", Error);

  RowMatrix repeated(40, 2);
  for (Index i = 0; i < 40; ++i) repeated.row(i) << double(i % 2), double((i / 2) % 2);
  const Samples corners(repeated);
  const kdac::Result result =
      kdac::solve({corners, kernel, {every(40, 1)}, 1}, {.clusters = 2, .dimension = 1}, context);
  CHECK(normalised_mutual_information(result.found.labels, every(40, 2).of) == doctest::Approx(1));
}

TEST_CASE("the published sets reach the reference values of cost, quality and agreement") {
  struct Reference {
    std::string set, given, truth;
    Scaling scale;
    double sigma, lambda;
    Index q, k;
    double cost, quality, nmi;
  };
  const std::vector<Reference> references = {
      {"small_gauss_40x2", "small_gauss_40x2.feature2", "small_gauss_40x2.feature1", Scaling::center, 1, 0.04, 1, 2,
       -1.01419, 1.01691, 1},
      {"four_gaussian_200x4", "four_gaussian_200x4.original", "four_gaussian_200x4.alternative", Scaling::center, 5, 10,
       3, 2, 12.2035, 1.93275, 1},
      {"four_gaussian_200x4", "four_gaussian_200x4.original", "four_gaussian_200x4.alternative", Scaling::center, 5, 2,
       3, 2, 0.89449, 1.93275, 1},
      {"moon_400x4", "moon_400x4.original", "moon_400x4.alternative", Scaling::standard, 0.1, 1, 3, 2, 50.2243, 1.99848,
       1},
      {"moon_noise_200x7", "moon_noise_200x7.original", "moon_noise_200x7.alternative", Scaling::standard, 0.2, 0.1, 6,
       2, 5.26838, 1.99940, 1},
      {"flower_106x3", "flower_106x3.original", "", Scaling::standard, 2.0767, 100, 2, 2, 19.5144, 0.413215, kUnknown},
      {"flower_256x3", "flower_256x3.original", "", Scaling::standard, 2, 10, 2, 2, 2.88489, 0.136418, kUnknown},
      {"face_624x20", "face.pose", "face.identity", Scaling::standard, 3.17149, 1, 17, 4, 7.26391, 0.608203, 0.563},
      {"four_gaussian_1000x4", "four_gaussian_1000x4.original", "four_gaussian_1000x4.alternative", Scaling::center, 5,
       2, 3, 2, 3.9416, 1.93046, 1},
      {"moon_noise_1000x7", "moon_noise_1000x7.original", "moon_noise_1000x7.alternative", Scaling::standard, 0.2, 0.1,
       6, 2, 18.6513, 1.99237, 1}};
  for (const Reference& reference : references) {
    CAPTURE(reference.set);
    const auto path = test::data_file("ism/" + reference.set + ".csv");
    const auto given = test::data_file("ism/" + reference.given + ".labels");
    if (!path || !given) return;
    Dataset data = read_dataset(*path, {}, {});
    apply_scaling(learn_scaling(data, reference.scale), data.dense());
    if (reference.set.starts_with("moon_noise")) data.dense().rightCols(3) /= 3;
    const Samples X(data.dense());
    RunContext context;
    const kdac::Problem problem{X,
                                parse_kernel("gaussian(sigma=" + number_text(reference.sigma) + ")"),
                                {read_labels(*given, {})},
                                reference.lambda};

    const kdac::Result result = kdac::solve(problem, {.clusters = reference.k, .dimension = reference.q}, context);

    CHECK(result.cost == doctest::Approx(reference.cost).epsilon(1e-3));
    CHECK(result.quality == doctest::Approx(reference.quality).epsilon(1e-3));
    CHECK(result.worst_novelty() <= 0.01);
    if (std::isnan(reference.nmi)) continue;
    const auto truth = read_labels(*test::data_file("ism/" + reference.truth + ".labels"), {});
    CHECK(std::abs(normalised_mutual_information(result.found.labels, truth.of) - reference.nmi) <=
          (reference.nmi == 1 ? 1e-9 : 0.01));
  }
}
