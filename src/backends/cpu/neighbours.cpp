// SPDX-License-Identifier: MIT
// |a|² + |b|² − 2ab tells which rows can be near; it is wrong by up to `slack`, which would decide ties by rounding. So
// every row it cannot exclude is measured again from the differences: about k log n of n rows.
#include "backends/cpu/sweeps.hpp"
#include "backends/neighbour_distance.hpp"
#include "base/at.hpp"
#include "ritz/base/parallel.hpp"
#include "ritz/linalg/products.hpp"

namespace ritz::cpu {

namespace {

// A tile's products (256 × 1024 doubles) stay in the second-level cache.
constexpr Index kQueryRows = 256;
constexpr Index kPointRows = 1024;
constexpr Index kSparseQueryRows = 64;

// Rows of the data as columns, without a copy: what BLAS wants.
Eigen::Map<const Matrix, 0, Eigen::OuterStride<>> columns_of(DataView X, const Range& rows) {
  return {X.data() + rows.begin * X.outerStride(), X.cols(), rows.size(), Eigen::OuterStride<>(X.outerStride())};
}

// What the products need to exclude rows.
class Filter {
 public:
  // `whole`: all values are whole numbers. While the sums stay below 2⁵³ the products are then exact, and the many ties
  // of such data (0/1 features, pixels) are decided without measuring.
  Filter(Vector point_norms, Index columns, bool whole) : norms_(std::move(point_norms)), whole_(whole) {
    largest_ = norms_.size() ? norms_.maxCoeff() : 0;
    relative_slack_ = product_slack(columns);
  }

  // Offers the rows of `range` that may be nearer than the k-th so far; rows come in increasing order, so that of
  // equally near ones the first are there already. products[j] belongs to row range.begin + j.
  template <class Measure>
  void offer(const double* products, Range range, double query_norm, Index left_out, const Measure& measure,
             NearestRows& best) const {
    const double scale = query_norm + largest_;
    const double margin = (whole_ && scale < kExact ? 0 : relative_slack_ * scale) - query_norm;
    double limit = best.bound() + margin;
    for (Index j = 0; j < range.size(); ++j) {
      const Index row = range.begin + j;
      if (!(norms_[row] - 2 * products[j] < limit) || row == left_out) continue;
      best.offer({measure(row), row});
      limit = best.bound() + margin;
    }
  }

 private:
  Vector norms_;
  double largest_ = 0, relative_slack_ = 0;
  bool whole_;
};

}  // namespace

NeighbourTable CpuBackend::neighbours(DataView queries, DataView points, Index k, OwnRow own,
                                      const RunContext& context) {
  NeighbourTable table(queries.rows(), k);
  const Index d = points.cols();
  const Filter filter(points.rowwise().squaredNorm(), d, all_whole(points) && all_whole(queries));
  const auto look = [&](Index tile, const RunContext& here) {
    const Range rows = tile_range(queries.rows(), kQueryRows, tile);
    const Vector query_norms = queries.middleRows(rows.begin, rows.size()).rowwise().squaredNorm();
    std::vector<NearestRows> nearest(std::size_t(rows.size()), NearestRows(k));
    Matrix products(std::min(kPointRows, points.rows()), rows.size());  // a column for each query
    for (Index part = 0; part < tile_count(points.rows(), kPointRows); ++part) {
      const Range range = tile_range(points.rows(), kPointRows, part);
      here.poll();
      multiply_transposed(columns_of(points, range), columns_of(queries, rows), products.topRows(range.size()));
      for (Index i = 0; i < rows.size(); ++i) {
        const double* query = queries.data() + (rows.begin + i) * queries.outerStride();
        const auto measure = [&](Index row) {
          return squared_distance(query, points.data() + row * points.outerStride(), d);
        };
        filter.offer(products.col(i).data(), range, query_norms[i], own == OwnRow::is_left_out ? rows.begin + i : -1,
                     measure, at(nearest, i));
      }
    }
    for (Index i = 0; i < rows.size(); ++i) at(nearest, i).write(rows.begin + i, table);
  };
  for_each_tile_once(tile_count(queries.rows(), kQueryRows), context, look,
                     [&](Range tiles) { return table.blocks(tiles, kQueryRows); });
  return table;
}

NeighbourTable CpuBackend::neighbours(const SparseRows& queries, const SparseRows& points, Index k, OwnRow own,
                                      const RunContext& context) {
  NeighbourTable table(queries.rows(), k);
  const Index n = points.rows();
  const auto norm = [](const SparseRows& X, Index i) { return X.row(i).squaredNorm(); };
  Vector norms(n);
  for (Index i = 0; i < n; ++i) norms[i] = norm(points, i);
  const Filter filter(std::move(norms), points.cols(), all_whole(points.coeffs()) && all_whole(queries.coeffs()));
  const SparseRows columns = points.transpose();  // for each feature the rows that have it
  const auto look = [&](Index tile, const RunContext& here) {
    const Range rows = tile_range(queries.rows(), kSparseQueryRows, tile);
    NearestRows nearest(k);
    Vector products(n);
    for (Index i = rows.begin; i < rows.end; ++i) {
      here.poll();
      products.setZero();
      for (SparseRows::InnerIterator entry(queries, i); entry; ++entry)
        for (SparseRows::InnerIterator other(columns, entry.col()); other; ++other)
          products[other.col()] += entry.value() * other.value();
      const auto measure = [&](Index row) { return squared_distance(queries, i, points, row); };
      filter.offer(products.data(), {0, n}, norm(queries, i), own == OwnRow::is_left_out ? i : -1, measure, nearest);
      nearest.write(i, table);
    }
  };
  for_each_tile_once(tile_count(queries.rows(), kSparseQueryRows), context, look,
                     [&](Range tiles) { return table.blocks(tiles, kSparseQueryRows); });
  return table;
}

}  // namespace ritz::cpu
