// SPDX-License-Identifier: MIT
// How many dimensions the subspaces have in common, and which of them do not belong.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "algorithms/center/parts.hpp"
#include "linalg/eigen.hpp"
#include "linalg/tall_products.hpp"
#include "ritz/base/error.hpp"

namespace ritz::center {

namespace {

constexpr Index kWholeSpectrum = 2000;  // up to this many values the scree plot is whole
constexpr double kClearly = 1e-9;       // difference of two costs that is none of rounding
constexpr Index kLeading = 100;         // else so many, or four times the largest dimension

// E(k) of (5.16) or (5.23) from the k largest eigenvalues and the sum of all.
double squared_error(const Vector& leading, double sum, Index k) {
  const double first = leading.head(std::min(k, leading.size())).sum();
  return double(k) - first + (sum - first);
}

// 1 − d(U^⊥, X_j)/p̃_j, p̃_j = min(room − k, p_j), least over j: (5.3) without forming U^⊥, since
// ‖U^⊥ᵀX_j‖² = p_j − ‖UᵀX_j‖².
double penalty(const Collection& all, const Result& fit, Index room) {
  double least = 1;
  for (Index j = 0; j < all.size(); ++j) {
    const double p = double(all.dimension(j)), shown = double(std::min(fit.k, all.dimension(j))) - fit.distances(j);
    const double fits = std::min(double(room - fit.k), p);
    least = std::min(least, fits > 0 ? (p - shown) / fits : 0.0);
  }
  return std::max(0.0, least);
}

template <class Value>
Index least_of(const std::vector<Order>& orders, Value&& value) {
  // Rounding must not decide between equals: the smaller order wins unless the other is clearly better.
  Index at = 0;
  for (std::size_t k = 1; k < orders.size(); ++k)
    if (value(orders[k]) < value(orders[std::size_t(at)]) - kClearly) at = Index(k);
  return at;
}

Order order_of(const Collection& all, const Result& fit, const Orders& orders, const OrderOptions& how) {
  constexpr double kRank = 1e-12;
  const Vector& average = orders.average;
  const Index span = (average.array() > kRank * average(0)).count();
  Order each;
  each.objective = fit.objective;
  each.dual = fit.dual;
  each.gap = fit.gap;
  each.objective_cost = fit.objective / double(fit.k);
  each.penalty_cost = penalty(all, fit, how.complement == Complement::span ? span : all.ambient());
  each.proposed = each.objective_cost + each.penalty_cost;
  each.hybrid = squared_error(fit.eigenvalues, fit.dimension, fit.k);
  each.santamaria = squared_error(average, double(all.vectors.rows()) / double(all.size()), fit.k);
  return each;
}

// Whether the hybrid cost of the last order is above that of an earlier one, whatever the gaps of both hide.
bool has_risen(const Orders& orders, const Collection& all) {
  const Index p = all.max_dimension();
  const auto& fits = orders.fits;
  if (p * all.size() != all.vectors.rows() || fits.back().k > p) return false;
  const auto cost = [p](Index k, double dual) { return double(p - k) + 2 * dual; };
  double least = cost(0, 0);
  for (std::size_t k = 0; k + 1 < fits.size(); ++k) least = std::min(least, cost(fits[k].k, fits[k].dual_bound));
  return cost(fits.back().k, fits.back().dual) > least + kClearly;
}

void decide(Orders& orders) {
  orders.proposed = least_of(orders.of, [](const Order& o) { return o.proposed; });
  orders.hybrid = least_of(orders.of, [](const Order& o) { return o.hybrid; });
  orders.santamaria = orders.risen ? std::min(orders.largest, Index((orders.average.array() > 0.5).count()))
                                   : least_of(orders.of, [](const Order& o) { return o.santamaria; });
}

}  // namespace

Vector average_spectrum(const Collection& all, const RunContext& context) {
  const Index n = all.ambient(), rows = all.vectors.rows();
  const double share = 1.0 / double(all.size());
  if (n <= std::max(rows, kWholeSpectrum) && n <= kWholeSpectrum)
    return symmetric_values(tall_weighted_gram(all.vectors, Vector::Constant(rows, share), context)).cwiseMax(0.0);
  if (rows <= kWholeSpectrum) return symmetric_values(share * row_gram(all.vectors, context)).cwiseMax(0.0);
  const Index wanted = std::min({n, rows, std::max(kLeading, 4 * all.max_dimension())});
  return dual(all, Vector::Constant(all.size(), share), wanted - 1, context).eigenvalues;
}

Index elbow(const Vector& values, Corner corner) {
  const Index n = values.size(), shared = corner == Corner::of_both ? 1 : 0;
  if (n < 4) return 0;
  // Root mean squared distance of the points first … last (from 1) from the line that fits them best.
  const auto line_error = [&](Index first, Index last) {
    const double count = double(last - first + 1), mean_x = 0.5 * double(first + last);
    const double mean_y = values.segment(first - 1, last - first + 1).mean();
    double xx = 0, xy = 0, error = 0;
    for (Index x = first; x <= last; ++x) {
      xx += (double(x) - mean_x) * (double(x) - mean_x);
      xy += (double(x) - mean_x) * (values(x - 1) - mean_y);
    }
    const double slope = xx > 0 ? xy / xx : 0, intercept = mean_y - slope * mean_x;
    for (Index x = first; x <= last; ++x) {
      const double rest = values(x - 1) - intercept - slope * double(x);
      error += rest * rest;
    }
    return std::sqrt(error / count);
  };
  double least = std::numeric_limits<double>::infinity();
  Index found = 0;
  for (Index c = 2; c <= n - 2; ++c) {
    const double left = line_error(1, c), right = line_error(c + 1 - shared, n);
    const double error = double(c) / double(n) * left + double(n - c + shared) / double(n) * right;
    if (!(error < least)) continue;
    least = error;
    found = c;
  }
  return found;
}

Orders select_order(const Collection& all, const OrderOptions& order, const Options& options, RunContext& context) {
  Orders orders;
  const Index largest = std::min(order.largest > 0 ? order.largest : all.max_dimension(), all.ambient());
  orders.largest = largest;
  orders.average = average_spectrum(all, context);
  orders.singular_values = (orders.average * double(all.size())).cwiseSqrt();
  const Vector scree = orders.singular_values.head(std::min(orders.singular_values.size(), all.vectors.rows()));
  orders.elbow_corner = elbow(scree);
  orders.elbow = std::min(orders.elbow_corner, largest);
  orders.elbow_printed = elbow(scree, Corner::of_both);
  const double dimension = double(all.vectors.rows()) / double(all.size());
  Order none;
  none.objective_cost = 0;
  none.penalty_cost = none.proposed = 1;
  none.hybrid = none.santamaria = dimension;
  none.objective = none.dual = none.gap = 0;
  orders.of.push_back(none);
  Vector start;
  for (Index k = 1; k <= largest; ++k) {
    RunContext inner = context.nested(fmt::format("k{}", k));
    try {
      orders.fits.push_back(solve(all, k, options, order.warm ? start : Vector(), inner));
    } catch (const Interrupted&) {
      orders.complete = false;
      break;
    }
    const Result& fit = orders.fits.back();
    start = fit.weights;
    // No weights are better than others for k = 0. Equal ones, as in the paper, would compare the mean dimension with
    // that of the farthest subspaces, which are often the small ones, and find an order where there is none.
    if (k == 1) orders.of[0].hybrid = std::min(dimension, fit.dimension);
    orders.of.push_back(order_of(all, fit, orders, order));
    const Termination why = fit.summary.termination;
    if (why == Termination::interrupted || why == Termination::time_limit) {
      orders.complete = false;
      break;
    }
    if (order.until_risen && k < largest && has_risen(orders, all)) {
      orders.risen = true;
      break;
    }
  }
  decide(orders);
  return orders;
}

void refine_order(Orders& orders, const Collection& all, Index k, const OrderOptions& order, const Options& options,
                  RunContext& context) {
  Result& fit = orders.fits[std::size_t(k) - 1];
  RunContext inner = context.nested(fmt::format("k{}", k));
  fit = solve(all, k, options, fit.weights, inner);
  orders.of[std::size_t(k)] = order_of(all, fit, orders, order);
  decide(orders);
}

Outliers find_outliers(const Collection& all, Index k, const RunContext& context) {
  constexpr int kRounds = 4;          // of reweighting; each is a sweep over everything
  constexpr double kNear = 1e-3;      // distances below it count the same: weights stay finite
  constexpr double kFence = 3;        // "far out" of Tukey's fences
  constexpr double kSmallest = 1e-6;  // spread that rounding and exact data have
  const Index M = all.size();
  Outliers found;
  Vector weights = Vector::Constant(M, 1.0 / double(M));
  for (int round = 0; round < kRounds; ++round) {
    found.distances = distances(all, dual(all, weights, k, context).U, context);
    weights = found.distances.cwiseSqrt().cwiseMax(kNear).cwiseInverse();
    weights /= weights.sum();
  }
  Vector sorted = found.distances;
  std::sort(sorted.data(), sorted.data() + M);
  const auto quartile = [&](double share) { return sorted(std::min(M - 1, Index(share * double(M)))); };
  const double low = quartile(0.25), high = quartile(0.75);
  found.fence = high + kFence * std::max(high - low, kSmallest);
  for (Index i = 0; i < M; ++i)
    if (found.distances(i) > found.fence) found.of.push_back(i);
  std::ranges::sort(found.of, [&](Index a, Index b) {
    return found.distances(a) != found.distances(b) ? found.distances(a) > found.distances(b) : a < b;
  });
  return found;
}

}  // namespace ritz::center
