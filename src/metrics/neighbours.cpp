// SPDX-License-Identifier: MIT
#include "ritz/metrics/neighbours.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

#include "ritz/base/error.hpp"
#include "ritz/base/parallel.hpp"
#include "ritz/linalg/products.hpp"

namespace ritz {
namespace {

// A tile's products (256 × 1024 doubles) stay in the second-level cache.
constexpr Index kQueryRows = 256;
constexpr Index kTrainRows = 1024;

enum class Own { counts, is_left_out };

void check_input(std::string_view what, DataView X, const std::vector<int>& labels) {
  if (Index(labels.size()) != X.rows())
    throw Error(ErrorCode::bad_shape, "the " + std::string(what) + " data has " + std::to_string(X.rows()) +
                                          " rows and " + std::to_string(labels.size()) + " labels");
}

void check_finite(std::string_view what, DataView X) {
  if (!X.allFinite())
    throw Error(ErrorCode::not_finite, "the " + std::string(what) + " data contains NaN or infinite values");
}

void check_k(Index k, Index highest) {
  if (k < 1 || k > highest)
    throw Error(ErrorCode::bad_option, "k is " + std::to_string(k) + "; it must lie in [1, " + std::to_string(highest) +
                                           "], the number of rows to choose from");
}

struct Near {
  double distance;  // squared
  Index row;
  bool operator<(const Near& other) const {
    return distance != other.distance ? distance < other.distance : row < other.row;
  }
};

// The k nearest so far as a heap, the farthest on top.
class Nearest {
 public:
  explicit Nearest(Index k) : k_(std::size_t(k)) { heap_.reserve(k_); }
  double bound() const { return heap_.size() < k_ ? std::numeric_limits<double>::infinity() : heap_.front().distance; }
  void offer(const Near& candidate) {
    if (heap_.size() == k_) {
      if (!(candidate < heap_.front())) return;
      std::pop_heap(heap_.begin(), heap_.end());
      heap_.back() = candidate;
    } else {
      heap_.push_back(candidate);
    }
    std::push_heap(heap_.begin(), heap_.end());
  }
  const std::vector<Near>& rows() const { return heap_; }

 private:
  std::size_t k_;
  std::vector<Near> heap_;
};

// Rows of the data as columns, without a copy: what BLAS wants.
Eigen::Map<const Matrix, 0, Eigen::OuterStride<>> columns_of(DataView X, const Range& rows) {
  return {X.data() + rows.begin * X.outerStride(), X.cols(), rows.size(), Eigen::OuterStride<>(X.outerStride())};
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

// |a|² + |b|² − 2ab by matrix products tells which rows can be near; it is wrong by up to `slack`, which would decide
// ties by rounding. So every row it cannot exclude is measured again from the differences: about k log n of n rows.
std::vector<int> vote(DataView train, const std::vector<int>& train_labels, DataView test, Index k, Own own,
                      const RunContext& context) {
  const Vector train_norms = train.rowwise().squaredNorm();
  const double largest_norm = train_norms.size() ? train_norms.maxCoeff() : 0;
  // Three sums of d products, each within (d + 1)ε of the sum of its terms' magnitudes, which the norms bound.
  const double relative_slack = 4 * double(train.cols() + 2) * std::numeric_limits<double>::epsilon();
  std::vector<int> found(std::size_t(test.rows()));
  for_each_tile(tile_count(test.rows(), kQueryRows), context, [&](Index tile) {
    const Range queries = tile_range(test.rows(), kQueryRows, tile);
    const auto query = test.middleRows(queries.begin, queries.size());
    const Vector query_norms = query.rowwise().squaredNorm();
    std::vector<Nearest> nearest(std::size_t(queries.size()), Nearest(k));
    Matrix products(std::min(kTrainRows, train.rows()), queries.size());  // a column for each query
    for (Index part = 0; part < tile_count(train.rows(), kTrainRows); ++part) {
      const Range range = tile_range(train.rows(), kTrainRows, part);
      context.poll();
      multiply_transposed(columns_of(train, range), columns_of(test, queries), products.topRows(range.size()));
      for (Index i = 0; i < queries.size(); ++i) {
        Nearest& best = nearest[std::size_t(i)];
        const double slack = relative_slack * (query_norms[i] + largest_norm);
        double limit = best.bound() + slack - query_norms[i];
        for (Index j = 0; j < range.size(); ++j) {
          const Index row = range.begin + j;
          if (train_norms[row] - 2 * products(j, i) > limit) continue;
          if (own == Own::is_left_out && row == queries.begin + i) continue;
          best.offer({(query.row(i) - train.row(row)).squaredNorm(), row});
          limit = best.bound() + slack - query_norms[i];
        }
      }
    }
    for (Index i = 0; i < queries.size(); ++i) {
      std::vector<int> votes;
      for (const Near& near : nearest[std::size_t(i)].rows()) votes.push_back(train_labels[std::size_t(near.row)]);
      found[std::size_t(queries.begin + i)] = most_frequent(std::move(votes));
    }
  });
  return found;
}

double share_of_equal(const std::vector<int>& found, const std::vector<int>& truth) {
  Index equal = 0;
  for (std::size_t i = 0; i < truth.size(); ++i) equal += found[i] == truth[i];
  return double(equal) / double(truth.size());
}

}  // namespace

std::vector<int> knn_labels(DataView train, const std::vector<int>& train_labels, DataView test, Index k,
                            const RunContext& context) {
  check_input("training", train, train_labels);
  if (train.cols() != test.cols())
    throw Error(ErrorCode::bad_shape, "the training data has " + std::to_string(train.cols()) +
                                          " columns and the test data " + std::to_string(test.cols()));
  check_k(k, train.rows());
  check_finite("training", train);
  check_finite("test", test);
  return vote(train, train_labels, test, k, Own::counts, context);
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
  return share_of_equal(vote(X, labels, X, k, Own::is_left_out, context), labels);
}

}  // namespace ritz
