// SPDX-License-Identifier: MIT
#include "ritz/algorithms/dependence.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "ritz/base/random.hpp"
#include "support/errors.hpp"

using namespace ritz;
using namespace ritz::dependence;

namespace {

RunContext threads(int count) {
  RunContext context;
  context.threads = count;
  return context;
}

Matrix gaussian_matrix(const RowMatrix& X, double sigma) {
  Matrix K(X.rows(), X.rows());
  for (Index i = 0; i < X.rows(); ++i)
    for (Index j = 0; j < X.rows(); ++j) K(i, j) = std::exp(-(X.row(i) - X.row(j)).squaredNorm() / (2 * sigma * sigma));
  return K;
}

// Tr(KHLH)/n², as the definition says it.
double naive_hsic(const Matrix& K, const Matrix& L) {
  const Index n = K.rows();
  const Matrix H = Matrix::Identity(n, n) - Matrix::Constant(n, n, 1.0 / double(n));
  return (K * H * L * H).trace() / double(n * n);
}

Labels halves(Index n) {
  std::vector<std::string> texts;
  for (Index i = 0; i < n; ++i) texts.push_back(i % 2 ? "a" : "b");
  return make_labels(texts);
}

double p_value(const RowMatrix& X, const RowMatrix& Y, const char* kernel, int permutations, std::uint64_t seed) {
  RunContext context = threads(1);
  context.seed = seed;
  const Side a = kernel_side(Samples(X), parse_kernel(kernel), {}, context),
             b = kernel_side(Samples(Y), parse_kernel(kernel), {}, context);
  const Matrix drawn = shuffled_statistics(a.factor, {{0, a.factor.cols()}}, b.factor, {0, permutations}, context);
  return Null{hsic(a.factor, b.factor), {drawn.data(), drawn.data() + drawn.size()}}.p();
}

}  // namespace

TEST_CASE("HSIC of two factors is the trace of its definition") {
  Rng rng(3, "test");
  const RowMatrix X = rng.normal_matrix(40, 3), Y = rng.normal_matrix(40, 2);
  const Side a = kernel_side(Samples(X), parse_kernel("gaussian(sigma=1.3)"), {1e-14, 40}, threads(1)),
             b = kernel_side(Samples(Y), parse_kernel("gaussian(sigma=0.8)"), {1e-14, 40}, threads(1));
  const Matrix K = gaussian_matrix(X, 1.3), L = gaussian_matrix(Y, 0.8);
  const double expected = naive_hsic(K, L);
  CHECK(hsic(a.factor, b.factor) == doctest::Approx(expected).epsilon(1e-9));
  CHECK(alignment(a.factor, b.factor) ==
        doctest::Approx(expected / std::sqrt(naive_hsic(K, K) * naive_hsic(L, L))).epsilon(1e-9));
  CHECK(alignment(a.factor, a.factor) == doctest::Approx(1).epsilon(1e-12));
  const Labels labels = halves(40);
  Matrix same(40, 40);
  for (Index i = 0; i < 40; ++i)
    for (Index j = 0; j < 40; ++j) same(i, j) = i % 2 == j % 2;
  CHECK(hsic(a.factor, label_side(labels).factor) == doctest::Approx(naive_hsic(K, same)).epsilon(1e-9));
}

TEST_CASE("dot products have a diagonal of their own") {
  Rng rng(4, "test");
  const RowMatrix X = rng.normal_matrix(30, 4);
  const Side side = kernel_side(Samples(X), parse_kernel("polynomial(degree=2,offset=1)"), {1e-14, 30}, threads(1));
  Matrix K = (X * X.transpose()).array() + 1;
  K = K.array().square();
  CHECK(hsic(side.factor, side.factor) == doctest::Approx(naive_hsic(K, K)).epsilon(1e-9));
}

TEST_CASE("a shuffled statistic is the statistic of the shuffled rows, for every part and any number of threads") {
  Rng rng(5, "test");
  const Index n = 2500;  // more than a tile of rows
  const Matrix A = rng.normal_matrix(n, 5), B = rng.normal_matrix(n, 3);
  const std::vector<Range> parts = {{0, 2}, {2, 5}};
  const Matrix found = shuffled_statistics(A, parts, B, {10, 30}, threads(1));
  CHECK(shuffled_statistics(A, parts, B, {10, 30}, threads(3)) == found);
  for (const Index k : {Index(0), Index(7), Index(19)}) {
    const std::vector<Index> order = Rng(0, "dependence/permutation", std::uint64_t(10 + k)).permutation(n);
    Matrix shuffled(n, 3);
    for (Index i = 0; i < n; ++i) shuffled.row(i) = B.row(order[std::size_t(i)]);
    for (std::size_t p = 0; p < 2; ++p)
      CHECK(found(k, Index(p)) ==
            doctest::Approx((A.middleCols(parts[p].begin, parts[p].size()).transpose() * shuffled).squaredNorm() /
                            double(n * n))
                .epsilon(1e-10));
  }
}

TEST_CASE("independent samples are called dependent as often as the level says") {
  constexpr int kDraws = 600;
  int called = 0;
  for (int draw = 0; draw < kDraws; ++draw) {
    Rng rng(std::uint64_t(draw), "null");
    const RowMatrix X = rng.normal_matrix(30, 2), Y = rng.normal_matrix(30, 1);
    called += p_value(X, Y, "gaussian(sigma=1)", 99, std::uint64_t(draw)) <= 0.05;
  }
  CHECK(std::abs(called / double(kDraws) - 0.05) < 3.5 * std::sqrt(0.05 * 0.95 / kDraws));
}

TEST_CASE("a parabola is seen by the Gaussian and not by correlations") {
  Rng rng(6, "test");
  const RowMatrix X = rng.normal_matrix(200, 1);
  RowMatrix Y = X.array().square() + 0.1 * rng.normal_matrix(200, 1).array();
  Y.array() -= Y.mean();
  CHECK(p_value(X, Y, "gaussian(sigma=1)", 199, 1) == doctest::Approx(1.0 / 200));
  CHECK(p_value(X, Y, "linear", 199, 1) > 0.01);
}

TEST_CASE("p counts the observed order, and rates are those of Benjamini and Hochberg") {
  CHECK(Null{1.0, {0.5, 1.0, 2.0}}.p() == doctest::Approx(0.75));
  const std::vector<double> rates = false_discovery_rates({0.01, 0.04, 0.03, 0.5});
  CHECK(rates[0] == doctest::Approx(0.04));
  CHECK(rates[1] == doctest::Approx(0.04 * 4 / 3));
  CHECK(rates[2] == doctest::Approx(0.04 * 4 / 3));  // not below the next one's
  CHECK(rates[3] == doctest::Approx(0.5));
}

TEST_CASE("a kernel that need not be positive semidefinite is refused by name") {
  const RowMatrix X = Rng(7, "test").normal_matrix(10, 2);
  const auto refused = test::complaint([&] { kernel_side(Samples(X), parse_kernel("multiquadric"), {}, threads(1)); });
  CHECK(refused.code == ErrorCode::unsupported);
  CHECK(refused.says("multiquadric"));
}
