// SPDX-License-Identifier: MIT
// Tables 8 and 9: what two dimensions tell of the classes, and how long they take; Figures 3 and 5: coloured maps.
#include <numeric>

#include "linalg/dense/dense.hpp"
#include "metrics/neighbours.hpp"
#include "oracles/csdp/kernel_program.hpp"
#include "pairs/neighbours.hpp"
#include "report/plot/scatter_plot.hpp"
#include "reproduce/simplenpkl/parts.hpp"
#include "ritz/algorithms/unfold.hpp"

namespace ritz::reproduce {

namespace {

constexpr Index kSamples = 100;   // of the two largest classes
constexpr int kSplits = 3;        // of each draw of samples
constexpr Index kNeighbours = 5;  // of the graph
constexpr int kRounds = 10;       // of MVE: 30 to 150 evaluations, as many as the paper could take
constexpr std::array kVotes = {1, 3, 5, 7, 9, 11, 15};  // of k-NN, chosen on the validation part

// B and C are in units of the data: centred, mean squared norm 1.
RowMatrix scaled(RowMatrix X) {
  X.rowwise() -= X.colwise().mean().eval();
  const double mean_square = X.squaredNorm() / double(X.rows());
  if (mean_square > 0) X /= std::sqrt(mean_square);
  return X;
}

unfold::Problem problem_of(const RowMatrix& X, Graph graph) {
  unfold::Problem problem;
  problem.squared.resize(Index(graph.edges.size()));
  for (std::size_t e = 0; e < graph.edges.size(); ++e)
    problem.squared(Index(e)) = (X.row(graph.edges[e].i) - X.row(graph.edges[e].j)).squaredNorm();
  problem.graph = std::move(graph);
  problem.start = X;
  return problem;
}

// The leading two columns of a centred table.
RowMatrix principal_plane(const RowMatrix& X) {
  const SingularValues svd = thin_svd(X);
  const Index d = std::min<Index>(2, svd.values.size());
  return svd.U.leftCols(d) * svd.values.head(d).asDiagonal();
}

struct Split {
  std::vector<Index> train, validation, test;
};

Split drawn_split(Index n, std::uint64_t seed, std::uint64_t which) {
  const std::vector<Index> order = Rng(seed, "reproduce/split", which).permutation(n);
  const auto train = order.begin() + n * 6 / 10, validation = order.begin() + n * 8 / 10;
  return {{order.begin(), train}, {train, validation}, {validation, order.end()}};
}

RowMatrix rows_of(const RowMatrix& X, const std::vector<Index>& rows) { return X(rows, Eigen::all); }
std::vector<int> labels_of(const std::vector<int>& labels, const std::vector<Index>& rows) {
  std::vector<int> part;
  for (const Index row : rows) part.push_back(labels[std::size_t(row)]);
  return part;
}

// k-NN on the test part, k chosen on the validation part.
double plane_accuracy(const RowMatrix& X, const std::vector<int>& labels, const Split& split,
                      const RunContext& context) {
  const RowMatrix train = rows_of(X, split.train), validation = rows_of(X, split.validation);
  const std::vector<int> known = labels_of(labels, split.train), check = labels_of(labels, split.validation);
  double best = -1;
  Index votes = 1;
  for (const Index k : kVotes) {
    const double score = knn_accuracy(train, known, validation, check, k, context);
    if (score > best) best = score, votes = k;
  }
  return knn_accuracy(train, known, rows_of(X, split.test), labels_of(labels, split.test), votes, context);
}

// Samples of the two largest classes, scaled.
struct Draw {
  RowMatrix X;
  std::vector<int> labels;
};
Draw drawn_samples(const Dataset& data, std::uint64_t seed) {
  const std::vector<Index> counts = data.labels.counts();
  std::vector<int> classes(counts.size());
  std::iota(classes.begin(), classes.end(), 0);
  std::ranges::stable_sort(classes, [&](int a, int b) { return counts[std::size_t(a)] > counts[std::size_t(b)]; });
  std::vector<Index> rows, chosen;
  for (Index i = 0; i < data.rows(); ++i) {
    const int own = data.labels.of[std::size_t(i)];
    if (own == classes[0] || own == classes[1]) rows.push_back(i);
  }
  const Index size = std::min(kSamples, Index(rows.size()));
  for (const Index which : Rng(seed, "reproduce/samples").sample(Index(rows.size()), size))
    chosen.push_back(rows[std::size_t(which)]);
  return {scaled(rows_of(data.dense(), chosen)), labels_of(data.labels.of, chosen)};
}

struct Embedded {
  Spread pca, mve, mve_default, spe, all, mve_seconds, mve_default_seconds, spe_seconds;
  double conic_seconds = kUnknown;
  std::string conic_time, conic_accuracy;
};

// Empty when the budget ended it before there was any embedding.
std::optional<RowMatrix> embedded(SimplenpklRun& run, const unfold::Problem& problem, const unfold::Options& options,
                                  Spread& seconds) {
  const Stopwatch watch;
  auto found = run.within_budget([&](RunContext& inner) { return unfold::solve(problem, options, inner).embedding; });
  if (found) seconds.add(watch.seconds());
  return found;
}

// Hard maximum variance unfolding, one solve, as a general semidefinite program; the graph is connected.
void conic_unfolding(SimplenpklRun& run, const Draw& draw, const unfold::Problem& joined,
                     const std::vector<Split>& splits, Embedded& found) {
  if (csdp_path().empty()) return;
  RunContext inner = limited(run.context, run.options.budget);
  try {
    unfold::Options options;
    options.budget = 1;  // any: only the constraints are taken
    ConicKernelProblem conic = as_conic(unfold::dual_problem(joined, options, inner), inner);
    conic.slack = ConicSlack::none;
    conic.regulariser = ConicRegulariser::none;
    conic.centred = true;
    SdpOptions sdp;
    sdp.tolerance = 1e-7;
    sdp.threads = inner.threads;
    const ConicSolution solution = solve_conic(conic, sdp, inner);
    found.conic_seconds = solution.seconds;
    found.conic_time = fmt::format("{:.3g}{}", solution.seconds, usable(solution.status) ? "" : " stuck");
    if (solution.K.size() == 0) return;
    const SymmetricEigen eigen = symmetric_eigen(solution.K);
    const RowMatrix plane = SymFactor{eigen.vectors.leftCols(2), eigen.values.head(2).cwiseMax(0.0)}.root();
    Spread accuracy;
    for (const Split& split : splits) accuracy.add(plane_accuracy(plane, draw.labels, split, run.context));
    found.conic_accuracy = accuracy.percent();
  } catch (const Interrupted&) {
    run.context.poll();
    found.conic_time = run.over_budget();
  }
}

Embedded measured(SimplenpklRun& run, const std::string& set) {
  Embedded found;
  for (int r = 0; r < run.repetitions(10, 2); ++r) {
    run.tell("Tables 8 and 9, {}, draw {}", set, r + 1);
    const std::uint64_t seed = run.context.seed + std::uint64_t(r);
    const Draw draw = drawn_samples(run.set(set), seed);
    std::vector<Split> splits;
    for (std::uint64_t s = 0; s < std::uint64_t(kSplits); ++s) splits.push_back(drawn_split(draw.X.rows(), seed, s));
    const unfold::Problem problem =
        problem_of(draw.X, neighbour_graph(nearest_neighbours(draw.X, kNeighbours, run.context), GraphKind::union_));
    unfold::Options defaults, mve, spe;
    defaults.method = mve.method = unfold::Method::mve;
    spe.method = unfold::Method::spe;
    mve.penalty = spe.penalty = 1;
    mve.budget = 10 * double(draw.X.rows());
    mve.rounds = kRounds;
    spe.budget = double(draw.X.rows());
    const auto volume = embedded(run, problem, mve, found.mve_seconds);
    const auto structure = embedded(run, problem, spe, found.spe_seconds);
    // Without a budget, parts that no edge joins would be pushed apart without end.
    const NeighbourGraph connected = connected_neighbour_graph(draw.X, kNeighbours, GraphKind::union_, run.context);
    const unfold::Problem joined = problem_of(draw.X, connected.graph);
    const auto unbounded = embedded(run, joined, defaults, found.mve_default_seconds);
    const RowMatrix plane = principal_plane(draw.X);
    const auto score = [&](const RowMatrix& X, const Split& split) {
      return plane_accuracy(X, draw.labels, split, run.context);
    };
    for (const Split& split : splits) {
      found.pca.add(score(plane, split));
      found.all.add(score(draw.X, split));
      if (volume) found.mve.add(score(*volume, split));
      if (unbounded) found.mve_default.add(score(*unbounded, split));
      if (structure) found.spe.add(score(*structure, split));
    }
    if (r == 0) conic_unfolding(run, draw, joined, splits, found);
  }
  return found;
}

Json spread_json(const Spread& spread, double factor) {
  return {{"mean", factor * spread.mean()}, {"deviation", factor * spread.deviation()}};
}

}  // namespace

void measure_embeddings(SimplenpklRun& run) {
  const bool accuracy = run.asked("unfold-table8"), time = run.asked("unfold-table9");
  if (!accuracy && !time) return;
  const std::string setting =
      "100 samples of the two largest classes, centred, mean squared norm 1, union 5-NN graph, C = 1, B = 10 N (MVE) "
      "and N (SPE)";
  TextTable& accuracies = run.table(
      "Table 8: k-NN accuracy (%) in two dimensions",
      {"set", "PCA", "paper's KPCA", "MVE", "paper", "MVE, our default", "SPE", "paper", "hard MVU", "all features"},
      {setting + "; 60/20/20 splits, k by the validation part, 3 splits of each draw",
       "MVE, our default: no budget, C as `--penalty 0` chooses it, the graph grown until it is connected",
       "20 test samples: deviations of 4 to 12 are noise; all features: the same classifier without an embedding",
       "hard MVU: CSDP, distances kept exactly, one draw; spiral is our own points of the paper's size"});
  TextTable& times = run.table(
      "Table 9: seconds of an embedding",
      {"set", "MVE", "paper", "paper's SDP", "MVE, our default", "SPE", "paper", "paper's SDP", "CSDP hard MVU",
       "speed-up of MVE"},
      {setting, "CSDP: one solve of hard MVU, of which the paper's MVE takes several; speed-up over that one"});
  for (const std::string& set : run.sets("unfold-table8")) {
    const Embedded found = measured(run, set);
    const auto paper = [&](std::string_view table, std::string_view column) {
      return simplenpkl_paper(table, set, column);
    };
    const double faster = found.conic_seconds / found.mve_seconds.mean();
    if (accuracy)
      accuracies.rows.push_back({set, found.pca.percent(), paper("table8", "KPCA"), found.mve.percent(),
                                 paper("table8", "MVE+NPKL"), found.mve_default.percent(), found.spe.percent(),
                                 paper("table8", "SPE+NPKL"), found.conic_accuracy, found.all.percent()});
    if (time)
      times.rows.push_back({set, found.mve_seconds.text("{:.3g}"), paper("table9", "MVE+NPKL"), paper("table9", "MVE"),
                            found.mve_default_seconds.text("{:.3g}"), found.spe_seconds.text("{:.3g}"),
                            paper("table9", "SPE+NPKL"), paper("table9", "SPE"), found.conic_time,
                            std::isnan(faster) ? "" : fmt::format("{:.1f}", faster)});
    run.keep({{"part", "unfold"},
              {"set", set},
              {"pca", spread_json(found.pca, 100)},
              {"mve", spread_json(found.mve, 100)},
              {"mve_default", spread_json(found.mve_default, 100)},
              {"spe", spread_json(found.spe, 100)},
              {"all_features", spread_json(found.all, 100)},
              {"mve_seconds", spread_json(found.mve_seconds, 1)},
              {"mve_default_seconds", spread_json(found.mve_default_seconds, 1)},
              {"spe_seconds", spread_json(found.spe_seconds, 1)},
              {"csdp_seconds", found.conic_seconds},
              {"paper", {{"MVE", paper("table8", "MVE+NPKL")}, {"SPE", paper("table8", "SPE+NPKL")}}}});
  }
}

namespace {

// One map of a set, by one setting.
struct Coloured {
  unfold::Result result;
  double seconds = kUnknown, accuracy = kUnknown;
};

// `smooth`: K is bound to the span of so many smooth vectors of the graph, 0: not.
std::optional<Coloured> coloured(SimplenpklRun& run, const RowMatrix& X, const Dataset& data, const Split& split,
                                 bool default_setting, Index smooth = 0) {
  unfold::Options options;
  options.method = unfold::Method::cmvu;
  options.smooth = smooth;
  if (!default_setting) {
    options.penalty = 1;
    options.budget = 10 * double(X.rows());
  }
  return run.within_budget([&](RunContext& inner) {
    const Stopwatch watch;
    Graph graph = default_setting ? connected_neighbour_graph(X, kNeighbours, GraphKind::union_, inner).graph
                                  : neighbour_graph(nearest_neighbours(X, kNeighbours, inner), GraphKind::union_);
    unfold::Problem problem = problem_of(X, std::move(graph));
    problem.labels.assign(std::size_t(X.rows()), -1);
    for (const Index i : split.train) problem.labels[std::size_t(i)] = data.labels.of[std::size_t(i)];
    Coloured found{unfold::solve(problem, options, inner)};
    found.seconds = watch.seconds();
    found.accuracy = plane_accuracy(found.result.embedding, data.labels.of, split, run.context);
    return found;
  });
}

// Figure 3 or 5: the paper's setting, our default and principal components side by side.
void coloured_figure(SimplenpklRun& run, const std::string& part, const std::string& set, TextTable& table) {
  const Dataset& data = run.set(set);
  const RowMatrix X = scaled(data.dense()), plane = principal_plane(X);
  const Split split = drawn_split(X.rows(), run.context.seed, 0);
  const double pca = plane_accuracy(plane, data.labels.of, split, run.context);
  const double all = plane_accuracy(X, data.labels.of, split, run.context);
  const std::string paper = simplenpkl_paper("cmvu", set, "seconds"), name = part.substr(part.find('-') + 1);
  std::vector<ScatterPanel> panels;
  for (const bool default_setting : {false, true}) {
    if (default_setting && run.options.quick) continue;  // without a budget a fit takes a minute, not a moment
    const std::string setting = default_setting ? "our default" : "paper's";
    run.tell("Figure {}, {}, {} setting", part.back(), set, setting);
    const auto found = coloured(run, X, data, split, default_setting);
    if (!found) {
      table.rows.push_back({set, setting, std::to_string(X.rows()), run.over_budget(), paper});
      continue;
    }
    const unfold::Result& result = found->result;
    const bool cut = result.summary.termination == Termination::time_limit;
    table.rows.push_back({set, setting, std::to_string(X.rows()),
                          cut ? run.over_budget() : fmt::format("{:.3g}", found->seconds), paper,
                          fmt::format("{:.1e}", result.relative_gap), fmt::format("{:.2g}", result.stretch),
                          fmt::format("{:.1f}", 100 * found->accuracy), fmt::format("{:.1f}", 100 * pca),
                          fmt::format("{:.1f}", 100 * all)});
    run.keep({{"part", name},
              {"set", set},
              {"setting", default_setting ? "default" : "paper"},
              {"seconds", cut ? kUnknown : found->seconds},
              {"evaluations", result.evaluations},
              {"relative_gap", result.relative_gap},
              {"stretch", result.stretch},
              {"accuracy", 100 * found->accuracy},
              {"pca", 100 * pca},
              {"all_features", 100 * all},
              {"paper", paper}});
    panels.push_back(
        {result.embedding, fmt::format("{} setting: {:.2g} s", setting, found->seconds), "dimension 1", "dimension 2"});
  }
  panels.push_back({plane, "principal components", "component 1", "component 2"});
  ScatterPlot plot;
  plot.points = panels[0].points;
  plot.panel_title = panels[0].title;
  plot.x_label = panels[0].x_label;
  plot.y_label = panels[0].y_label;
  plot.more.assign(panels.begin() + 1, panels.end());
  plot.classes = data.labels.of;
  plot.class_names =
      set == "senate" ? std::vector<std::string>{"Democrat", "independent", "Republican"} : data.labels.names;
  plot.title = fmt::format("Figure {}: coloured unfolding of {}", part.back(), set);
  plot.subtitle = fmt::format("{} samples, the labels of 60 % of them given; the paper took {} s", X.rows(), paper);
  run.found.figures.push_back({name, scatter_svg(plot)});
}

// The axis of Figures 3 to 5: coloured unfolding on d smooth vectors, K = UAUᵀ (Song and others), as d grows.
void smooth_rows(SimplenpklRun& run, const std::string& part, const std::string& set, TextTable& table) {
  const Dataset& data = run.set(set);
  const RowMatrix X = scaled(data.dense());
  const Split split = drawn_split(X.rows(), run.context.seed, 0);
  for (const Index d : {5, 10, 20, 50, 100, 200, 0}) {
    if (d >= X.rows() - 1 || (run.options.quick && d > 20)) continue;
    run.tell("Figure {}, {}, {} smooth vectors", part.back(), set, d);
    const std::string vectors = d > 0 ? std::to_string(d) : "all";
    const auto found = coloured(run, X, data, split, true, d);
    if (!found) {
      table.rows.push_back({set, vectors, run.over_budget()});
      continue;
    }
    const unfold::Result& result = found->result;
    table.rows.push_back({set, vectors, fmt::format("{:.3g}", found->seconds), fmt::format("{:.6g}", -result.objective),
                          fmt::format("{:.1e}", result.relative_gap), fmt::format("{:.2g}", result.stretch),
                          fmt::format("{:.1f}", 100 * found->accuracy)});
    run.keep({{"part", "smooth-" + part.substr(part.find('-') + 1)},
              {"set", set},
              {"vectors", d > 0 ? d : X.rows() - 1},
              {"seconds", found->seconds},
              {"objective", result.objective},
              {"relative_gap", result.relative_gap},
              {"accuracy", 100 * found->accuracy}});
  }
}

}  // namespace

void measure_coloured(SimplenpklRun& run) {
  TextTable& table = run.table(
      "Figures 3 and 5: coloured maximum variance unfolding",
      {"set", "setting", "samples", "seconds", "paper", "relative gap", "stretch", "k-NN %", "PCA k-NN %",
       "all features %"},
      {"union 5-NN graph, centred, mean squared norm 1; paper's setting: C = 1, B = 10 N; our default: no budget, C as "
       "`--penalty 0` chooses it, the graph grown until it is connected",
       "labels of 60 % of the samples are given to the method, 20 % choose k of k-NN, and the accuracy is of the other "
       "20 %: with all labels given, any classes come apart",
       "stretch: mean error of the neighbours' squared distances, relative; far above 0, the labels' pull has won and "
       "unlabelled samples fall together",
       "Figure 4 (news20) is left out: its data are not public in that form"});
  for (const std::string part : {"unfold-figure3", "unfold-figure5"})
    if (run.asked(part))
      for (const std::string& set : run.sets(part)) coloured_figure(run, part, set, table);
  TextTable& smooth = run.table(
      "Figures 3 to 5: coloured unfolding on d smooth vectors of the graph",
      {"set", "d", "seconds", "objective reached", "relative gap", "stretch", "k-NN %"},
      {"K = U A U', U the d smoothest vectors of the graph's Laplacian (Song and others), no budget, C as `--penalty "
       "0` "
       "chooses it; otherwise as above; seconds with the graph and its vectors",
       "the gap is to the best such kernel; what is reached grows with d, since each span holds the smaller ones"});
  for (const std::string part : {"unfold-figure3", "unfold-figure5"})
    if (run.asked(part))
      for (const std::string& set : run.sets(part)) smooth_rows(run, part, set, smooth);
}

}  // namespace ritz::reproduce
