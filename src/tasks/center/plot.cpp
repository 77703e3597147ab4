// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "report/lines.hpp"
#include "report/plot/line_plot.hpp"
#include "tasks/center/task.hpp"

namespace ritz::center {

namespace {

LinePlot distances_plot(const CenterResult& found) {
  LinePlot plot;
  plot.title = "Distances from the centre";
  plot.subtitle =
      fmt::format("{}, centre of {}", counted(found.subspaces, "subspace"), counted(found.order, "dimension"));
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

LinePlot orders_plot(const CenterResult& found, const CenterOptions& options) {
  LinePlot plot;
  const Orders& orders = *found.orders;
  plot.title = "How many dimensions in common";
  plot.subtitle =
      fmt::format("{}: {} ({}); proposed {}, hybrid {}, Santamaria {}, elbow {}", counted(found.subspaces, "subspace"),
                  counted(found.order, "dimension"), TextForm<OrderRule>::print(options.rule), orders.proposed,
                  orders.hybrid, orders.santamaria, orders.elbow);
  plot.x_label = "dimension k of the centre";
  plot.y_label = "cost, as a part of that of k = 0";
  const auto add = [&](const char* name, double Order::*value) {
    LineSeries series{name, {}, {}, {}, true};
    for (std::size_t k = 0; k < orders.of.size(); ++k) {
      series.x.push_back(double(k));
      series.y.push_back(orders.of[k].*value / (orders.of[0].*value));
    }
    plot.series.push_back(std::move(series));
  };
  add("hybrid", &Order::hybrid);
  add("proposed", &Order::proposed);
  add("Santamaria", &Order::santamaria);
  return plot;
}

}  // namespace

std::string plot_svg(const CenterResult& found, const CenterOptions& options) {
  return line_svg(found.orders ? orders_plot(found, options) : distances_plot(found));
}

}  // namespace ritz::center
