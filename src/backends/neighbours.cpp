// SPDX-License-Identifier: MIT
#include "pairs/neighbours.hpp"

#include <fmt/format.h>

#include "base/memory.hpp"
#include "graph/b_matching.hpp"
#include "ritz/base/error.hpp"
#include "ritz/pairs/backend.hpp"

namespace ritz {

namespace {

// A k-d tree has to look into the boxes all around a point, about 2^d of them. Measured on Gaussian points, its worst
// case: it overtakes the products at 500 rows in 3 columns, 2,000 in 5 and 15,000 in 8.
bool tree_pays(Index rows, Index columns) {
  constexpr double kRowsPerBox = 64;
  return columns >= 1 && double(rows) >= kRowsPerBox * std::exp2(double(columns));
}

void check_k(Index k, Index points, OwnRow own) {
  if (k < 1) throw Error(ErrorCode::bad_option, fmt::format("graph.neighbours is {}; it must be at least 1", k));
  if (own == OwnRow::is_left_out ? k < points : k <= points) return;
  throw Error(
      ErrorCode::bad_option,
      own == OwnRow::is_left_out
          ? fmt::format("graph.neighbours {} needs more than {} samples; there are {}", k, k, points)
          : fmt::format("graph.neighbours {} needs at least {} samples to choose from; there are {}", k, k, points));
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

template <class Rows>
NeighbourTable search(const Rows& queries, const Rows& points, Index k, OwnRow own, const RunContext& context) {
  check_k(k, points.rows(), own);
  check_columns(queries.cols(), points.cols());
  check_finite(points);
  if (own == OwnRow::counts) check_finite(queries);
  require_memory(double(queries.rows()) * double(k) * double(sizeof(Index) + sizeof(double)), context,
                 fmt::format("a table of {} neighbours of {} samples", k, queries.rows()));
  if constexpr (!std::is_same_v<Rows, SparseRows>)
    if (tree_pays(points.rows(), points.cols())) return tree_neighbours(queries, points, k, own, context);
  return backend_or_cpu(context).neighbours(queries, points, k, own, context);
}

template <class Rows>
NeighbourGraph matched(const Rows& X, Index k, const RunContext& context) {
  constexpr Index kChoice = 3;  // candidates for each place
  const Index n = X.rows();
  const auto length = [&](Index i, Index j) { return (X.row(i) - X.row(j)).norm(); };
  check_k(k, n, OwnRow::is_left_out);
  for (Index most = std::min(kChoice * k, n - 1);; most = std::min(2 * most, n - 1)) {
    NeighbourGraph found{{}, k, nearest_neighbours(X, most, context)};
    Matching matching = b_matching(found.neighbours, k, length, context);
    if (matching.graph.vertices == 0 && most < n - 1) continue;
    found.graph = std::move(matching.graph);
    found.above = matching.above();
    return found;
  }
}

template <class Rows>
NeighbourGraph made(const Rows& X, Index k, GraphKind kind, const RunContext& context) {
  if (kind == GraphKind::b_matching) return matched(X, k, context);
  NeighbourGraph found{{}, k, nearest_neighbours(X, k, context)};
  found.graph = neighbour_graph(found.neighbours, kind);
  return found;
}

template <class Rows>
NeighbourGraph grown(const Rows& X, Index k, GraphKind kind, const RunContext& context) {
  const Index n = X.rows();
  const auto connected = [](const Graph& graph) { return connected_components(graph).count == 1; };
  NeighbourGraph found = made(X, k, kind, context);
  Index too_few = k - 1;
  while (!connected(found.graph)) {
    too_few = found.k;
    found = made(X, std::min(2 * found.k, n - 1), kind, context);
  }
  // Edges are only ever added with k (but for b-matchings), so that halving finds the smallest one.
  while (found.k - too_few > 1 && found.k > k) {
    context.poll();
    const Index middle = (found.k + too_few) / 2;
    NeighbourGraph fewer;
    if (kind == GraphKind::b_matching)
      fewer = matched(X, middle, context);
    else
      fewer.graph = neighbour_graph(found.neighbours, middle, kind);
    if (connected(fewer.graph)) {
      found.k = middle;
      found.graph = std::move(fewer.graph);
      found.above = fewer.above;
    } else {
      too_few = middle;
    }
  }
  return found;
}

}  // namespace

NeighbourTable nearest_neighbours(DataView X, Index k, const RunContext& context) {
  return search<DataView>(X, X, k, OwnRow::is_left_out, context);
}

NeighbourTable nearest_neighbours(const SparseRows& X, Index k, const RunContext& context) {
  return search(X, X, k, OwnRow::is_left_out, context);
}

NeighbourTable cross_neighbours(DataView queries, DataView points, Index k, const RunContext& context) {
  return search<DataView>(queries, points, k, OwnRow::counts, context);
}

NeighbourTable cross_neighbours(const SparseRows& queries, const SparseRows& points, Index k,
                                const RunContext& context) {
  return search(queries, points, k, OwnRow::counts, context);
}

NeighbourGraph neighbour_graph(DataView X, Index k, GraphKind kind, const RunContext& context) {
  return made(X, k, kind, context);
}

NeighbourGraph neighbour_graph(const SparseRows& X, Index k, GraphKind kind, const RunContext& context) {
  return made(X, k, kind, context);
}

NeighbourGraph connected_neighbour_graph(DataView X, Index k, GraphKind kind, const RunContext& context) {
  return grown(X, k, kind, context);
}

NeighbourGraph connected_neighbour_graph(const SparseRows& X, Index k, GraphKind kind, const RunContext& context) {
  return grown(X, k, kind, context);
}

}  // namespace ritz
