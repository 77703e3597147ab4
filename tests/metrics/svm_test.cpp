// SPDX-License-Identifier: MIT
#include "metrics/svm.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <limits>

#include "ritz/base/random.hpp"
#include "support/errors.hpp"

using namespace ritz;

namespace {

struct Sample {
  RowMatrix X;
  std::vector<int> labels;
};

// Groups of spread 1 around corners at `apart` from each other.
Sample groups(Index n, int classes, double apart, std::uint64_t seed = 1, Index d = 3) {
  Rng rng(seed, "svm test");
  Sample sample{RowMatrix(rng.normal_matrix(n, d)), {}};
  for (Index i = 0; i < n; ++i) {
    const int c = int(i % classes);
    sample.labels.push_back(5 * c - 3);
    sample.X(i, c % d) += apart * double(1 + c / d);
  }
  return sample;
}

}  // namespace

TEST_CASE("separable classes are told apart, on samples not seen as well") {
  for (const int classes : {2, 3, 5}) {
    CAPTURE(classes);
    const Sample train = groups(120, classes, 12), test = groups(60, classes, 12, 2);

    CHECK(svm_accuracy(train.X, train.labels, train.X, train.labels, {}, {}) == 1);
    CHECK(svm_accuracy(train.X, train.labels, test.X, test.labels, {}, {}) == 1);
  }
}

TEST_CASE("the optimality conditions hold: outside the margin unless supported, and the dual sums to zero") {
  const Sample sample = groups(150, 2, 1.5);
  for (const double C : {0.1, 1.0, 30.0}) {
    CAPTURE(C);
    const SvmOptions options{.C = C, .gamma = 0.3, .tolerance = 1e-6};
    const KernelSvm machine = KernelSvm::train(sample.X, sample.labels, options, {});
    const RowMatrix f = machine.decisions(sample.X, {});
    const std::vector<Index> support = machine.support();

    // The decision is Σ αⱼyⱼk(xⱼ, x) − ρ with 0 <= αⱼ <= C and Σ αⱼyⱼ = 0: find α from f and check both. A sample
    // inside the margin has α = C, one outside 0.
    const auto m = Index(support.size());
    Matrix K(m + 1, m + 1);
    Vector right(m + 1);
    for (Index a = 0; a < m; ++a) {
      for (Index b = 0; b < m; ++b)
        K(a, b) = std::exp(
            -0.3 * (sample.X.row(support[std::size_t(a)]) - sample.X.row(support[std::size_t(b)])).squaredNorm());
      K(a, m) = -1;
      K(m, a) = 1;
      right[a] = f(support[std::size_t(a)], 0);
    }
    K(m, m) = 0;
    right[m] = 0;
    const Vector alpha_y = K.fullPivLu().solve(right);
    REQUIRE((K * alpha_y - right).norm() < 1e-6);
    for (Index a = 0; a < m; ++a) {
      const Index i = support[std::size_t(a)];
      const double y = sample.labels[std::size_t(i)] == -3 ? 1 : -1, alpha = y * alpha_y[a], margin = y * f(i, 0);
      CHECK(alpha > -1e-4 * C);
      CHECK(alpha < C * (1 + 1e-4));
      if (margin < 1 - 1e-4) CHECK(alpha == doctest::Approx(C).epsilon(1e-4));
      CHECK(margin < 1 + 1e-4);
    }
    for (Index i = 0; i < sample.X.rows(); ++i)
      if (!std::ranges::binary_search(support, i))
        CHECK((sample.labels[std::size_t(i)] == -3 ? 1 : -1) * f(i, 0) > 1 - 1e-4);
  }
}

TEST_CASE("gamma 'scale' is one over the number of columns times the variance of all entries") {
  const Sample sample = groups(40, 2, 3);
  const double mean = sample.X.mean(), variance = (sample.X.array() - mean).square().mean();
  const KernelSvm machine = KernelSvm::train(sample.X, sample.labels, {}, {});
  const SvmOptions same{.gamma = 1 / (3 * variance)};

  CHECK(machine.gamma() == doctest::Approx(same.gamma).epsilon(1e-12));
  CHECK((machine.decisions(sample.X, {}) - KernelSvm::train(sample.X, sample.labels, same, {}).decisions(sample.X, {}))
            .cwiseAbs()
            .maxCoeff() < 1e-9);
  CHECK(KernelSvm::train(RowMatrix::Ones(4, 2), {0, 0, 1, 1}, {}, {}).gamma() == 1);
}

TEST_CASE("predictions follow the votes of the decisions") {
  const Sample train = groups(90, 3, 2), test = groups(200, 3, 2, 7);
  const KernelSvm machine = KernelSvm::train(train.X, train.labels, {}, {});
  const RowMatrix f = machine.decisions(test.X, {});
  const std::vector<int> labels = machine.predict(test.X, {});

  for (Index i = 0; i < 200; ++i) {
    std::array<int, 3> votes{};
    ++votes[f(i, 0) > 0 ? 0 : 1];
    ++votes[f(i, 1) > 0 ? 0 : 2];
    ++votes[f(i, 2) > 0 ? 1 : 2];
    CHECK(labels[std::size_t(i)] == 5 * int(std::ranges::max_element(votes) - votes.begin()) - 3);
  }
}

TEST_CASE("the machine does not depend on the number of threads or on calls before it") {
  const Sample train = groups(90, 3, 1), test = groups(300, 3, 1, 7);
  RunContext one, four;
  one.threads = 1;
  four.threads = 4;

  CHECK(KernelSvm::train(train.X, train.labels, {}, one).decisions(test.X, one) ==
        KernelSvm::train(train.X, train.labels, {}, four).decisions(test.X, four));
}

TEST_CASE("a training that is cancelled comes back at once") {
  const Sample sample = groups(2500, 2, 0.1, 3, 20);  // hopeless: minutes of work at this price
  std::atomic<bool> cancel = false;
  RunContext context;
  context.cancel = &cancel;
  context.deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(60);
  const auto start = std::chrono::steady_clock::now();

  CHECK_THROWS_AS(KernelSvm::train(sample.X, sample.labels, {.C = 1e3, .gamma = 0.01, .tolerance = 1e-5}, context),
                  Interrupted);
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(1));
}

TEST_CASE("what cannot be trained on is refused with its reason") {
  const RowMatrix X = RowMatrix::Identity(4, 4);
  const auto refused = [](const RowMatrix& data, const std::vector<int>& labels, const SvmOptions& options) {
    return test::complaint([&] { KernelSvm::train(data, labels, options, {}); }).code;
  };

  CHECK(refused(X, {0, 1}, {}) == ErrorCode::bad_shape);
  CHECK(refused(X, {1, 1, 1, 1}, {}) == ErrorCode::bad_data);
  CHECK(refused(X, {0, 1, 0, 1}, {.C = 0}) == ErrorCode::bad_option);
  RowMatrix hole = X;
  hole(1, 1) = std::numeric_limits<double>::quiet_NaN();
  CHECK(refused(hole, {0, 1, 0, 1}, {}) == ErrorCode::not_finite);
  const KernelSvm machine = KernelSvm::train(X, {0, 1, 0, 1}, {}, {});
  CHECK_THROWS_AS(machine.predict(RowMatrix::Ones(2, 3), {}), Error);
  CHECK(svm_objection(1000, 10, {}).empty());
  CHECK(!svm_objection(50'000, 2, {}).empty());
  CHECK(!svm_objection(15'000, 784, {}).empty());
}
