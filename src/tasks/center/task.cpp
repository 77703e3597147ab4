// SPDX-License-Identifier: MIT
#include "ritz/tasks/center.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "ritz/base/error.hpp"
#include "tasks/reduce/prepare.hpp"

namespace ritz {

namespace {

// Beyond this many numbers in the bases the orders are looked at roughly, and the chosen one is solved to the end.
constexpr double kScreened = 2e7;
constexpr Index kScreeningSet = 150;
constexpr double kScreeningTolerance = 1e-3;

Index chosen(const center::Orders& orders, OrderRule rule) {
  switch (rule) {
    case OrderRule::proposed:
      return orders.proposed;
    case OrderRule::santamaria:
      return orders.santamaria;
    case OrderRule::elbow:
      return orders.elbow;
    default:
      return orders.hybrid;
  }
}

center::Result nothing_in_common(const center::Collection& all) {
  center::Result none;
  none.U.resize(all.ambient(), 0);
  none.weights = Vector::Constant(all.size(), 1.0 / double(all.size()));
  none.distances = Vector::Zero(all.size());
  none.objective = none.dual = none.dual_bound = none.gap = 0;
  none.summary.termination = Termination::converged;
  none.summary.message = "no order has a smaller cost than 0: the subspaces have nothing in common";
  none.summary.objective = none.summary.measure = 0;
  return none;
}

}  // namespace

double center_bytes(Index subspaces, double mean_dimension, Index n) {
  // The bases as read and as kept, and some thousand of them gathered.
  const double all = 8.0 * double(subspaces) * mean_dimension * double(n);
  const double working = std::min(double(subspaces), 1000.0) * mean_dimension * double(n) * 8 * 3;
  const double dense = 8.0 * 4 * std::min(double(n) * double(n), 4e6);
  return 2 * all + working + dense;
}

CenterFit find_center(const Subspaces& subspaces, const CenterOptions& options, const center::Options& how,
                      RunContext& context) {
  const center::Collection& all = subspaces.all;
  CenterFit found;
  found.subspaces = all.size();
  found.n = all.ambient();
  found.largest = all.max_dimension();
  found.smallest = found.largest;
  for (Index i = 0; i < all.size(); ++i) found.smallest = std::min(found.smallest, all.dimension(i));
  found.data_hash = subspaces.hash;
  found.names = subspaces.names;
  require_memory(center_bytes(all.size(), double(all.vectors.rows()) / double(all.size()), found.n), context,
                 "the centre of these subspaces");
  if (options.max_dim > found.n)
    throw Error(
        ErrorCode::bad_option,
        fmt::format("--max-dim is {}; it must lie in [0, {}] because the subspaces lie in a space of {} dimensions",
                    options.max_dim, found.n, found.n));
  std::map<std::string, double> seconds;
  if (options.dim.value > 0) {
    PhaseTimer timer(seconds, "solve");
    found.order = options.dim.value;
    found.fit = center::solve(all, found.order, how, {}, context);
  } else {
    center::Options rough = how;
    found.screened = double(all.vectors.size()) > kScreened && how.solver == center::Solver::newton;
    if (found.screened) {
      rough.rough = kScreeningSet;
      rough.tolerance = std::max(how.tolerance, kScreeningTolerance);
    }
    {
      PhaseTimer timer(seconds, "orders");
      found.orders = center::select_order(all, {options.complement, options.max_dim, true}, rough, context);
    }
    center::Orders& orders = *found.orders;
    found.order = std::min(chosen(orders, options.rule), Index(orders.fits.size()));
    PhaseTimer timer(seconds, "solve");
    if (found.order == 0) {
      found.fit = nothing_in_common(all);
    } else if (found.screened && orders.complete) {
      const Vector start = orders.fits[std::size_t(found.order) - 1].weights;
      found.fit = center::solve(all, found.order, how, start, context);
    } else {
      found.fit = orders.fits[std::size_t(found.order) - 1];
    }
    if (!orders.complete) {
      found.fit.summary.notes.push_back(
          fmt::format("interrupted: only orders up to {} were looked at", orders.fits.size()));
      if (found.fit.summary.converged()) {
        found.fit.summary.termination =
            orders.fits.empty() ? Termination::interrupted : orders.fits.back().summary.termination;
        found.fit.summary.message = "interrupted before all orders were looked at";
      }
    }
    if (found.screened)
      found.fit.summary.notes.push_back(fmt::format("the other orders were solved roughly: their gaps say how far"));
  }
  Summary& summary = found.fit.summary;
  if (found.order > 0 && all.size() >= kFewestForOutliers) {
    PhaseTimer timer(seconds, "outliers");
    try {
      found.outliers = center::find_outliers(all, found.order, context);
    } catch (const Interrupted&) {
      summary.notes.push_back(fmt::format("interrupted before outliers were looked for"));
    }
  }
  for (const auto& [phase, part] : seconds) summary.seconds[phase] += part;
  summary.notes.insert(summary.notes.begin(), subspaces.notes.begin(), subspaces.notes.end());
  return found;
}

LinePlot center_plot(const CenterFit& found, const CenterOptions& options) {
  LinePlot plot;
  const auto plural = [](Index count, std::string_view one) {
    return fmt::format("{} {}{}", count, one, count == 1 ? "" : "s");
  };
  if (!found.orders) {
    plot.title = "Distances from the centre";
    plot.subtitle =
        fmt::format("{}, centre of {}", plural(found.subspaces, "subspace"), plural(found.order, "dimension"));
    plot.x_label = "subspaces, farthest first";
    plot.y_label = "squared chordal distance";
    Vector sorted = found.fit.distances;
    std::sort(sorted.data(), sorted.data() + sorted.size(), std::greater<>());
    LineSeries series{"distance", {}, {}, {}, true};
    for (Index i = 0; i < sorted.size(); ++i) {
      series.x.push_back(double(i + 1));
      series.y.push_back(sorted(i));
    }
    plot.series.push_back(std::move(series));
    plot.series.push_back(
        {"dual bound", {1, double(std::max<Index>(2, sorted.size()))}, {found.fit.dual, found.fit.dual}, {}, true});
    return plot;
  }
  const center::Orders& orders = *found.orders;
  plot.title = "How many dimensions in common";
  plot.subtitle =
      fmt::format("{}: {} ({}); proposed {}, hybrid {}, Santamaria {}, elbow {}", plural(found.subspaces, "subspace"),
                  plural(found.order, "dimension"), TextForm<OrderRule>::print(options.rule), orders.proposed,
                  orders.hybrid, orders.santamaria, orders.elbow);
  plot.x_label = "dimension k of the centre";
  plot.y_label = "cost, as a part of that of k = 0";
  const auto add = [&](const char* name, double center::Order::*value) {
    LineSeries series{name, {}, {}, {}, true};
    for (std::size_t k = 0; k < orders.of.size(); ++k) {
      series.x.push_back(double(k));
      series.y.push_back(orders.of[k].*value / (orders.of[0].*value));
    }
    plot.series.push_back(std::move(series));
  };
  add("hybrid", &center::Order::hybrid);
  add("proposed", &center::Order::proposed);
  add("Santamaria", &center::Order::santamaria);
  return plot;
}

}  // namespace ritz
