// SPDX-License-Identifier: MIT
// Figure 2: given and found clusterings that can be drawn. Figure 4: how the loop settles. Figure 5: what HSIC sees and
// correlation does not.
#include <numbers>

#include "pairs/bandwidth.hpp"
#include "report/plot/scatter_plot.hpp"
#include "reproduce/ism_kdac/parts.hpp"
#include "ritz/algorithms/dependence.hpp"
#include "ritz/base/random.hpp"

namespace ritz::reproduce {

namespace {

constexpr std::array<std::string_view, 5> kDrawable = {"sg", "lg", "moon", "moon-noise", "flower"};

// The first two columns, and beside them the next two, where the sets hide their other clustering.
void draw_clustering(KdacRun& run, const KdacSet& set, const KdacData& data, const Labels& labels,
                     const std::string& which) {
  const RowMatrix& X = data.raw.dense();
  ScatterPlot plot;
  plot.title = fmt::format("Figure 2: {}, {} clustering", set.name, which);
  plot.points = X.leftCols(2);
  plot.x_label = "column 1", plot.y_label = "column 2";
  if (X.cols() >= 4) plot.more.push_back({X.middleCols(2, 2), "", "column 3", "column 4"});
  for (const int of : labels.of) plot.classes.push_back(of);
  plot.class_names = labels.names;
  run.found.figures.push_back({fmt::format("figure2-{}-{}", set.name, which), scatter_svg(plot)});
}

void draw_course(KdacRun& run, const KdacSet& set, const Trace& trace, TextTable& table) {
  const auto column = [&](std::string_view name) {
    return std::size_t(std::ranges::find(trace.columns, name) - trace.columns.begin());
  };
  const std::size_t objective = column("objective"), residual = column("U_residual"), moved = column("W_moved");
  const std::size_t rows = trace.rows();
  if (rows == 0) return;
  constexpr double kLeast = 1e-16;  // zero has no logarithm
  LineSeries cost{"F, to its last value"}, gradient{"residual of U"}, change{"movement of W"};
  const double last = trace.at(rows - 1, objective);
  for (std::size_t r = 0; r < rows; ++r) {
    const double x = double(r + 1);
    cost.add(x, std::max(std::abs(trace.at(r, objective) - last) / std::max(std::abs(last), kLeast), kLeast));
    gradient.add(x, std::max(trace.at(r, residual), kLeast));
    change.add(x, std::max(trace.at(r, moved), kLeast));
  }
  table.rows.push_back({set.name, std::to_string(rows), fmt::format("{:.6g}", trace.at(0, objective)),
                        fmt::format("{:.6g}", last), fmt::format("{:.1e}", trace.at(rows - 1, residual)),
                        fmt::format("{:.1e}", trace.at(rows - 1, moved))});
  run.keep({{"part", "figure4"},
            {"set", set.name},
            {"rounds", rows},
            {"objective", last},
            {"residual", trace.at(rows - 1, residual)},
            {"moved", trace.at(rows - 1, moved)}});
  LinePlot plot;
  plot.title = fmt::format("Figure 4: {}", set.name);
  plot.x_label = "round";
  plot.y_label = "relative size";
  plot.y_scale = AxisScale::log10;
  plot.series = {std::move(cost), std::move(gradient), std::move(change)};
  run.draw("figure4-" + set.name, plot);
}

struct Cloud {
  std::string name;
  Matrix x, y;
};
std::vector<Cloud> clouds(const RunContext& context) {
  constexpr Index kPoints = 200;
  constexpr double kNoise = 0.05;
  std::vector<Cloud> made;
  for (const char* name : {"line", "parabola", "sine", "circle", "cross", "independent"}) {
    Rng rng(context.seed, std::string("reproduce/kdac/figure5/") + name);
    Cloud cloud{name, Matrix(kPoints, 1), Matrix(kPoints, 1)};
    for (Index i = 0; i < kPoints; ++i) {
      const double t = 2 * rng.uniform() - 1, other = 2 * rng.uniform() - 1, angle = std::numbers::pi * t;
      const std::string_view of = name;
      cloud.x(i) = of == "circle" ? std::cos(angle) : t;
      cloud.y(i) = of == "line"       ? t
                   : of == "parabola" ? t * t
                   : of == "sine"     ? std::sin(2 * angle)
                   : of == "circle"   ? std::sin(angle)
                   : of == "cross"    ? (other > 0 ? t : -t)
                                      : other;
    }
    cloud.x += kNoise * rng.normal_matrix(kPoints, 1);
    cloud.y += kNoise * rng.normal_matrix(kPoints, 1);
    made.push_back(std::move(cloud));
  }
  return made;
}

double correlation(const Matrix& x, const Matrix& y) {
  const Vector a = (x.array() - x.mean()).matrix(), b = (y.array() - y.mean()).matrix();
  return a.dot(b) / (a.norm() * b.norm());
}

}  // namespace

void kdac_pictures(KdacRun& run) {
  TextTable* course =
      run.asked("figure4")
          ? &run.table("Figure 4: how the loop settles, from the spectral start",
                       {"set", "rounds", "first F", "last F", "residual of U", "movement of W"},
                       {"The paper prints curves only, of the cost, of the Lagrangian's gradient and of "
                        "the change of W: all go to 0, or to a fixed value. F is the negative of Eq. 2."})
          : nullptr;
  for (const KdacSet& set : all_sets()) {
    const bool draws = run.asked("figure2") && contains({kDrawable.begin(), kDrawable.end()}, set.name);
    if (!contains(run.options.sets, set.name) || (!draws && !course)) continue;
    run.tell("{}, pictures", set.name);
    const KdacData data = read_set(set, run.context);
    const Samples X(data.scaled.dense());
    const kdac::Result result =
        kdac::solve({X, data.kernel, {data.given}, set.lambda},
                    {.clusters = set.k, .dimension = set.q, .curvature = Effort::never}, run.context);
    run.context.poll();
    if (draws) {
      draw_clustering(run, set, data, data.given, "given");
      std::vector<std::string> names;
      for (const int of : result.found.labels) names.push_back(std::to_string(of + 1));
      draw_clustering(run, set, data, make_labels(names), "found");
    }
    if (course) draw_course(run, set, result.found.summary.trace, *course);
  }
}

void kdac_correlation(KdacRun& run) {
  TextTable& table = run.table(
      "Figure 5: HSIC and correlation of 200 points", {"cloud", "correlation", "HSIC", "CKA", "p of HSIC"},
      {"The paper prints a picture of clouds that it does not describe. CKA: HSIC between 0 and 1; p by 999 "
       "permutations. HSIC is far from that of independent numbers for every cloud that is not independent."});
  for (const Cloud& cloud : clouds(run.context)) {
    run.tell("figure 5, {}", cloud.name);
    const auto factor = [&](const RowMatrix& values) {
      const Samples X(values);
      const KernelSum kernel = resolve_bandwidths(parse_kernel("gaussian(sigma=median)"), X, run.context).kernel;
      return dependence::kernel_side(X, kernel, {}, run.context).factor;
    };
    const Matrix A = factor(cloud.x), B = factor(cloud.y);
    constexpr Index kPermutations = 999;
    dependence::Null null{dependence::hsic(A, B), {}};
    const Matrix drawn = dependence::shuffled_statistics(A, {{0, A.cols()}}, B, {0, kPermutations}, run.context);
    null.drawn.assign(drawn.data(), drawn.data() + drawn.size());
    const double r = correlation(cloud.x, cloud.y), cka = dependence::alignment(A, B);
    table.rows.push_back({cloud.name, fmt::format("{:.3f}", r), fmt::format("{:.4f}", null.observed),
                          fmt::format("{:.3f}", cka), fmt::format("{:.3f}", null.p())});
    run.keep({{"part", "figure5"},
              {"cloud", cloud.name},
              {"correlation", r},
              {"hsic", null.observed},
              {"cka", cka},
              {"p", null.p()}});
    ScatterPlot plot;
    plot.title = fmt::format("Figure 5: {}", cloud.name);
    plot.subtitle = fmt::format("correlation {:.2f}, HSIC {:.3f}", r, null.observed);
    plot.points.resize(cloud.x.rows(), 2);
    plot.points << cloud.x, cloud.y;
    plot.equal_scale = true;
    run.found.figures.push_back({"figure5-" + cloud.name, scatter_svg(plot)});
  }
}

}  // namespace ritz::reproduce
