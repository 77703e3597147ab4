// SPDX-License-Identifier: MIT
#include "ritz/cluster/kmeans.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/at.hpp"
#include "linalg/tall_products.hpp"
#include "ritz/base/parallel.hpp"
#include "ritz/base/random.hpp"

namespace ritz {

namespace {

constexpr Index kRowsPerTile = 1024;

// Points about their mean: distances from norms and products lose digits far from 0. Each counts `weight` times.
struct Cloud {
  RowMatrix points;
  Vector weights;
  Vector norms;
  Eigen::RowVectorXd mean;
  explicit Cloud(DataView raw) : Cloud(raw, Vector::Ones(raw.rows())) {}
  Cloud(DataView raw, Vector weight) : points(raw), weights(std::move(weight)), mean(raw.colwise().mean()) {
    points.rowwise() -= mean;
    norms = points.rowwise().squaredNorm();
  }
  Index size() const { return points.rows(); }
  Index tiles() const { return tile_count(size(), kRowsPerTile); }
  Range tile(Index t) const { return tile_range(size(), kRowsPerTile, t); }
};

// Squared distances of the rows of one tile to all centers; equal points come out at rounding or 0, never below.
void distances(const Cloud& cloud, Range rows, const RowMatrix& centers, const Vector& center_norms, RowMatrix& out) {
  const Index m = cloud.points.cols(), k = centers.rows();
  out.resize(rows.size(), k);
  row_gemm(rows.size(), k, m, -2, {cloud.points.data() + rows.begin * m, m}, Transpose::no, {centers.data(), m},
           Transpose::yes, 0, {out.data(), k});
  for (Index i = 0; i < rows.size(); ++i)
    for (Index c = 0; c < k; ++c) {
      const double scale = cloud.norms[rows.begin + i] + center_norms[c], distance = out(i, c) + scale;
      constexpr double kRounding = 1e-15;  // cancellation leaves this much of a point's distance to itself
      out(i, c) = distance > kRounding * scale ? distance : 0;
    }
}

struct Assignment {
  std::vector<int> labels;
  Vector squared;  // distance to the own center
  RowMatrix sums;  // of the members, by weight
  Vector weights;  // of the members
  std::vector<Index> counts;
  double inertia = 0;
};

Assignment assigned(const Cloud& cloud, const RowMatrix& centers, const RunContext& context) {
  const Index n = cloud.size(), k = centers.rows(), m = centers.cols();
  const Vector center_norms = centers.rowwise().squaredNorm();
  Assignment result{std::vector<int>(std::size_t(n)), Vector(n), RowMatrix::Zero(k, m), Vector::Zero(k),
                    std::vector<Index>(std::size_t(k), 0)};
  struct Part {
    RowMatrix sums;
    Vector weights;
    double inertia = 0;
  };
  std::vector<Part> parts(static_cast<std::size_t>(cloud.tiles()));
  for_each_tile(cloud.tiles(), context, [&](Index t) {
    const Range rows = cloud.tile(t);
    RowMatrix squared;
    distances(cloud, rows, centers, center_norms, squared);
    Part& part = at(parts, t);
    part.sums = RowMatrix::Zero(k, m);
    part.weights = Vector::Zero(k);
    for (Index i = 0; i < rows.size(); ++i) {
      Index nearest = 0;
      const double weight = cloud.weights[rows.begin + i];
      result.squared[rows.begin + i] = squared.row(i).minCoeff(&nearest);
      at(result.labels, rows.begin + i) = int(nearest);
      part.sums.row(nearest) += weight * cloud.points.row(rows.begin + i);
      part.weights[nearest] += weight;
      part.inertia += weight * result.squared[rows.begin + i];
    }
  });
  for (const Part& part : parts) {
    result.sums += part.sums;
    result.weights += part.weights;
    result.inertia += part.inertia;
  }
  for (const int label : result.labels) ++at(result.counts, label);
  return result;
}

// Gives each empty cluster the point farthest from its own center, by weight: the sum falls by that distance. Points at
// their center, and the last point of a cluster, stay.
void fill_empty(const Cloud& cloud, Assignment& now) {
  const auto cost = [&](Index i) { return cloud.weights[i] * now.squared[i]; };
  for (Index empty = 0; empty < now.weights.size(); ++empty) {
    if (at(now.counts, empty) > 0) continue;
    Index farthest = -1;
    for (Index i = 0; i < cloud.size(); ++i)
      if (cost(i) > (farthest < 0 ? 0.0 : cost(farthest)) && at(now.counts, at(now.labels, i)) > 1) farthest = i;
    if (farthest < 0) return;
    int& label = at(now.labels, farthest);
    const double weight = cloud.weights[farthest];
    now.sums.row(label) -= weight * cloud.points.row(farthest);
    now.weights[label] -= weight;
    --at(now.counts, label);
    now.sums.row(empty) = weight * cloud.points.row(farthest);
    now.weights[empty] = weight;
    at(now.counts, empty) = 1;
    label = int(empty);
    now.inertia -= cost(farthest);
    now.squared[farthest] = 0;
  }
}

RowMatrix means(const Assignment& now, const RowMatrix& before) {
  RowMatrix centers = before;  // a cluster that stays empty keeps its center
  for (Index c = 0; c < centers.rows(); ++c)
    if (at(now.counts, c) > 0) centers.row(c) = now.sums.row(c) / now.weights[c];
  return centers;
}

// The point at which the running total of the weights passes `left`.
Index point_at(const Vector& weights, double left) {
  Index last = 0;
  for (Index i = 0; i < weights.size(); ++i) {
    if (weights[i] > 0) last = i;
    if ((left -= weights[i]) < 0) return i;
  }
  return last;
}

// Greedy k-means++.
RowMatrix first_centers(const Cloud& cloud, Index k, Rng& rng, const RunContext& context) {
  const Index n = cloud.size(), m = cloud.points.cols();
  const Index candidates = 2 + Index(std::log(double(k)));
  RowMatrix centers(k, m);
  centers.row(0) = cloud.points.row(point_at(cloud.weights, double(rng.below(Index(cloud.weights.sum())))));
  Vector nearest = Vector::Constant(n, std::numeric_limits<double>::infinity());
  // nearest = min(nearest, weight · distance to the candidate), for each candidate.
  const auto trial = [&](const RowMatrix& rows) {
    Matrix squared(n, rows.rows());
    const Vector row_norms = rows.rowwise().squaredNorm();
    for_each_tile(cloud.tiles(), context, [&](Index t) {
      const Range range = cloud.tile(t);
      RowMatrix tile;
      distances(cloud, range, rows, row_norms, tile);
      for (Index c = 0; c < rows.rows(); ++c)
        squared.col(c).segment(range.begin, range.size()) =
            tile.col(c)
                .cwiseProduct(cloud.weights.segment(range.begin, range.size()))
                .cwiseMin(nearest.segment(range.begin, range.size()));
    });
    return squared;
  };
  nearest = trial(centers.topRows(1)).col(0);
  for (Index c = 1; c < k; ++c) {
    const double total = nearest.sum();
    if (!(total > 0)) {  // fewer distinct points than centers: the rest repeat one and stay empty
      for (Index rest = c; rest < k; ++rest) centers.row(rest) = centers.row(0);
      return centers;
    }
    RowMatrix drawn(candidates, m);
    for (Index j = 0; j < candidates; ++j) drawn.row(j) = cloud.points.row(point_at(nearest, rng.uniform() * total));
    const Matrix after = trial(drawn);
    Index best = 0;
    after.colwise().sum().minCoeff(&best);
    centers.row(c) = drawn.row(best);
    nearest = after.col(best);
  }
  return centers;
}

struct Run {
  RowMatrix centers;
  Assignment last;  // to these centers
  std::vector<double> inertias;
  bool converged = false;
};

Run lloyd(const Cloud& cloud, const KMeansOptions& options, RowMatrix centers, const RunContext& context) {
  Run run;
  std::vector<int> before;
  for (int iteration = 0; iteration < options.max_iterations && !run.converged; ++iteration) {
    context.poll();
    Assignment now = assigned(cloud, centers, context);
    fill_empty(cloud, now);
    run.converged = now.labels == before || (!run.inertias.empty() && run.inertias.back() - now.inertia <=
                                                                          options.tolerance * run.inertias.back());
    run.inertias.push_back(now.inertia);
    before = now.labels;
    centers = means(now, centers);
  }
  run.last = assigned(cloud, centers, context);
  run.centers = std::move(centers);
  return run;
}

KMeansResult clustered(const Cloud& cloud, const KMeansOptions& options, const RunContext& context) {
  std::vector<Run> runs(std::size_t(options.restarts));
  const auto start = [&](Index r) {
    Rng rng(context.seed, "kmeans", std::uint64_t(r) << 32);
    at(runs, r) = lloyd(cloud, options, first_centers(cloud, options.clusters, rng, context), context);
  };
  // Whichever loop is the longer one goes over the cores; the bits are the same.
  if (cloud.tiles() < options.restarts)
    for_each_tile(options.restarts, context, start);
  else
    for (Index r = 0; r < options.restarts; ++r) start(r);
  const Run& best =
      *std::ranges::min_element(runs, [](const Run& a, const Run& b) { return a.last.inertia < b.last.inertia; });

  KMeansResult result;
  std::vector<int> number(std::size_t(options.clusters), -1);
  std::vector<Index> order;
  for (const int label : best.last.labels) {
    int& own = at(number, label);
    if (own < 0) {
      own = int(order.size());
      order.push_back(label);
    }
    result.labels.push_back(own);
  }
  result.centers = best.centers(order, Eigen::all);
  result.centers.rowwise() += cloud.mean;
  result.inertia = best.last.inertia;
  result.iterations = int(best.inertias.size());
  result.inertias = best.inertias;
  result.converged = best.converged;
  return result;
}

}  // namespace

KMeansResult kmeans(DataView points, const KMeansOptions& options, const RunContext& context) {
  return weighted_kmeans(points, std::vector<Index>(std::size_t(points.rows()), 1), options, context);
}

KMeansResult weighted_kmeans(DataView points, const std::vector<Index>& weights, const KMeansOptions& options,
                             const RunContext& context) {
  check(options);
  const Index n = points.rows();
  if (n < 1 || points.cols() < 1)
    throw Error(ErrorCode::bad_shape,
                fmt::format("k-means of a {} x {} table; there must be points and columns", n, points.cols()));
  if (options.clusters > n)
    throw Error(ErrorCode::bad_option,
                fmt::format("{} clusters are asked for; the number must lie in [1, {}] because there are {} points",
                            options.clusters, n, n));
  if (Index(weights.size()) != n)
    throw Error(ErrorCode::bad_shape, fmt::format("there are {} points and {} weights", n, weights.size()));
  if (const Index least = std::ranges::min(weights); least < 1)
    throw Error(ErrorCode::bad_data, fmt::format("a point has weight {}; weights are at least 1", least));
  const Eigen::Map<const Eigen::Array<Index, Eigen::Dynamic, 1>> weight(weights.data(), n);
  return clustered(Cloud(points, weight.cast<double>()), options, context);
}

std::vector<int> nearest_centers(DataView points, DataView centers, const RunContext& context) {
  if (points.cols() != centers.cols() || centers.rows() < 1)
    throw Error(ErrorCode::bad_shape, fmt::format("the points have {} columns; the {} centers have {}", points.cols(),
                                                  centers.rows(), centers.cols()));
  if (points.rows() == 0) return {};
  const Cloud cloud(points);
  RowMatrix moved = centers;
  moved.rowwise() -= cloud.mean;
  return assigned(cloud, moved, context).labels;
}

}  // namespace ritz
