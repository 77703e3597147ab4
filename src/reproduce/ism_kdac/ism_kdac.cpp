// SPDX-License-Identifier: MIT
// Table 1 and Figure 3 of "Iterative Spectral Method for Alternative Clustering", measured here and now, next to what
// the paper prints.
#include "metrics/clustering.hpp"
#include "pairs/bandwidth.hpp"
#include "reproduce/ism_kdac/parts.hpp"

namespace ritz::reproduce {

namespace {

constexpr std::array<std::string_view, 5> kKdacParts = {"table1", "figure2", "figure3", "figure4", "figure5"};
constexpr std::array<std::string_view, 7> kKdacSets = {"sg", "lg", "moon", "moon-noise", "flower", "face", "webkb"};
constexpr std::array<std::string_view, 3> kKdacSolvers = {"ism", "sm", "dg"};

}  // namespace

const std::vector<KdacSet>& all_sets() {
  static const std::vector<KdacSet> sets = {
      {"sg", "small_gauss_40x2", "small_gauss_40x2.feature2", "small_gauss_40x2.feature1", Scaling::center, "1", 0.04,
       1, 2},
      {"lg", "four_gaussian_200x4", "four_gaussian_200x4.original", "four_gaussian_200x4.alternative", Scaling::center,
       "5", 10, 3, 2},
      {"moon", "moon_400x4", "moon_400x4.original", "moon_400x4.alternative", Scaling::standard, "0.1", 1, 3, 2},
      {"moon-noise", "moon_noise_200x7", "moon_noise_200x7.original", "moon_noise_200x7.alternative", Scaling::standard,
       "0.2", 0.1, 6, 2},
      {"flower", "flower_106x3", "flower_106x3.original", "", Scaling::standard, "median", 100, 2, 2},
      {"face", "face_624x20", "face.pose", "face.identity", Scaling::standard, "3.17149", 1, 17, 4},
      {"webkb", "webkb", "webkb.university", "webkb.topic", Scaling::center, "18.742", 0.057, 4, 4}};
  return sets;
}

KdacData read_set(const KdacSet& set, const RunContext& context) {
  KdacData data;
  data.raw = read_dataset(data_file("ism/" + set.samples + ".csv"), {}, context);
  data.given = read_labels(data_file("ism/" + set.given + ".labels"), context);
  if (!set.truth.empty()) data.truth = read_labels(data_file("ism/" + set.truth + ".labels"), context);
  data.scaled = data.raw;
  apply_scaling(learn_scaling(data.scaled, set.scale), data.scaled.dense());
  if (set.name == "moon-noise") data.scaled.dense().rightCols(3) /= 3;  // as the published program does
  const Samples X(data.scaled.dense());
  data.kernel = resolve_bandwidths(parse_kernel("gaussian(sigma=" + set.sigma + ")"), X, context).kernel;
  return data;
}

namespace {

struct Printed {
  std::string_view nmi, quality, novelty, cost, seconds;
};
// By set, then ISM, SM, DG, each from the spectral and from random starts.
const std::map<std::string, std::array<Printed, 6>, std::less<>>& paper() {
  static const std::map<std::string, std::array<Printed, 6>, std::less<>> table = {
      {"sg",
       {{{"1", "2", "0", "-1.2", "0.02"},
         {"0.4 ± 0.49", "1.6 ± 0.478", "0", "-1.48 ± 0.381", "0.04 ± 0.01"},
         {"1", "1.99", "0", "-1.791", "0.404"},
         {"1", "1.79 ± 0.398", "0", "-1.59 ± 0.398", "1.47 ± 1.52"},
         {"0", "1.629", "1", "-1.316", "1.732"},
         {"0.93 ± 0.196", "0.99", "0.03 ± 0.104", "-0.99", "1.51 ± 0.1"}}}},
      {"lg",
       {{{"1", "1.9", "0", "509", "0.239"},
         {"0.8 ± 0.4", "1.9 ± 0.011", "0", "605 ± 193", "0.18 ± 0.04"},
         {"1", "1.9", "0", "509", "0.413"},
         {"0.4 ± 0.49", "1.9 ± 0.031", "0.6 ± 0.49", "1095 ± 479", "11.2 ± 11"},
         {"1", "1.9", "0", "509.975", "1595"},
         {"0.1 ± 0.32", "0.61 ± 0.17", "0.9 ± 0.32", "101.5 ± 30.8", "1688 ± 551"}}}},
      {"moon",
       {{{"1", "2", "0", "149", "0.575"},
         {"0.4 ± 0.4", "2", "0.5 ± 0.5", "270 ± 43", "3.07 ± 1.4"},
         {"1", "1.998", "0", "149", "2.653"},
         {"0.27 ± 0.335", "2", "0.5 ± 0.5", "277 ± 18", "258 ± 374"},
         {"1", "1.998", "0", "149.697", "359"},
         {"0.09 ± 0.3", "1.27 ± 0.6", "0.8 ± 0.4", "161.65 ± 102", "3212 ± 1368"}}}},
      {"moon-noise",
       {{{"1", "2", "0", "15.3", "0.3"},
         {"0.91 ± 0.2", "2", "0.04 ± 0.1", "15.59 ± 0.8", "0.55 ± 0.2"},
         {"1", "2", "0", "15.3", "0.452"},
         {"0.22 ± 0.4", "2", "0.72 ± 0.4", "17.7 ± 1", "102 ± 48.5"},
         {"1", "2", "0", "15.4", "3836"},
         {"0", "1.6 ± 0.04", "1", "16.2 ± 0.06", "3588 ± 304"}}}},
      {"flower",
       {{{"-", "0.41", "0", "20", "0.04"},
         {"-", "0.41", "0", "19.51", "0.1 ± 0.01"},
         {"-", "0.41", "0", "20", "0.153"},
         {"-", "0.3 ± 0.2", "0.01 ± 0.012", "0.7 ± 0.5", "0.8 ± 0.6"},
         {"-", "0.41", "0", "20", "27.3"},
         {"-", "0.35 ± 0.02", "0.2 ± 0.4", "20.6 ± 1", "37 ± 5"}}}},
      {"face",
       {{{"0.57", "0.61", "0.004", "59.6", "1.5"},
         {"0.56 ± 0.002", "0.61", "0", "59.6 ± 0.118", "1.51 ± 0.15"},
         {"0.562", "0.608", "0.004", "59.559", "7.96"},
         {"0.57 ± 0.002", "0.61", "0.004", "59.7 ± 0.1", "109 ± 35.2"},
         {"0.564", "0.6", "0.004", "59.8", "100591"},
         {"0.458 ± 0.045", "0.6", "0.024 ± 0.018", "54.28 ± 3", "166070 ± 4342"}}}},
      {"webkb",
       {{{"0.37", "0.286", "0", "?", "231"},
         {"0.29 ± 0.07", "0.54 ± 0.2", "0.01 ± 0.002", "?", "137 ± 15.7"},
         {"0.048", "3.296", "0.034", "?", "9.945"},
         {"0.33 ± 0.06", "0.12 ± 0.005", "0.008 ± 0.004", "?", "13511 ± 13342"},
         {"0.048", "1.066", "0.034", "?", "199887"},
         {"0.23", "1.06", "0.1 ± 0.005", "?", "727694 ± 41068"}}}}};
  return table;
}

void add_row(KdacRun& run, TextTable& table, const KdacSet& set, const kdac::Problem& problem, const Labels& truth,
             const std::string& solver, bool random, const Printed& printed) {
  run.tell("{}, {}, {}", set.name, solver, random ? "random starts" : "spectral start");
  Spread nmi, quality, novelty, cost, seconds;
  bool cut = false;
  for (int r = 0; r < (random ? run.options.random_starts : 1); ++r) {
    RunContext inner = solver == "ism" ? run.context : limited(run.context, run.options.budget);
    inner.seed = run.context.seed + std::uint64_t(r);
    const kdac::Options how{.clusters = set.k,
                            .dimension = set.q,
                            .init = random ? Init::random : Init::spectral,
                            .solver = *TextForm<Solver>::parse(solver),
                            .curvature = Effort::never};
    const Stopwatch watch;
    try {
      const kdac::Result result = kdac::solve(problem, how, inner);
      run.context.poll();
      if (result.found.summary.termination == Termination::time_limit) cut = true;
      if (truth.size() > 0) nmi.add(normalised_mutual_information(result.found.labels, truth.of));
      quality.add(result.quality);
      novelty.add(result.worst_novelty());
      cost.add(result.cost);
      seconds.add(watch.seconds());
    } catch (const Interrupted& interrupted) {
      if (interrupted.why == Interrupted::Why::cancelled) throw;
      run.context.poll();
      cut = true;
    }
  }
  const std::string time = cut ? run.over_budget() : seconds.text("{:.3g}");
  const auto text = [](std::string_view cell) { return std::string(cell); };
  table.rows.push_back({set.name, solver + (random ? " RI" : " SI"), nmi.text("{:.3f}"), text(printed.nmi),
                        quality.text("{:.4g}"), text(printed.quality), novelty.text("{:.3f}"), text(printed.novelty),
                        cost.text("{:.5g}"), text(printed.cost), time, text(printed.seconds)});
  run.keep({{"part", "table1"},
            {"set", set.name},
            {"solver", solver},
            {"init", random ? "random" : "spectral"},
            {"nmi", nmi.mean()},
            {"quality", quality.mean()},
            {"novelty", novelty.mean()},
            {"cost", cost.mean()},
            {"seconds", cut ? kUnknown : seconds.mean()},
            {"paper",
             {{"nmi", printed.nmi},
              {"quality", printed.quality},
              {"novelty", printed.novelty},
              {"cost", printed.cost},
              {"seconds", printed.seconds}}}});
}

void add_rows(KdacRun& run, TextTable& table, const KdacSet& set) {
  const KdacData data = read_set(set, run.context);
  const Samples X(data.scaled.dense());
  for (std::size_t s = 0; s < kKdacSolvers.size(); ++s)
    if (contains(run.options.solvers, kKdacSolvers[s]))
      for (const bool random : {false, true})
        if (!random || run.options.random_starts > 0)
          add_row(run, table, set, {X, data.kernel, {data.given}, set.lambda}, data.truth, std::string(kKdacSolvers[s]),
                  random, paper().at(set.name)[2 * s + (random ? 1 : 0)]);
}

void table1(KdacRun& run) {
  TextTable& table = run.table(
      "Table 1: alternative clustering, SI: spectral start, RI: random starts",
      {"set", "solver", "NMI", "paper", "CQ", "paper", "novelty", "paper", "cost, Eq. 2", "paper", "seconds", "paper"},
      {"cost: Eq. 2 with the given clustering alone. The paper's program adds the clustering just found to the given "
       "one and cuts the sum to q columns, so its costs for lg, moon, moon-noise and face are not Eq. 2.",
       "settings: those of the published logs. sg: the paper's q = 2 is all columns, where the kernel does not depend "
       "on W; here q = 1. face: the paper's numbers belong to given = pose, compared with identity.",
       "webkb: the paper's result is a cut-off cycle of the plain iteration, and its costs are not legible; the loop "
       "that never lowers the objective of a step ends elsewhere, at a clustering that is close to trivial.",
       fmt::format("a fit of a rival that needs more than {:g} s shows its best so far, and no time",
                   run.options.budget)});
  for (const KdacSet& set : all_sets())
    if (contains(run.options.sets, set.name)) add_rows(run, table, set);
}

// Time of the W step against the dimension: 128 samples of 4 groups in 2 columns, noise in all others.
void figure3(KdacRun& run) {
  TextTable& table = run.table(
      "Figure 3: time against the number of columns, 128 samples", {"columns", "seconds", "growth", "ISM iterations"},
      {"growth: log2 of the ratio to the row above; 1 is linear. The paper prints a picture only: between "
       "linear and quadratic with a full eigendecomposition, about linear with an iterative one."});
  LineSeries line{"ISM"};
  double before = kUnknown;
  for (const Index d : {64, 128, 256, 512, 1024}) {
    run.tell("{} columns", d);
    Dataset data = read_dataset(data_file(fmt::format("ism/diamond_gauss_128x{}.csv", d)), {}, run.context);
    apply_scaling(learn_scaling(data, Scaling::standard), data.dense());
    const Samples X(data.dense());
    std::vector<std::string> names;
    for (int i = 0; i < 128; ++i) names.push_back(std::to_string(i / 64));
    const kdac::Problem problem{
        X, resolve_bandwidths(parse_kernel("gaussian(sigma=median)"), X, run.context).kernel, {make_labels(names)}, 1};
    RunContext inner = limited(run.context, run.options.budget);
    const kdac::Result result =
        kdac::solve(problem, {.clusters = 2, .dimension = 2, .max_rounds = 3, .curvature = Effort::never}, inner);
    run.context.poll();
    const Trace& trace = result.found.summary.trace;
    double iterations = 0;
    for (std::size_t r = 0; r < trace.rows(); ++r) iterations += trace.at(r, trace.columns.size() - 1);
    const double seconds = result.found.summary.seconds.at("subspace") / std::max(1.0, iterations);
    const double growth = std::log2(seconds / before);
    table.rows.push_back({std::to_string(d), fmt::format("{:.3g}", seconds),
                          std::isnan(growth) ? "" : fmt::format("{:.2f}", growth), fmt::format("{:g}", iterations)});
    line.add(double(d), seconds);
    run.keep({{"part", "figure3"}, {"columns", d}, {"seconds", seconds}, {"iterations", iterations}});
    before = seconds;
  }
  LinePlot plot;
  plot.title = "Growth with the dimension";
  plot.subtitle = "seconds of one ISM iteration, 128 samples";
  plot.x_label = "columns";
  plot.y_label = "seconds";
  plot.x_scale = AxisScale::log2;
  plot.y_scale = AxisScale::log10;
  plot.series = {std::move(line)};
  run.draw("figure3", plot);
}

KdacOptions settled(KdacOptions asked) {
  asked.parts = expanded(asked.parts, kKdacParts, "only");
  asked.sets = expanded(asked.sets, kKdacSets, "sets");
  asked.solvers = expanded(asked.solvers, kKdacSolvers, "solvers");
  return asked;
}

void measure(KdacRun& run) {
  if (run.asked("table1")) table1(run);
  if (run.asked("figure2") || run.asked("figure4")) kdac_pictures(run);
  if (run.asked("figure3")) figure3(run);
  if (run.asked("figure5")) kdac_correlation(run);
}

}  // namespace

Paper ism_kdac() {
  return paper("ism-kdac", "Table 1 and Figures 2 to 5 of 'Iterative Spectral Method for Alternative Clustering'",
               "SVG pictures, each in a file of its own: FILE-figure2-moon-found.svg, …", settled, measure);
}

}  // namespace ritz::reproduce
