// SPDX-License-Identifier: MIT
#include "pairs/bandwidth.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <span>

#include "model/kernel_list.hpp"
#include "pairs/neighbours.hpp"
#include "ritz/base/error.hpp"
#include "ritz/base/random.hpp"
#include "ritz/pairs/backend.hpp"

namespace ritz {

namespace {

// Of kernels with a width for every sample, the neighbour whose distance it is; 0 for the others.
Index own_width_neighbours(const AnyKernel& kernel) {
  return std::visit(
      [](const auto& each) -> Index {
        if constexpr (requires { each.neighbours; }) return each.neighbours;
        return 0;
      },
      *kernel);
}

// Number of the distinct point of each row, and a row for each point.
struct DistinctPoints {
  std::vector<Index> point_of_row, row_of_point;
};
DistinctPoints distinct_points(const Eigen::Map<const RowMatrix>& X) {
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
  const DistanceQuantile median = backend_or_cpu(context).distance_quantile(X, chosen, 0.5, context);
  if (!(median.positive > 0))
    throw Error(ErrorCode::bad_data,
                fmt::format("all {} points are equal after scaling; there is nothing to reduce", n));
  const bool floored = median.value == 0;
  return {floored ? median.positive : median.value, Index(chosen.size()), floored};
}

std::vector<double> neighbour_distances(const Samples& X, Index k, const RunContext& context) {
  RowMatrix buffer, distinct;
  const Eigen::Map<const RowMatrix> rows(X.rows_block({0, X.rows()}, buffer), X.rows(), X.cols());
  const DistinctPoints points = distinct_points(rows);
  const Index count = Index(points.row_of_point.size());
  if (count <= k)
    throw Error(ErrorCode::bad_data,
                fmt::format("kernel rbf-relative(neighbours={}) needs at least {} distinct points, the data has {}", k,
                            k + 1, count));
  distinct = rows(points.row_of_point, Eigen::all);
  const NeighbourTable nearest = nearest_neighbours(distinct, k, context);
  std::vector<double> distance;
  for (Index p = 0; p < count; ++p)
    distance.push_back((distinct.row(p) - distinct.row(nearest.rows_of(p).back())).stableNorm());
  std::vector<double> result;
  for (const Index p : points.point_of_row) result.push_back(distance[std::size_t(p)]);
  return result;
}

double bandwidth_bytes(const KernelSum& kernel, Index n, Index d, const RunContext& context) {
  double most = 0;
  for (const KernelTerm& term : kernel) {
    if (has_open_width(term.kernel)) {
      most = std::max(most, backend_or_cpu(context).distance_quantile_bytes(std::min(n, kMedianRows), d,
                                                                            resolved_threads(context)));
    }
    if (const Index k = own_width_neighbours(term.kernel); k > 0)  // distinct points, and their neighbours
      most = std::max(most, 8 * double(n) * (2 * double(d) + 2 * double(k) + 4));
  }
  return most;
}

Bandwidth resolved_width(Bandwidth width, const Samples& X, const RunContext& context) {
  if (!width.resolved()) width.value = width.of_median * median_distance(X, context).value;
  return width;
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
    if (const Index k = own_width_neighbours(term.kernel); k > 0) {
      std::vector<double> scale = neighbour_distances(X, k, context);
      for (double& value : scale) value = 1 / value;
      term.sample_scale = std::make_shared<const std::vector<double>>(std::move(scale));
      say(fmt::format("a width for every sample: distance to its nearest distinct point number {}", k));
    }
  }
  return resolved;
}

}  // namespace ritz
