// SPDX-License-Identifier: MIT
#include "metrics/clustering.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "ritz/base/error.hpp"
#include "ritz/base/random.hpp"

using namespace ritz;

namespace {

std::vector<int> random_labels(Index n, Index classes, Rng& rng) {
  std::vector<int> labels;
  for (Index i = 0; i < n; ++i) labels.push_back(int(rng.below(classes)));
  return labels;
}

std::vector<int> renumbered(std::vector<int> labels) {
  for (int& label : labels) label = 100 - 7 * label;
  return labels;
}

double naive_rand(const std::vector<int>& a, const std::vector<int>& b) {
  double agree = 0, all = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      agree += (a[i] == a[j]) == (b[i] == b[j]);
      ++all;
    }
  return agree / all;
}

// From the four kinds of pairs: 2(ad − bc) / ((a + b)(b + d) + (a + c)(c + d)), Hubert and Arabie.
double naive_adjusted_rand(const std::vector<int>& first, const std::vector<int>& second) {
  double a = 0, b = 0, c = 0, d = 0;
  for (std::size_t i = 0; i < first.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const bool x = first[i] == first[j], y = second[i] == second[j];
      (x && y ? a : x ? b : y ? c : d) += 1;
    }
  return 2 * (a * d - b * c) / ((a + b) * (b + d) + (a + c) * (c + d));
}

// Entropies of the two partitions and of the joint one, by counting anew for every sample.
double naive_nmi(const std::vector<int>& a, const std::vector<int>& b) {
  const double n = double(a.size());
  double first = 0, second = 0, joint = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    double in_a = 0, in_b = 0, in_both = 0;
    for (std::size_t j = 0; j < a.size(); ++j) {
      in_a += a[i] == a[j];
      in_b += b[i] == b[j];
      in_both += a[i] == a[j] && b[i] == b[j];
    }
    first -= std::log(in_a / n) / n;
    second -= std::log(in_b / n) / n;
    joint -= std::log(in_both / n) / n;
  }
  return (first + second - joint) / std::sqrt(first * second);
}

}  // namespace

TEST_CASE("measures agree with double loops over the samples") {
  Rng rng(1, "test");
  for (int trial = 0; trial < 20; ++trial) {
    const auto a = random_labels(60, 2 + rng.below(5), rng);
    const auto b = random_labels(60, 2 + rng.below(5), rng);

    CHECK(normalised_mutual_information(a, b) == doctest::Approx(naive_nmi(a, b)));
    CHECK(rand_index(a, b) == doctest::Approx(naive_rand(a, b)));
    CHECK(adjusted_rand_index(a, b) == doctest::Approx(naive_adjusted_rand(a, b)));
  }
}

TEST_CASE("measures do not depend on numbering, order of arguments or order of samples") {
  Rng rng(2, "test");
  const auto a = random_labels(80, 4, rng);
  const auto b = random_labels(80, 3, rng);
  std::vector<int> shuffled_a, shuffled_b;
  for (const Index i : rng.permutation(80)) {
    shuffled_a.push_back(a[std::size_t(i)]);
    shuffled_b.push_back(b[std::size_t(i)]);
  }

  for (const auto measure : {normalised_mutual_information, rand_index, adjusted_rand_index}) {
    CHECK(measure(a, renumbered(a)) == doctest::Approx(1));
    CHECK(measure(a, b) == doctest::Approx(measure(b, a)));
    CHECK(measure(a, b) == doctest::Approx(measure(renumbered(a), b)));
    CHECK(measure(a, b) == doctest::Approx(measure(shuffled_a, shuffled_b)));
  }
}

TEST_CASE("independent partitions have no mutual information and adjusted rand near zero") {
  std::vector<int> a, b;
  for (int i = 0; i < 400; ++i) {
    a.push_back(i % 2);
    b.push_back(i / 2 % 2);
  }

  CHECK(std::abs(normalised_mutual_information(a, b)) < 1e-12);
  CHECK(std::abs(adjusted_rand_index(a, b)) < 0.01);
}

TEST_CASE("adjusted rand of a small example worked by hand") {
  // Pairs: together in both 2, in the first 3 + 3 = 6, in the second 1 + 1 + 1 = 3, of 15; expected 6·3/15 = 1.2.
  CHECK(adjusted_rand_index({0, 0, 0, 1, 1, 1}, {0, 0, 1, 1, 2, 2}) ==
        doctest::Approx((2 - 6 * 3 / 15.0) / (4.5 - 1.2)));
}

TEST_CASE("partitions with one cluster have a defined value") {
  const std::vector<int> one(5, 3), apart = {0, 1, 2, 3, 4}, none;

  CHECK(normalised_mutual_information(one, one) == 1);
  CHECK(normalised_mutual_information(one, apart) == 0);
  CHECK(normalised_mutual_information(none, none) == 1);
  CHECK(rand_index(one, apart) == 0);
  CHECK(rand_index({1}, {2}) == 1);
  CHECK(adjusted_rand_index(one, one) == 1);
  CHECK(adjusted_rand_index(apart, apart) == 1);
  CHECK(adjusted_rand_index(one, apart) == 0);
  CHECK(adjusted_rand_index(none, none) == 1);
}

TEST_CASE("random labels score on average what their number of clusters says") {
  Rng rng(3, "test");
  const std::vector<int> truth = {0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2};
  for (const Index clusters : {1, 2, 4}) {
    double sum = 0;
    constexpr int kDraws = 4000;
    for (int draw = 0; draw < kDraws; ++draw) sum += rand_index(truth, random_labels(12, clusters, rng)) / kDraws;

    CHECK(std::abs(random_rand_index(truth, clusters) - sum) <= 0.01);  // five standard errors
  }
  CHECK(random_rand_index(truth, 1) == doctest::Approx(rand_index(truth, std::vector<int>(12, 0))));
  CHECK(random_rand_index({3}, 2) == 1);
  CHECK_THROWS_AS(random_rand_index(truth, 0), Error);
}

TEST_CASE("partitions of different lengths are refused") { CHECK_THROWS_AS(rand_index({1, 2}, {1}), Error); }

TEST_CASE("partitions into very many clusters stay cheap") {
  std::vector<int> apart(100'000);
  for (std::size_t i = 0; i < apart.size(); ++i) apart[i] = int(i);

  CHECK(normalised_mutual_information(apart, apart) == doctest::Approx(1));
}

TEST_CASE("clusters are matched to the classes they share most samples with, each class once") {
  //                                cluster 0 is class 2, cluster 1 class 0, cluster 2 has nothing left
  const std::vector<int> clusters = {0, 0, 0, 1, 1, 2, 2, 0}, classes = {2, 2, 2, 0, 0, 2, 2, 0};

  CHECK(matched_classes(clusters, 3, classes, 3) == std::vector<int>{2, 0, 1});
  CHECK(matched_classes(clusters, 3, std::vector<int>(8, 0), 1) == std::vector<int>{0, -1, -1});
}

TEST_CASE("the silhouette is that of a double loop over the points") {
  Rng rng(3, "silhouette");
  for (const Index n : {2, 40, 300}) {
    const RowMatrix X = rng.normal_matrix(n, 3).array() + 1e3;  // far from zero
    std::vector<int> labels = random_labels(n, 4, rng);
    labels.front() = 5;  // a point that is alone
    double expected = 0;
    for (Index i = 0; i < n; ++i) {
      std::vector<double> sum(6, 0), count(6, 0);
      for (Index j = 0; j < n; ++j) {
        if (j == i) continue;
        sum[std::size_t(labels[std::size_t(j)])] += (X.row(i) - X.row(j)).norm();
        ++count[std::size_t(labels[std::size_t(j)])];
      }
      const auto own = std::size_t(labels[std::size_t(i)]);
      if (count[own] == 0) continue;
      double nearest = INFINITY;
      for (std::size_t c = 0; c < sum.size(); ++c)
        if (c != own && count[c] > 0) nearest = std::min(nearest, sum[c] / count[c]);
      const double inside = sum[own] / count[own];
      expected += (nearest - inside) / std::max(nearest, inside) / double(n);
    }

    CHECK(silhouette(X, labels) == doctest::Approx(expected).epsilon(1e-9));
  }
  CHECK(silhouette(RowMatrix::Random(5, 2), {0, 0, 0, 0, 0}) == 0);
}
