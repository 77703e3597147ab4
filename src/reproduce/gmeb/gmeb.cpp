// SPDX-License-Identifier: MIT
// The example of section 5.1, and Figures 5 to 7: how near the solvers come to the centre, and how fast.
#include "reproduce/gmeb/parts.hpp"

namespace ritz::reproduce {

namespace {

using center::Solver;

constexpr std::array<std::string_view, 9> kGmebParts = {"example", "figure3", "figure4", "figure5", "figure6",
                                                        "figure7", "figure8", "figure9", "figure10"};

double median_of(std::vector<double> values) {  // NaN without values
  if (values.empty()) return kUnknown;
  std::ranges::sort(values);
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : 0.5 * (values[middle - 1] + values[middle]);
}

void example(GmebRun& run) {
  run.tell("example of section 5.1");
  const double a = std::sqrt(2.0 / 3), b = std::sqrt(1.0 / 6), c = std::sqrt(7.0 / 8), d = std::sqrt(1.0 / 8);
  Matrix X1(5, 2), X2(5, 2), X3(5, 1);
  X1 << a, 0, b, 0, b, 0, 0, c, 0, d;
  X2 << b, 0, a, 0, b, 0, 0, d, 0, c;
  X3 << b, b, a, 0, 0;
  const center::Collection all = center::make_collection({X1, X2, X3});
  const center::Orders orders = center::select_order(all, {}, {}, run.context);
  TextTable& table = run.table("Example of section 5.1: three subspaces of R^5",
                               {"k", "radius", "exact", "error", "gap", "weights", "c_obj + c_pen", "paper"});
  const std::array<double, 2> exact = {1.0 / 9, (14 - 3 * std::sqrt(7.0)) / 24};
  const std::array<const char*, 2> exact_text = {"1/9", "(14 - 3√7)/24"};
  const std::array<const char*, 3> paper = {"1", "0.22", "0.25"};
  for (Index k = 0; k <= 2; ++k) {
    const center::Order& order = orders.of[std::size_t(k)];
    if (k == 0) {
      table.rows.push_back({"0", "", "", "", "", "", fmt::format("{:.4f}", order.proposed), paper[0]});
      continue;
    }
    const center::Result& fit = orders.fits[std::size_t(k) - 1];
    table.rows.push_back({std::to_string(k), fmt::format("{:.12f}", fit.objective), exact_text[std::size_t(k) - 1],
                          fmt::format("{:.0e}", std::abs(fit.objective - exact[std::size_t(k) - 1])),
                          fmt::format("{:.0e}", std::max(0.0, fit.gap)),
                          fmt::format("{:.4f} {:.4f} {:.4f}", fit.weights(0), fit.weights(1), fit.weights(2)),
                          fmt::format("{:.4f}", order.proposed), paper[std::size_t(k)]});
    run.keep({{"part", "example"},
              {"k", k},
              {"objective", fit.objective},
              {"exact", exact[std::size_t(k) - 1]},
              {"gap", fit.gap},
              {"proposed", order.proposed}});
  }
  table.notes = {
      fmt::format("Order selected: {} (paper: 1). The printed weights of k = 1 are 1/√3 each, which do not sum "
                  "to 1; they are 1/3.",
                  orders.proposed)};
}

struct Course {  // of one solver over the trials
  std::string name;
  Solver solver;
  int most;
  std::vector<std::vector<double>> distance, seconds;  // trial, iteration
  std::vector<double> last, gap, steps, time;
};

// Medians over the trials; one that has ended stays where it ended.
std::vector<double> medians(const std::vector<std::vector<double>>& trials, std::size_t length) {
  std::vector<double> out;
  for (std::size_t t = 0; t < length; ++t) {
    std::vector<double> at;
    for (const auto& trial : trials) at.push_back(trial[std::min(t, trial.size() - 1)]);
    out.push_back(median_of(at));
  }
  return out;
}

void gmeb_accuracy(GmebRun& run, bool arc) {
  const int figure = arc ? 6 : 5;
  std::vector<Course> courses = {{"ours (newton)", Solver::newton, 1000},
                                 {"Algorithm A.1", Solver::subgradient, 1000},
                                 {"A.1 as printed", Solver::subgradient_printed, 1000},
                                 {"Renard et al.", Solver::renard, 500}};
  for (int trial = 0; trial < run.options.trials; ++trial) {
    run.tell("figure {}, trial {}", figure, trial + 1);
    Rng rng(run.context.seed, arc ? "reproduce/gmeb/arc" : "reproduce/gmeb/nested-ball", std::uint64_t(trial) << 32);
    const DrawnSubspaces drawn = arc ? draw_arc({}, rng) : draw_nested_ball({}, rng);
    const center::Collection all = center::make_collection(drawn.bases);
    for (Course& course : courses) {
      center::Options options;
      options.solver = course.solver;
      options.max_iterations = course.most;
      const Stopwatch watch;
      const center::Result fit = center::solve(all, 3, options, {}, run.context, &drawn.center);
      run.context.poll();
      course.time.push_back(watch.seconds());
      course.distance.push_back(fit.distance_to_truth);
      std::vector<double> seconds;
      for (std::size_t row = 0; row < fit.summary.trace.rows(); ++row) seconds.push_back(fit.summary.trace.at(row, 3));
      course.seconds.push_back(std::move(seconds));
      course.last.push_back(fit.distance_to_truth.back());
      course.gap.push_back(std::max(0.0, fit.gap));
      course.steps.push_back(fit.summary.iterations);
    }
  }
  TextTable& table =
      run.table(fmt::format("Figure {}: squared chordal distance to the true centre, {} ({} draws, medians)", figure,
                            arc ? "arc, Gr(3..6, 15), 300 subspaces" : "nested ball, Gr(3, 10), 100 subspaces",
                            run.options.trials),
                {"solver", "distance at the end", "largest", "duality gap", "iterations", "seconds"});
  LinePlot by_step, by_time;
  by_step.title = by_time.title = fmt::format("Figure {}: {}", figure, arc ? "arc" : "nested ball");
  by_step.subtitle = by_time.subtitle = fmt::format("medians of {} draws", run.options.trials);
  by_step.x_label = "iteration";
  by_time.x_label = "seconds";
  by_step.y_label = by_time.y_label = "squared chordal distance to the true centre";
  by_step.x_scale = by_time.x_scale = by_step.y_scale = by_time.y_scale = AxisScale::log10;
  constexpr double kExact = 1e-32;  // what rounding makes of an exact centre; zero has no logarithm
  for (const Course& course : courses) {
    table.rows.push_back({course.name, fmt::format("{:.1e}", median_of(course.last)),
                          fmt::format("{:.1e}", *std::ranges::max_element(course.last)),
                          fmt::format("{:.1e}", median_of(course.gap)), fmt::format("{:.0f}", median_of(course.steps)),
                          fmt::format("{:.4f}", median_of(course.time))});
    std::size_t length = 0;
    for (const auto& trial : course.distance) length = std::max(length, trial.size());
    LineSeries step{course.name, {}, medians(course.distance, length), {}, true};
    for (double& value : step.y) value = std::max(value, kExact);
    for (std::size_t t = 0; t < length; ++t) step.x.push_back(double(t + 1));
    LineSeries time{course.name, medians(course.seconds, length), step.y, {}, true};
    by_step.series.push_back(std::move(step));
    by_time.series.push_back(std::move(time));
    run.keep({{"part", fmt::format("figure{}", figure)},
              {"solver", course.name},
              {"distance", median_of(course.last)},
              {"largest_distance", *std::ranges::max_element(course.last)},
              {"gap", median_of(course.gap)},
              {"iterations", median_of(course.steps)},
              {"seconds", median_of(course.time)}});
  }
  const double better = median_of(courses[1].last) / std::max(median_of(courses[0].last), kExact);
  table.notes = {fmt::format("Ours is {:.1e} times nearer to the true centre than where A.1 stops, in {:.2g} times its "
                             "time.",
                             better, median_of(courses[0].time) / median_of(courses[1].time)),
                 "The paper prints curves only: its method reaches lower errors than Renard's, which is faster at "
                 "first. The constants of A.1 are not printed; ours are in docs/algorithms/center.md."};
  run.draw(fmt::format("figure{}a", figure), by_step);
  run.draw(fmt::format("figure{}b", figure), by_time);
}

constexpr Index kLargestOrder = 6;

struct WarmStarts {  // of one solver at one k
  std::vector<double> naive, warm;
  int fewer = 0, trials = 0;
};
struct WarmTrials {
  std::vector<WarmStarts> theirs = std::vector<WarmStarts>(kLargestOrder + 1), ours = theirs;
};

DrawnSubspaces drawn_for_warm_starts(bool arc, Rng& rng) {
  NestedBall ball;
  ball.outer = 35, ball.inner = 15, ball.k = ball.inner_k = 4, ball.largest = kLargestOrder;
  ArcModel wide;
  wide.n = 10, wide.k = 4;
  return arc ? draw_arc(wide, rng) : draw_nested_ball(ball, rng);
}

// Each k from equal weights, and from those of k − 1.
void try_warm_starts(const center::Collection& all, Solver solver, std::vector<WarmStarts>& cells,
                     RunContext& context) {
  center::Options options;
  options.solver = solver;
  options.starts = 0;
  const auto count = [&](const center::Result& fit) {
    return double(solver == Solver::newton ? fit.evaluations : fit.summary.iterations);
  };
  Vector last;
  for (Index k = 1; k <= kLargestOrder; ++k) {
    const center::Result naive = center::solve(all, k, options, {}, context);
    context.poll();
    if (last.size() == 0) {
      last = naive.weights;
      continue;
    }
    const center::Result warm = center::solve(all, k, options, last, context);
    context.poll();
    WarmStarts& cell = cells[std::size_t(k)];
    cell.naive.push_back(count(naive));
    cell.warm.push_back(count(warm));
    cell.fewer += count(warm) < count(naive);
    ++cell.trials;
    last = warm.weights;
  }
}

void show_warm_starts(GmebRun& run, bool arc, int trials, const WarmTrials& found) {
  TextTable& table =
      run.table(fmt::format("Figure 7{}: iterations from equal weights and from those of k - 1, {} ({} draws, medians)",
                            arc ? 'b' : 'a', arc ? "arc, 300 subspaces" : "nested ball, 50 subspaces", trials),
                {"k", "A.1 naive", "A.1 warm", "warm fewer", "ours naive (eigendec.)", "ours warm", "warm fewer "});
  LinePlot plot;
  plot.title = table.title.substr(0, 9);
  plot.subtitle = fmt::format("medians of {} draws", trials);
  plot.x_label = "k";
  plot.y_label = "iterations (ours: eigendecompositions)";
  plot.series = {{"A.1, naive"}, {"A.1, warm"}, {"ours, naive"}, {"ours, warm"}};
  int fewer = 0, of = 0;
  for (Index k = 2; k <= kLargestOrder; ++k) {
    const WarmStarts &a = found.theirs[std::size_t(k)], &b = found.ours[std::size_t(k)];
    const std::array<double, 4> values = {median_of(a.naive), median_of(a.warm), median_of(b.naive), median_of(b.warm)};
    table.rows.push_back({std::to_string(k), fmt::format("{:.0f}", values[0]), fmt::format("{:.0f}", values[1]),
                          fmt::format("{}/{}", a.fewer, a.trials), fmt::format("{:.0f}", values[2]),
                          fmt::format("{:.0f}", values[3]), fmt::format("{}/{}", b.fewer, b.trials)});
    for (std::size_t s = 0; s < 4; ++s) {
      plot.series[s].add(double(k), values[s]);
    }
    fewer += a.fewer;
    of += a.trials;
    run.keep({{"part", arc ? "figure7b" : "figure7a"},
              {"k", k},
              {"subgradient_naive", values[0]},
              {"subgradient_warm", values[1]},
              {"subgradient_warm_fewer", double(a.fewer) / a.trials},
              {"newton_naive", values[2]},
              {"newton_warm", values[3]},
              {"newton_warm_fewer", double(b.fewer) / b.trials}});
  }
  table.notes = {fmt::format("A.1 took fewer iterations when warm in {} of {} ({:.0f} %); the paper: {} of 500.", fewer,
                             of, 100.0 * fewer / of, arc ? 415 : 359)};
  run.draw(arc ? "figure7b" : "figure7a", plot);
}

void gmeb_warm_starts(GmebRun& run) {
  for (const bool arc : {false, true}) {
    WarmTrials found;
    const int trials = arc ? std::max(1, run.options.trials / 2) : run.options.trials;
    for (int trial = 0; trial < trials; ++trial) {
      run.tell("figure 7{}, trial {}", arc ? 'b' : 'a', trial + 1);
      Rng rng(run.context.seed, arc ? "reproduce/gmeb/7b" : "reproduce/gmeb/7a", std::uint64_t(trial) << 32);
      const center::Collection all = center::make_collection(drawn_for_warm_starts(arc, rng).bases);
      try_warm_starts(all, Solver::subgradient, found.theirs, run.context);
      try_warm_starts(all, Solver::newton, found.ours, run.context);
    }
    show_warm_starts(run, arc, trials, found);
  }
}

GmebOptions settled(GmebOptions asked) {
  asked.parts = expanded(asked.parts, kGmebParts, "only");
  if (asked.quick) asked.trials = std::min(asked.trials, 3);
  return asked;
}

void measure(GmebRun& run) {
  for (const std::string& part : run.options.parts) {
    if (part == "example") example(run);
    if (part == "figure3") gmeb_pictures(run, false);
    if (part == "figure4") gmeb_pictures(run, true);
    if (part == "figure5") gmeb_accuracy(run, false);
    if (part == "figure6") gmeb_accuracy(run, true);
    if (part == "figure7") gmeb_warm_starts(run);
    for (const int figure : {8, 9, 10})
      if (part == fmt::format("figure{}", figure)) gmeb_orders(run, figure);
  }
}

}  // namespace

Paper gmeb() {
  return paper("gmeb",
               "Section 5.1 and Figures 3 to 10 of 'On a Minimum Enclosing Ball of a Collection of Linear Subspaces'",
               "SVG pictures, each in a file of its own: FILE-figure5a.svg, …", settled, measure);
}

}  // namespace ritz::reproduce
