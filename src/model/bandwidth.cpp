// SPDX-License-Identifier: MIT
#include "ritz/model/bandwidth.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <span>

#include "ritz/base/parallel.hpp"
#include "ritz/base/random.hpp"
#include "ritz/linalg/tall_products.hpp"

namespace ritz {

namespace {

constexpr Index kRowsPerTile = 256;

RowMatrix gathered_rows(const Samples& X, const std::vector<Index>& rows) {
  RowMatrix out(Index(rows.size()), X.cols()), buffer;
  for (std::size_t i = 0; i < rows.size(); ++i)
    std::copy_n(X.rows_block({rows[i], rows[i] + 1}, buffer), X.cols(), out.data() + Index(i) * X.cols());
  return out;
}

// Squared distances from rows I of A to all rows of B, |I| × |B|. Both are centred alike, so that norms and products do
// not cancel.
void squared_distances(const RowMatrix& A, Range I, const RowMatrix& B, const Vector& norms_B, RowMatrix& out) {
  out.resize(I.size(), B.rows());
  row_gemm(I.size(), B.rows(), A.cols(), -2, {A.data() + I.begin * A.cols(), A.cols()}, Transpose::no,
           {B.data(), B.cols()}, Transpose::yes, 0, {out.data(), out.cols()});
  for (Index i = 0; i < I.size(); ++i)
    out.row(i) = (out.row(i) + norms_B.transpose()).array() + A.row(I.begin + i).squaredNorm();
  out = out.cwiseMax(0);
}

// Number of the distinct point of each row, and a row for each point.
struct DistinctPoints {
  std::vector<Index> point_of_row, row_of_point;
};
DistinctPoints distinct_points(const RowMatrix& X) {
  const Index n = X.rows(), d = X.cols();
  std::vector<Index> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), Index(0));
  const auto row = [&](Index i) { return std::span(X.data() + i * d, std::size_t(d)); };
  std::ranges::sort(order, [&](Index a, Index b) {
    const auto order_of =
        std::lexicographical_compare_three_way(row(a).begin(), row(a).end(), row(b).begin(), row(b).end());
    return order_of != 0 ? order_of < 0 : a < b;
  });
  DistinctPoints points;
  points.point_of_row.resize(std::size_t(n));
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (i == 0 || !std::ranges::equal(row(order[i]), row(order[i - 1]))) points.row_of_point.push_back(order[i]);
    points.point_of_row[std::size_t(order[i])] = Index(points.row_of_point.size()) - 1;
  }
  return points;
}

}  // namespace

MedianDistance median_distance(const Samples& X, const RunContext& context, Index max_rows) {
  const Index n = X.rows();
  std::vector<Index> chosen;
  if (n > max_rows) {
    chosen = Rng(context.seed, "median").sample(n, max_rows);
  } else {
    chosen.resize(std::size_t(n));
    std::iota(chosen.begin(), chosen.end(), Index(0));
  }
  RowMatrix rows = gathered_rows(X, chosen);
  rows.rowwise() -= rows.colwise().mean().eval();
  const Vector norms = rows.rowwise().squaredNorm();
  const Index m = rows.rows();

  // Distances of i > j, row by row at their fixed places; each stands twice among the m² ordered pairs.
  std::vector<double> squared(std::size_t(m * (m - 1) / 2));
  for_each_tile(tile_count(m, kRowsPerTile), context, [&](Index t) {
    const Range I = tile_range(m, kRowsPerTile, t);
    RowMatrix tile;
    squared_distances(rows, I, rows, norms, tile);
    for (Index i = I.begin; i < I.end; ++i)
      std::copy_n(tile.data() + (i - I.begin) * m, i, squared.data() + i * (i - 1) / 2);
  });
  // Cancellation leaves equal points at about 1e-16 of the norms; they are at distance 0.
  const double zero = 1e-14 * (norms.size() ? norms.maxCoeff() : 0);
  std::size_t zeros = 0;
  for (double& value : squared)
    if (value <= zero) {
      value = 0;
      ++zeros;
    }
  if (zeros == squared.size())
    throw Error(ErrorCode::bad_data,
                fmt::format("all {} points are equal after scaling; there is nothing to reduce", n));

  // Place p of the m² sorted values: m zeros of the diagonal, then every distance twice.
  const auto at = [&](Index place) {
    if (place < m) return 0.0;
    const auto middle = squared.begin() + (place - m) / 2;
    std::ranges::nth_element(squared, middle);
    return std::sqrt(*middle);
  };
  MedianDistance median{0.5 * (at((m * m - 1) / 2) + at(m * m / 2)), m, false};
  if (median.value == 0) {
    median.floored = true;
    std::erase(squared, 0.0);
    const auto middle = squared.begin() + std::ptrdiff_t(squared.size() / 2);
    std::ranges::nth_element(squared, middle);
    median.value = std::sqrt(*middle);
  }
  return median;
}

std::vector<double> neighbour_distances(const Samples& X, Index k, const RunContext& context) {
  const Index n = X.rows();
  std::vector<Index> all(static_cast<std::size_t>(n));
  std::iota(all.begin(), all.end(), Index(0));
  const RowMatrix raw = gathered_rows(X, all);
  const DistinctPoints points = distinct_points(raw);
  const Index count = Index(points.row_of_point.size());
  if (count <= k)
    throw Error(ErrorCode::bad_data,
                fmt::format("kernel rbf-relative(neighbours={}) needs at least {} distinct points, the data has {}", k,
                            k + 1, count));
  const Eigen::RowVectorXd mean = raw.colwise().mean();
  RowMatrix distinct(count, X.cols());  // centred, for the products; the distance itself is measured on the raw rows
  for (Index p = 0; p < count; ++p) distinct.row(p) = raw.row(points.row_of_point[std::size_t(p)]) - mean;
  const Vector norms = distinct.rowwise().squaredNorm();

  std::vector<double> distance(static_cast<std::size_t>(count));
  for_each_tile(tile_count(count, kRowsPerTile), context, [&](Index t) {
    const Range I = tile_range(count, kRowsPerTile, t);
    RowMatrix tile;
    squared_distances(distinct, I, distinct, norms, tile);
    std::vector<Index> order(static_cast<std::size_t>(count));
    for (Index p = I.begin; p < I.end; ++p) {
      double* row = tile.data() + (p - I.begin) * count;
      row[p] = -1;  // the point itself comes first
      std::iota(order.begin(), order.end(), Index(0));
      std::nth_element(order.begin(), order.begin() + k, order.end(),
                       [&](Index a, Index b) { return row[a] != row[b] ? row[a] < row[b] : a < b; });
      const Index own = points.row_of_point[std::size_t(p)],
                  other = points.row_of_point[std::size_t(order[std::size_t(k)])];
      distance[std::size_t(p)] = (raw.row(own) - raw.row(other)).stableNorm();
    }
  });
  std::vector<double> result;
  for (const Index p : points.point_of_row) result.push_back(distance[std::size_t(p)]);
  return result;
}

double bandwidth_bytes(const KernelSum& kernel, Index n, Index d, int threads) {
  double most = 0;
  for (const KernelTerm& term : kernel) {
    if (has_open_width(term.kernel)) {
      const double m = double(std::min(n, kMedianRows));
      most = std::max(most, 8 * (m * m / 2 + m * double(d) + double(threads) * kRowsPerTile * m));
    }
    if (is_per_sample(term.kernel))
      most = std::max(most, 8 * (2 * double(n) * double(d) + double(threads) * kRowsPerTile * double(n)));
  }
  return most;
}

ResolvedKernel resolve_bandwidths(KernelSum kernel, const Samples& X, const RunContext& context) {
  ResolvedKernel resolved{std::move(kernel), "", {}};
  std::optional<MedianDistance> median;
  const auto say = [&](const std::string& text) { resolved.text += (resolved.text.empty() ? "" : "; ") + text; };
  for (KernelTerm& term : resolved.kernel) {
    if (has_open_width(term.kernel)) {
      if (!median) {
        median = median_distance(X, context);
        say(fmt::format("median distance {} over {}{} rows", number_text(median->value),
                        median->rows_used < X.rows() ? "a sample of " : "all ", median->rows_used));
        if (median->floored)
          resolved.notes.push_back(fmt::format(
              "more than half of the distances are 0 (repeated points); the median {:.6g} is that of the others",
              median->value));
      }
      set_widths(term.kernel, [&](Bandwidth& width) {
        if (!width.resolved()) width.value = width.of_median * median->value;
      });
    }
    std::visit(
        [&](const auto& each) {
          if constexpr (requires { each.neighbours; }) {
            std::vector<double> scale = neighbour_distances(X, each.neighbours, context);
            for (double& value : scale) value = 1 / value;
            term.sample_scale = std::make_shared<const std::vector<double>>(std::move(scale));
            say(fmt::format("a width for every sample: distance to its nearest distinct point number {}",
                            each.neighbours));
          }
        },
        term.kernel);
  }
  return resolved;
}

}  // namespace ritz
