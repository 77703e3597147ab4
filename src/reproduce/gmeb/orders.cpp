// SPDX-License-Identifier: MIT
// Figures 8 to 10: how often each rule finds the number of common dimensions.
#include "reproduce/gmeb/parts.hpp"

namespace ritz::reproduce {

namespace {

constexpr std::array<const char*, 4> kRules = {"hybrid", "proposed", "Santamaria", "elbow"};

struct Experiment {
  std::string title, x_name;
  std::vector<double> x;
  Index truth;
};

Experiment experiment_of(int figure, bool quick) {
  if (figure == 8) {
    Experiment e{"nested ball, 10 subspaces around 10 dimensions and 10 around 15, SNR 9 dB", "n", {}, 10};
    for (int n = 20; n <= 200; n += 10)
      if (!quick || n == 40 || n == 60 || n == 100) e.x.push_back(n);
    return e;
  }
  if (figure == 9) {
    Experiment e{"arc in R^100, 225 subspaces around 3 dimensions", "SNR (dB)", {}, 3};
    for (int snr = -5; snr <= 10; ++snr)
      if (!quick || snr == -2 || snr == 2 || snr == 6) e.x.push_back(snr);
    return e;
  }
  Experiment e{"50 unrelated subspaces of 3 to 5 dimensions", "n", {}, 0};
  for (const int n : {5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 20, 25, 30, 35, 40})
    if (!quick || n % 10 == 0) e.x.push_back(n);
  return e;
}

DrawnSubspaces drawn_at(int figure, double x, Rng& rng) {
  if (figure == 8) {
    NestedBall ball;
    ball.n = Index(x);
    ball.outer = ball.inner = 10;
    ball.k = 10;
    ball.inner_k = 15;
    ball.inner_squared_radius = 0.25;  // radii are chordal distances: the small ball touches the large one
    ball.inner_place = 0.25;
    ball.largest = 20;
    ball.noise = noise_of_snr(9, 10);
    return draw_nested_ball(ball, rng);
  }
  if (figure == 9) {
    ArcModel arc;
    arc.n = 100;
    arc.anywhere = 200;
    arc.on_arc = 25;
    arc.inside = 0;
    arc.squared_radius = 0.25;
    arc.largest = 5;
    arc.noise = noise_of_snr(x, 3);
    return draw_arc(arc, rng);
  }
  return draw_unrelated(Index(x), 50, 3, 5, rng);
}

// What the published code selects by the hybrid rule, where it was run.
std::string published(int figure, double x) {
  if (figure == 8) return x == 40 || x == 60 || x == 100 || x == 200 ? "10 always" : "";
  if (figure == 9) return x <= 0 ? "0 always" : x == 2 ? "3, once 0" : x > 2 ? "3 always" : "";
  return x > 10 ? "0 always (paper)" : "";
}

}  // namespace

void gmeb_orders(GmebRun& run, int figure) {
  const Experiment e = experiment_of(figure, run.options.quick);
  TextTable& table = run.table(fmt::format("Figure {}: {} ({} draws): how often {} is selected, and the mean order",
                                           figure, e.title, run.options.trials, e.truth),
                               {e.x_name});
  for (const char* rule : kRules) table.columns.push_back(rule);
  for (const char* rule : kRules) table.columns.push_back(fmt::format("mean {}", rule));
  table.columns.push_back("published, hybrid");
  LinePlot success, order;
  success.title = fmt::format("Figure {}a: order found", figure);
  order.title = fmt::format("Figure {}b: mean order selected", figure);
  success.subtitle = order.subtitle = fmt::format("{}; {} draws", e.title, run.options.trials);
  success.x_label = order.x_label = e.x_name;
  success.y_label = fmt::format("% with order {}", e.truth);
  order.y_label = "mean order";
  for (const char* rule : kRules) {
    success.series.push_back({rule});
    order.series.push_back({rule});
  }
  for (const double x : e.x) {
    run.tell("figure {}, {} = {}", figure, e.x_name, x);
    std::array<double, 4> right{}, sum{};
    for (int trial = 0; trial < run.options.trials; ++trial) {
      Rng rng(run.context.seed, fmt::format("reproduce/gmeb/{}/{}", figure, x), std::uint64_t(trial) << 32);
      const center::Collection all = center::make_collection(drawn_at(figure, x, rng).bases);
      center::Options options;
      options.tolerance = 1e-6;  // costs are compared in their second digit
      options.starts = 0;
      const center::Orders orders = center::select_order(all, {}, options, run.context);
      run.context.poll();
      const std::array<Index, 4> selected = {orders.hybrid, orders.proposed, orders.santamaria, orders.elbow_corner};
      for (std::size_t r = 0; r < 4; ++r) {
        right[r] += selected[r] == e.truth;
        sum[r] += double(selected[r]);
      }
    }
    std::vector<std::string> row = {fmt::format("{}", x)};
    Json cell = {{"part", fmt::format("figure{}", figure)}, {"x", x}, {"truth", e.truth}};
    const double trials = run.options.trials;
    for (std::size_t r = 0; r < 4; ++r) {
      row.push_back(fmt::format("{:.0f} %", 100 * right[r] / trials));
      success.series[r].add(x, 100 * right[r] / trials);
      order.series[r].add(x, sum[r] / trials);
      cell[kRules[r]] = {{"right", right[r] / trials}, {"mean", sum[r] / trials}};
    }
    for (std::size_t r = 0; r < 4; ++r) row.push_back(fmt::format("{:.1f}", sum[r] / trials));
    row.push_back(published(figure, x));
    table.rows.push_back(std::move(row));
    run.keep(std::move(cell));
  }
  table.notes = {
      "The paper prints curves only; the last column is what its code selects on two or three draws of its "
      "own, where we ran it."};
  run.draw(fmt::format("figure{}a", figure), success);
  run.draw(fmt::format("figure{}b", figure), order);
}

}  // namespace ritz::reproduce
