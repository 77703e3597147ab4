// SPDX-License-Identifier: MIT
#include "metrics/neighbours.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <map>

#include "ritz/base/error.hpp"
#include "ritz/base/random.hpp"

using namespace ritz;

namespace {

struct Classified {
  RowMatrix X;
  std::vector<int> labels;
};

// On a coarse grid, so that equal distances and equal points are common.
Classified on_grid(Index n, Index d, Index classes, Rng& rng) {
  Classified data{RowMatrix(n, d), {}};
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < d; ++j) data.X(i, j) = double(rng.below(4));
    data.labels.push_back(int(rng.below(classes)));
  }
  return data;
}

int naive_label(const Classified& train, const Eigen::RowVectorXd& point, Index k, Index left_out) {
  std::vector<std::pair<double, Index>> all;
  for (Index j = 0; j < train.X.rows(); ++j)
    if (j != left_out) all.emplace_back((point - train.X.row(j)).squaredNorm(), j);
  std::ranges::sort(all);
  std::map<int, Index> votes;
  for (Index v = 0; v < k; ++v) ++votes[train.labels[std::size_t(all[std::size_t(v)].second)]];
  int best = votes.begin()->first;
  for (const auto& [label, count] : votes)
    if (count > votes[best]) best = label;
  return best;
}

double naive_leave_one_out(const Classified& data, Index k) {
  double right = 0;
  for (Index i = 0; i < data.X.rows(); ++i)
    right += naive_label(data, data.X.row(i), k, i) == data.labels[std::size_t(i)];
  return right / double(data.X.rows());
}

}  // namespace

TEST_CASE("labels equal those of the double loop, ties included") {
  Rng rng(3, "test");
  for (const Index d : {1, 2, 5}) {
    const Classified train = on_grid(1300, d, 4, rng);  // more than one tile of rows
    const Classified test = on_grid(300, d, 4, rng);
    for (const Index k : {1, 4, 15}) {
      CAPTURE(d);
      CAPTURE(k);
      std::vector<int> expected;
      for (Index i = 0; i < test.X.rows(); ++i) expected.push_back(naive_label(train, test.X.row(i), k, -1));

      CHECK(knn_labels(train.X, train.labels, test.X, k, RunContext{}) == expected);
    }
  }
}

TEST_CASE("votes are the labels, and the share of the neighbours that have the right one") {
  // On a line: 0 1 2 | 10 11 12, one of them of the other class.
  RowMatrix train(6, 1), test(2, 1);
  train << 0, 1, 2, 10, 11, 12;
  test << 1, 11.2;
  const std::vector<int> of = {0, 0, 1, 1, 1, 1};

  const KnnVotes votes = knn_votes(train, of, test, {0, 0}, 3, RunContext{});

  CHECK(votes.labels == knn_labels(train, of, test, 3, RunContext{}));
  CHECK(votes.labels == std::vector<int>{0, 1});
  CHECK(votes.right[0] == doctest::Approx(2.0 / 3));
  CHECK(votes.right[1] == 0);
}

TEST_CASE("a large offset does not change who is near") {
  Rng rng(4, "test");
  Classified data = on_grid(400, 3, 3, rng);
  const double expected = naive_leave_one_out(data, 5);

  CHECK(leave_one_out_knn_accuracy(data.X, data.labels, 5, RunContext{}) == expected);
  data.X.array() += 1e9;
  CHECK(leave_one_out_knn_accuracy(data.X, data.labels, 5, RunContext{}) == expected);
}

TEST_CASE("the number of threads does not matter") {
  Rng rng(5, "test");
  Classified data{RowMatrix(rng.normal_matrix(1500, 6)), {}};
  for (Index i = 0; i < 1500; ++i) data.labels.push_back(int(rng.below(5)));

  for (const int threads : {1, 2, 7}) {
    RunContext context;
    context.threads = threads;
    CHECK(knn_labels(data.X, data.labels, data.X, 7, context) == knn_labels(data.X, data.labels, data.X, 7, {}));
  }
}

TEST_CASE("accuracy does not depend on the order of samples without ties") {
  Rng rng(6, "test");
  const Classified data{RowMatrix(rng.normal_matrix(200, 3)), [&] {
                          std::vector<int> labels;
                          for (Index i = 0; i < 200; ++i) labels.push_back(int(rng.below(2)));
                          return labels;
                        }()};
  Classified shuffled{RowMatrix(200, 3), {}};
  Index row = 0;
  for (const Index i : rng.permutation(200)) {
    shuffled.X.row(row++) = data.X.row(i);
    shuffled.labels.push_back(data.labels[std::size_t(i)]);
  }

  CHECK(leave_one_out_knn_accuracy(data.X, data.labels, 3, {}) ==
        leave_one_out_knn_accuracy(shuffled.X, shuffled.labels, 3, {}));
}

TEST_CASE("all rows as neighbours give the largest class, the smaller number in a tie") {
  RowMatrix X(4, 1);
  X << 0, 1, 2, 3;
  const std::vector<int> labels = {9, 2, 9, 2};

  CHECK(knn_labels(X, labels, X, 4, RunContext{}) == std::vector<int>{2, 2, 2, 2});
  CHECK(knn_accuracy(X, labels, X, labels, 1, RunContext{}) == 1);
}

TEST_CASE("of equal points the first one counts") {
  const RowMatrix same = RowMatrix::Ones(3, 2);

  CHECK(knn_labels(same, {7, 1, 0}, same, 1, RunContext{}) == std::vector<int>{7, 7, 7});
}

TEST_CASE("wrong input is named") {
  const RowMatrix X = RowMatrix::Zero(3, 2), wider = RowMatrix::Zero(3, 4), none(0, 2);
  const std::vector<int> labels = {0, 1, 0};
  RowMatrix broken = X;
  broken(1, 1) = std::numeric_limits<double>::quiet_NaN();
  const auto code = [&](DataView train, DataView test, const std::vector<int>& test_labels, Index k) {
    try {
      knn_accuracy(train, labels, test, test_labels, k, RunContext{});
    } catch (const Error& error) {
      return error.code();
    }
    return ErrorCode::unsupported;
  };

  CHECK(code(X, wider, labels, 1) == ErrorCode::bad_shape);
  CHECK(code(X, X, {0}, 1) == ErrorCode::bad_shape);
  CHECK(code(X, X, labels, 0) == ErrorCode::bad_option);
  CHECK(code(X, X, labels, 4) == ErrorCode::bad_option);
  CHECK(code(X, none, {}, 1) == ErrorCode::bad_data);
  CHECK(code(broken, X, labels, 1) == ErrorCode::not_finite);
  CHECK_THROWS_AS(leave_one_out_knn_accuracy(X, labels, 3, RunContext{}), Error);
}
