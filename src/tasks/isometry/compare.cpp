// SPDX-License-Identifier: MIT
// The measurements beside principal components and random ones of the same rank, and how many neighbours each keeps.
#include <algorithm>

#include "linalg/tall_products.hpp"
#include "pairs/neighbours.hpp"
#include "ritz/base/random.hpp"
#include "ritz/pairs/backend.hpp"
#include "tasks/isometry/task.hpp"

namespace ritz::isometry {

namespace {

constexpr Index kMostQueries = 2000;  // samples whose neighbours are looked up for the recall

// The k nearest of each query, itself left out.
std::vector<std::vector<Index>> neighbours_of(const std::vector<Index>& queries, const RowMatrix& X, Index k,
                                              const RunContext& context) {
  RowMatrix some(Index(queries.size()), X.cols());
  for (std::size_t q = 0; q < queries.size(); ++q) some.row(Index(q)) = X.row(queries[q]);
  const NeighbourTable table = cross_neighbours(some, X, k + 1, context);
  std::vector<std::vector<Index>> found(queries.size());
  for (std::size_t q = 0; q < queries.size(); ++q) {
    for (const Index j : table.rows_of(Index(q)))
      if (j != queries[q] && Index(found[q].size()) < k) found[q].push_back(j);
    std::ranges::sort(found[q]);
  }
  return found;
}

double recall_of(const std::vector<std::vector<Index>>& truth, const std::vector<std::vector<Index>>& found) {
  double hits = 0, all = 0;
  for (std::size_t q = 0; q < truth.size(); ++q) {
    for (const Index j : found[q]) hits += std::ranges::binary_search(truth[q], j);
    all += double(truth[q].size());
  }
  return all > 0 ? hits / all : kUnknown;
}

// Scales psi to the least distortion.
Compared compared(std::string name, Matrix& psi, const DistanceSweep& meter, bool weighted, const RunContext& context) {
  const Sweep sweep = meter.sweep(psi, {}, context);
  centre_ratios(psi, sweep);
  const double sum = sweep.lowest + sweep.highest, factor = sum > 0 ? 2 / sum : 1;
  // Weights, where there are some, would make another factor the best; then the rows are measured as they are.
  const double distortion =
      weighted ? meter.sweep(psi, {}, context).distortion : (sweep.highest - sweep.lowest) / std::max(sum, 1e-300);
  return {std::move(name), distortion, factor * sweep.lowest, factor * sweep.highest};
}

}  // namespace

void compare(const RowMatrix& X, const IsometryOptions& options, IsometryResult& found, const RunContext& context) {
  const Sweep& own = found.fit.sweep;
  found.comparison.push_back({"ritz", own.distortion, own.lowest, own.highest});
  const Index n = X.rows(), k = options.recall, rank = found.fit.psi.rows();
  std::vector<Matrix> all = {found.fit.psi, principal_measurements(X, rank, context),
                             random_measurements(X.cols(), rank, context)};
  const auto meter = backend_or_cpu(context).distance_sweep(X, found.pairs, context);
  found.comparison.push_back(compared("pca", all[1], *meter, !found.pairs.empty(), context));
  found.comparison.push_back(compared("random", all[2], *meter, !found.pairs.empty(), context));
  if (k == 0) return;
  const std::vector<Index> queries = Rng(context.seed, "isometry queries").sample(n, std::min(n, kMostQueries));
  found.recall = k;
  found.recall_queries = Index(queries.size());
  const auto truth = neighbours_of(queries, X, k, context);
  for (std::size_t o = 0; o < all.size(); ++o)
    found.comparison[o].recall =
        recall_of(truth, neighbours_of(queries, tall_product(X, Matrix(all[o].transpose()), context), k, context));
}

}  // namespace ritz::isometry
