// SPDX-License-Identifier: MIT
#include "metrics/neighbours.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "base/at.hpp"
#include "pairs/neighbours.hpp"
#include "ritz/base/error.hpp"

namespace ritz {
namespace {

void check_input(std::string_view what, DataView X, const std::vector<int>& labels) {
  if (Index(labels.size()) != X.rows())
    throw Error(ErrorCode::bad_shape,
                fmt::format("the {} data has {} rows and {} labels", what, X.rows(), labels.size()));
}

void check_finite(std::string_view what, DataView X) {
  if (!X.allFinite())
    throw Error(ErrorCode::not_finite, fmt::format("the {} data contains NaN or infinite values", what));
}

void check_k(Index k, Index highest) {
  if (k < 1 || k > highest)
    throw Error(ErrorCode::bad_option,
                fmt::format("k is {}; it must lie in [1, {}], the number of rows to choose from", k, highest));
}

int most_frequent(std::vector<int> votes) {
  std::ranges::sort(votes);
  int best = votes.front();
  std::ptrdiff_t most = 0;
  for (auto run = votes.begin(); run != votes.end();) {
    const auto end = std::upper_bound(run, votes.end(), *run);
    if (end - run > most) {
      most = end - run;
      best = *run;
    }
    run = end;
  }
  return best;
}

std::vector<int> voted(const NeighbourTable& nearest, const std::vector<int>& labels) {
  std::vector<int> found, votes;
  for (Index i = 0; i < nearest.queries(); ++i) {
    votes.clear();
    for (const Index row : nearest.rows_of(i)) votes.push_back(at(labels, row));
    found.push_back(most_frequent(votes));
  }
  return found;
}

double share_of_equal(const std::vector<int>& found, const std::vector<int>& truth) {
  Index equal = 0;
  for (std::size_t i = 0; i < truth.size(); ++i) equal += found[i] == truth[i];
  return double(equal) / double(truth.size());
}

}  // namespace

namespace {

NeighbourTable nearest_of(DataView train, const std::vector<int>& train_labels, DataView test, Index k,
                          const RunContext& context) {
  check_input("training", train, train_labels);
  if (train.cols() != test.cols())
    throw Error(ErrorCode::bad_shape,
                fmt::format("the training data has {} columns and the test data {}", train.cols(), test.cols()));
  check_k(k, train.rows());
  check_finite("training", train);
  check_finite("test", test);
  return cross_neighbours(test, train, k, context);
}

}  // namespace

std::vector<int> knn_labels(DataView train, const std::vector<int>& train_labels, DataView test, Index k,
                            const RunContext& context) {
  return voted(nearest_of(train, train_labels, test, k, context), train_labels);
}

KnnVotes knn_votes(DataView train, const std::vector<int>& train_labels, DataView test,
                   const std::vector<int>& test_labels, Index k, const RunContext& context) {
  check_input("test", test, test_labels);
  const NeighbourTable nearest = nearest_of(train, train_labels, test, k, context);
  KnnVotes votes{voted(nearest, train_labels), {}};
  for (Index i = 0; i < nearest.queries(); ++i) {
    Index right = 0;
    for (const Index row : nearest.rows_of(i)) right += at(train_labels, row) == at(test_labels, i);
    votes.right.push_back(double(right) / double(k));
  }
  return votes;
}

double knn_accuracy(DataView train, const std::vector<int>& train_labels, DataView test,
                    const std::vector<int>& test_labels, Index k, const RunContext& context) {
  check_input("test", test, test_labels);
  if (test.rows() == 0) throw Error(ErrorCode::bad_data, "there are no test samples to classify");
  return share_of_equal(knn_labels(train, train_labels, test, k, context), test_labels);
}

double leave_one_out_knn_accuracy(DataView X, const std::vector<int>& labels, Index k, const RunContext& context) {
  check_input("training", X, labels);
  if (X.rows() < 2) throw Error(ErrorCode::bad_data, "leaving one sample out needs at least two samples");
  check_k(k, X.rows() - 1);
  check_finite("training", X);
  return share_of_equal(voted(nearest_neighbours(X, k, context), labels), labels);
}

}  // namespace ritz
