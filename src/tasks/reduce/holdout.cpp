// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "metrics/neighbours.hpp"
#include "ritz/base/error.hpp"
#include "ritz/base/random.hpp"
#include "tasks/reduce/fit.hpp"

namespace ritz::reduce {

Split stratified_split(const Labels& labels, double share, std::uint64_t seed) {
  Split split;
  std::vector<std::vector<Index>> members(std::size_t(labels.classes()));
  for (Index i = 0; i < labels.size(); ++i) members[std::size_t(labels.of[std::size_t(i)])].push_back(i);
  Rng rng(seed, "holdout");
  for (const std::vector<Index>& rows : members) {
    const auto test = Index(std::floor(share * double(rows.size())));
    const std::vector<Index> order = rng.permutation(Index(rows.size()));
    for (std::size_t i = 0; i < rows.size(); ++i)
      (Index(i) < test ? split.test : split.train).push_back(rows[std::size_t(order[i])]);
  }
  std::ranges::sort(split.train);
  std::ranges::sort(split.test);
  if (split.test.empty())
    throw Error(ErrorCode::bad_option,
                fmt::format("reduce.holdout {} leaves no sample to test on; the largest class has {} samples", share,
                            std::ranges::max(labels.counts())));
  return split;
}

void evaluate_holdout(ReduceResult& found, const Samples& train, const Labels& train_labels, Dataset test,
                      Index neighbours, const RunContext& context) {
  const bool sparse = test.sparse();
  const std::vector<int> test_labels = std::move(test.labels.of);
  const projection::ScaledSamples scaled(std::move(test), found.scaling);
  const Samples& held = scaled.samples();
  const Index k = std::min(neighbours, train.rows());
  const auto accuracy = [&](DataView from, DataView to) {
    return knn_accuracy(from, train_labels.of, to, test_labels, k, context);
  };
  found.holdout.neighbours = k;
  found.holdout.accuracy_after = accuracy(train.project(found.fit.W, context), held.project(found.fit.W, context));
  const double needed = sparse ? 8.0 * double(found.n) * double(found.d) : 0;
  if (needed > 0.5 * double(context.max_memory)) {
    found.fit.summary.notes.push_back(
        fmt::format("k-NN with all features is left out: dense, they would take {}", bytes_text(needed)));
    return;
  }
  RowMatrix from, to;
  const double *train_rows = train.rows_block({0, train.rows()}, from),
               *test_rows = held.rows_block({0, held.rows()}, to);
  found.holdout.accuracy_before = accuracy(Eigen::Map<const RowMatrix>(train_rows, train.rows(), train.cols()),
                                           Eigen::Map<const RowMatrix>(test_rows, held.rows(), held.cols()));
}

}  // namespace ritz::reduce
