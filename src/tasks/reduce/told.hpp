// SPDX-License-Identifier: MIT
// What is known of samples that are trained on and of those that are predicted, and how well a space tells it.
#pragma once

#include "metrics/neighbours.hpp"
#include "metrics/regression.hpp"
#include "tasks/reduce/fit.hpp"

namespace ritz::reduce {

// Two spaces with the same rows: those trained on and those tested on.
struct Space {
  DataView train, test;
};

// Rows inside and outside of a fold.
inline Split parts_of(const std::vector<int>& fold_of, int fold) {
  Split parts;
  for (std::size_t i = 0; i < fold_of.size(); ++i) (fold_of[i] == fold ? parts.test : parts.train).push_back(Index(i));
  return parts;
}

// What is known of the two parts: classes, or numbers.
struct Told {
  std::vector<int> train_labels, test_labels;
  RowMatrix train_targets, test_targets;
  Index neighbours;

  Told(const Dataset& data, const Guidance& guidance, const Split& parts, Index asked)
      : neighbours(std::min(asked, Index(parts.train.size()))) {
    if (guidance.targets.size() > 0) {
      train_targets = guidance.targets(parts.train, Eigen::all);
      test_targets = guidance.targets(parts.test, Eigen::all);
      return;
    }
    for (const Index i : parts.train) train_labels.push_back(data.labels.of[std::size_t(i)]);
    for (const Index i : parts.test) test_labels.push_back(data.labels.of[std::size_t(i)]);
  }
  bool numbers() const { return test_targets.size() > 0; }
  double explained(const RowMatrix& predicted) const { return explained_variance(test_targets, predicted); }
  double knn(const Space& space, const RunContext& context) const {
    return numbers() ? explained(knn_means(space.train, train_targets, space.test, neighbours, context))
                     : knn_accuracy(space.train, train_labels, space.test, test_labels, neighbours, context);
  }
};

}  // namespace ritz::reduce
