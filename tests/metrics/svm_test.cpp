// SPDX-License-Identifier: MIT
#include "metrics/svm.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
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

TEST_CASE("gamma 'scale' is one over the number of columns times the variance of all entries") {
  const Sample sample = groups(40, 2, 3);
  const double mean = sample.X.mean(), variance = (sample.X.array() - mean).square().mean();
  const SvmOptions same{.gamma = 1 / (3 * variance)};
  const RowMatrix asked = groups(500, 2, 3, 7).X;

  CHECK(KernelSvm::train(sample.X, sample.labels, {}, {}).predict(asked, {}) ==
        KernelSvm::train(sample.X, sample.labels, same, {}).predict(asked, {}));
}

TEST_CASE("the machine does not depend on the number of threads or on calls before it") {
  const Sample train = groups(90, 3, 1), test = groups(300, 3, 1, 7);
  RunContext one, four;
  one.threads = 1;
  four.threads = 4;

  CHECK(KernelSvm::train(train.X, train.labels, {}, one).predict(test.X, one) ==
        KernelSvm::train(train.X, train.labels, {}, four).predict(test.X, four));
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
