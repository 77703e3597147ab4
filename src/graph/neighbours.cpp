// SPDX-License-Identifier: MIT
#include "ritz/graph/neighbours.hpp"

#include <fmt/format.h>

#include <cmath>

#include "base/memory.hpp"
#include "graph/search.hpp"
#include "ritz/base/error.hpp"
#include "ritz/base/text.hpp"

namespace ritz {

namespace {

// A k-d tree has to look into the boxes all around a point, about 2^d of them. Measured on Gaussian points, its worst
// case: it overtakes the products at 500 rows in 3 columns, 2,000 in 5 and 15,000 in 8.
bool tree_pays(Index rows, Index columns) {
  constexpr double kRowsPerBox = 64;
  return columns >= 1 && double(rows) >= kRowsPerBox * std::exp2(double(columns));
}

using detail::Own;

void check_k(Index k, Index points, Own own) {
  if (k < 1) throw Error(ErrorCode::bad_option, fmt::format("graph.neighbours is {}; it must be at least 1", k));
  if (own == Own::is_left_out ? k < points : k <= points) return;
  throw Error(ErrorCode::bad_option,
              own == Own::is_left_out
                  ? fmt::format("graph.neighbours {} needs more than {} samples; there are {}", k, k, points)
                  : fmt::format("graph.neighbours {} needs at least {} samples to choose from; "
                                "there are {}",
                                k, k, points));
}

void check_columns(Index queries, Index points) {
  if (queries == points) return;
  throw Error(ErrorCode::bad_shape,
              fmt::format("the new samples have {} columns; those they are compared with have {}", queries, points));
}

[[noreturn]] void not_finite() {
  throw Error(ErrorCode::not_finite, "nearest neighbours of samples with NaN or infinite values are asked for");
}
void check_finite(DataView X) {
  if (!X.allFinite()) not_finite();
}
void check_finite(const SparseRows& X) {
  if (!X.coeffs().allFinite()) not_finite();
}

NeighbourTable empty_table(Index queries, Index k, const RunContext& context) {
  const double bytes = double(queries) * double(k) * double(sizeof(Index) + sizeof(double));
  require_memory(bytes, context, fmt::format("a table of {} neighbours of {} samples", k, queries));
  const std::size_t size = std::size_t(queries) * std::size_t(k);
  return {k, std::vector<Index>(size), std::vector<double>(size)};
}

NeighbourTable dense_search(DataView queries, DataView points, Index k, Own own, const RunContext& context) {
  check_k(k, points.rows(), own);
  check_columns(queries.cols(), points.cols());
  check_finite(points);
  if (own == Own::counts) check_finite(queries);
  NeighbourTable table = empty_table(queries.rows(), k, context);
  if (tree_pays(points.rows(), points.cols()))
    detail::search_by_tree(queries, points, own, context, table);
  else
    detail::search_by_products(queries, points, own, context, table);
  return table;
}

NeighbourTable sparse_search(const SparseRows& queries, const SparseRows& points, Index k, Own own,
                             const RunContext& context) {
  check_k(k, points.rows(), own);
  check_columns(queries.cols(), points.cols());
  check_finite(points);
  check_finite(queries);
  NeighbourTable table = empty_table(queries.rows(), k, context);
  detail::search_by_columns(queries, points, own, context, table);
  return table;
}

}  // namespace

NeighbourTable nearest_neighbours(DataView X, Index k, const RunContext& context) {
  return dense_search(X, X, k, Own::is_left_out, context);
}

NeighbourTable nearest_neighbours(const SparseRows& X, Index k, const RunContext& context) {
  return sparse_search(X, X, k, Own::is_left_out, context);
}

NeighbourTable cross_neighbours(DataView queries, DataView points, Index k, const RunContext& context) {
  return dense_search(queries, points, k, Own::counts, context);
}

NeighbourTable cross_neighbours(const SparseRows& queries, const SparseRows& points, Index k,
                                const RunContext& context) {
  return sparse_search(queries, points, k, Own::counts, context);
}

}  // namespace ritz
