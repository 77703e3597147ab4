// SPDX-License-Identifier: MIT
// Tables 2 to 5: accuracy and time on small sets, and what the capacity's bound and power do.
#include "graph/laplacian.hpp"
#include "oracles/csdp/kernel_program.hpp"
#include "reproduce/simplenpkl/parts.hpp"

namespace ritz::reproduce {

namespace {

// "Several constant values in (0, 1]" of the paper.
constexpr std::array kPenalties = {0.02, 0.05, 0.1, 0.2, 0.5, 1.0};
constexpr double kFraction = 0.7;  // r: must-link groups, as a part of the samples

// Raw features and pairs, mutual 5 nearest neighbours.
KernelOptions paper_options(std::string loss, double penalty, double budget = 1, double power = 2) {
  KernelOptions options;
  options.fraction = kFraction;
  options.closure = Closure::raw;
  options.neighbours = 5;
  options.graph = GraphKind::mutual;
  options.scale = kernel::GraphScaling::none;
  options.how.loss = std::move(loss);
  options.how.penalty = penalty;
  options.how.budget = budget;
  options.how.power = power;
  return options;
}

struct Scores {
  Spread rand, adjusted, evaluations, kmeans, constrained;
  double random = kUnknown, one = kUnknown, penalty = kUnknown;
  void add(const KernelResult& fit) {
    kmeans.add(rand_of(fit, "k-means"));
    constrained.add(rand_of(fit, "constrained k-means"));
    random = rand_of(fit, "random labels");
    one = rand_of(fit, "one cluster");
    rand.add(fit.rand);
    adjusted.add(fit.adjusted_rand);
    evaluations.add(fit.fit.evaluations);
  }
};

Scores scores_of(SimplenpklRun& run, const std::string& set, const KernelOptions& options) {
  Scores scores;
  scores.penalty = options.how.penalty;
  for (int r = 0; r < run.repetitions(20, 3); ++r)
    if (const auto one = fit_pairs(run, run.set(set), {}, options, r)) scores.add(one->fit);
  return scores;
}

Scores best_of_penalties(SimplenpklRun& run, const std::string& set, const std::string& loss) {
  Scores best;
  for (const double penalty : kPenalties) {
    Scores scores = scores_of(run, set, paper_options(loss, penalty));
    if (!(scores.rand.mean() <= best.rand.mean())) best = std::move(scores);
  }
  return best;
}

Json score_json(std::string_view part, const std::string& set, std::string_view method, const Spread& rand,
                const std::string& paper) {
  return {{"part", part},
          {"set", set},
          {"method", method},
          {"accuracy", 100 * rand.mean()},
          {"deviation", 100 * rand.deviation()},
          {"paper", paper}};
}

void table2(SimplenpklRun& run) {
  const std::vector<std::string> sets = run.sets("table2");
  if (sets.empty()) return;
  TextTable& accuracy = run.table(
      "Table 2: clustering accuracy (Rand index, %) in the paper's setting",
      {"set", "k-means", "paper", "ck-means", "paper", "LL", "paper", "SHL", "paper", "C of LL, SHL"},
      {"raw features and pairs, r = 0.7, mutual 5-NN graph, B = 1, rows normalised; LL: linear loss, SHL: square "
       "hinge loss",
       "C is the one of 0.02, 0.05, 0.1, 0.2, 0.5, 1 with the best accuracy: chosen by the truth, which the "
       "paper must have done, too; do not read these columns as what to expect",
       "protein is left out: its data are not public; chessboard and spiral are our own points of the paper's "
       "sizes",
       "k-means of 20 starts; ck-means moves must-link groups as a whole"});
  TextTable& beside = run.table(
      "Table 2: our defaults beside it, nothing chosen by the truth",
      {"set", "ours", "paper's SHL", "paper's NPKL HL", "adjusted Rand", "of LL", "of SHL", "random labels",
       "one cluster"},
      {"ours: `ritz kernel X --labels y --fraction 0.7`: standardised columns, union graph, closed pairs, square "
       "hinge, C = 1, G = 0.01; the pairs are the same draws",
       "adjusted Rand is 0 for random labels and for one cluster; the two last columns are their plain Rand "
       "index in %"});
  for (const std::string& set : sets) {
    run.tell("Table 2, {}", set);
    const auto paper = [&](std::string_view column) { return simplenpkl_paper("table2", set, column); };
    KernelOptions defaults;
    defaults.fraction = kFraction;
    const Scores ours = scores_of(run, set, defaults);
    const Scores linear = best_of_penalties(run, set, "linear");
    const Scores hinge = best_of_penalties(run, set, "square-hinge");
    accuracy.rows.push_back({set, linear.kmeans.percent(), paper("k-means"), linear.constrained.percent(),
                             paper("ck-means"), linear.rand.percent(), paper("LL"), hinge.rand.percent(), paper("SHL"),
                             fmt::format("{}, {}", linear.penalty, hinge.penalty)});
    beside.rows.push_back({set, ours.rand.percent(), paper("SHL"), paper("NPKL HL"), ours.adjusted.text("{:.3f}"),
                           linear.adjusted.text("{:.3f}"), hinge.adjusted.text("{:.3f}"),
                           fmt::format("{:.1f}", 100 * ours.random), fmt::format("{:.1f}", 100 * ours.one)});
    Json& rows = run.found.rows;
    rows.push_back(score_json("table2", set, "k-means", linear.kmeans, paper("k-means")));
    rows.push_back(score_json("table2", set, "ck-means", linear.constrained, paper("ck-means")));
    for (const auto& [name, scores] : {std::pair<std::string, const Scores&>{"LL", linear}, {"SHL", hinge}}) {
      rows.push_back(score_json("table2", set, name, scores.rand, paper(name)));
      rows.back()["penalty"] = scores.penalty;
      rows.back()["adjusted_rand"] = scores.adjusted.mean();
    }
    rows.push_back(score_json("table2", set, "ours", ours.rand, ""));
    rows.back()["adjusted_rand"] = ours.adjusted.mean();
    rows.back()["random_labels"] = 100 * ours.random;
    rows.back()["one_cluster"] = 100 * ours.one;
  }
}

// NPKL (10): hinge loss and no bound on K. It has no interior, so that the general solver may get stuck.
std::string conic_hinge(SimplenpklRun& run, const KernelResult& like, double& seconds) {
  npkl::Options how;
  how.loss = "hinge";
  const RunContext inner = limited(run.context, run.options.budget);
  try {
    ConicKernelProblem problem = as_conic(npkl::make_problem(normalised_laplacian(like.graph), like.pairs, how), inner);
    problem.regulariser = ConicRegulariser::none;
    SdpOptions sdp;
    sdp.threads = inner.threads;
    const ConicSolution solution = solve_conic(problem, sdp, inner);
    seconds = solution.seconds;
    return fmt::format("{:.3g}{}", seconds, usable(solution.status) ? "" : " stuck");
  } catch (const Interrupted&) {
    run.context.poll();
    return run.over_budget();
  }
}

void table3(SimplenpklRun& run) {
  const std::vector<std::string> sets = run.sets("table3");
  if (sets.empty()) return;
  const bool installed = !csdp_path().empty();
  TextTable& table = run.table(
      "Table 3: seconds of graph and solver",
      {"set", "LL", "paper", "SHL", "paper", "CSDP LL", "paper's SDP", "CSDP HL", "paper's SDP", "speed-up LL", "paper",
       "SHL"},
      {"C = 1, B = 1, SHL to a certified gap of 1e-6; CSDP LL: the linear loss with tr K <= 1, CSDP HL: NPKL (10), "
       "hinge loss without a bound, both one run",
       "'stuck': (10) has no interior, and CSDP ends without its accuracy",
       "speed-up: over CSDP, with its HL for our SHL; the paper's is over SDPT3 of its time, on its machine"});
  if (!installed) table.notes.push_back("CSDP is not installed: its columns are empty");
  for (const std::string& set : sets) {
    run.tell("Table 3, {}", set);
    const auto paper = [&](std::string_view column) { return simplenpkl_paper("table3", set, column); };
    Spread linear, hinge;
    std::optional<PairFit> last;
    for (int r = 0; r < run.repetitions(20, 3); ++r) {
      last = fit_pairs(run, run.set(set), {}, paper_options("linear", 1), r);
      const auto square = fit_pairs(run, run.set(set), {}, paper_options("square-hinge", 1), r);
      if (last) linear.add(last->seconds);
      if (square && !square->cut) hinge.add(square->seconds);
    }
    double conic_linear = kUnknown, conic_hinge_seconds = kUnknown;
    std::string linear_text, hinge_text;
    if (installed && last) {
      KernelOptions options = paper_options("linear", 1, 1, 1);
      options.how.solver = npkl::Solver::csdp;
      const auto conic = fit_pairs(run, run.set(set), {}, options, 0);
      if (conic) conic_linear = conic->seconds;
      linear_text = conic ? fmt::format("{:.3g}", conic_linear) : run.over_budget();
      hinge_text = conic_hinge(run, last->fit, conic_hinge_seconds);
    }
    const double faster = conic_linear / linear.mean(), faster_hinge = conic_hinge_seconds / hinge.mean();
    const auto times = [](double factor) { return std::isnan(factor) ? "" : fmt::format("{:.0f}", factor); };
    table.rows.push_back({set, linear.text("{:.3g}"), paper("LL"), hinge.text("{:.3g}"), paper("SHL"), linear_text,
                          paper("NPKL LL"), hinge_text, paper("NPKL HL"), times(faster), paper("speed-up"),
                          times(faster_hinge)});
    run.keep({{"part", "table3"},
              {"set", set},
              {"seconds_linear", linear.mean()},
              {"seconds_square_hinge", hinge.mean()},
              {"seconds_csdp_linear", conic_linear},
              {"seconds_csdp_hinge", conic_hinge_seconds},
              {"paper", {{"LL", paper("LL")}, {"SHL", paper("SHL")}, {"NPKL LL", paper("NPKL LL")}}}});
  }
}

// Tables 4 and 5: the same fit for several values of one parameter.
void vary(SimplenpklRun& run, const std::string& part, const std::string& title, const std::string& symbol,
          const std::vector<double>& values, const std::function<KernelOptions(double)>& options) {
  for (const std::string& set : run.sets(part)) {
    TextTable& table = run.table(
        title, {symbol, "accuracy %", "paper", "evaluations", "paper", "adjusted Rand"},
        {"square hinge, raw features and pairs, r = 0.7, mutual 5-NN graph, rows normalised; a duality gap of "
         "1e-6; the paper's column is its number of iterations",
         "the paper prints deviations of 0.0 over 20 draws of pairs; ours are of different draws"});
    for (const double value : values) {
      run.tell("{}, {} = {}", part == "table4" ? "Table 4" : "Table 5", symbol, value);
      const std::string text = fmt::format("{:g}", value);
      const Scores scores = scores_of(run, set, options(value));
      const std::string paper = simplenpkl_paper(part, text, "accuracy");
      table.rows.push_back({text, scores.rand.percent(), paper, fmt::format("{:.1f}", scores.evaluations.mean()),
                            simplenpkl_paper(part, text, "iterations"), scores.adjusted.text("{:.3f}")});
      run.keep(score_json(part, set, "SHL", scores.rand, paper));
      run.found.rows.back()[symbol] = value;
      run.found.rows.back()["evaluations"] = scores.evaluations.mean();
    }
  }
}

}  // namespace

void measure_small_sets(SimplenpklRun& run) {
  if (run.asked("table2")) table2(run);
  if (run.asked("table3")) table3(run);
  if (run.asked("table4"))
    vary(run, "table4", "Table 4: iris, bound B of tr K^2, C = 1", "B", {1, 1.5, 2, 2.5, 3, 3.5, 4, 150, 1000},
         [](double B) { return paper_options("square-hinge", 1, B); });
  if (run.asked("table5"))
    vary(run, "table5", "Table 5: iris, power p of tr K^p <= 1, C = 1", "p", {1, 1.5, 2, 2.5, 3, 3.5, 4},
         [](double p) { return paper_options("square-hinge", 1, 1, p); });
}

}  // namespace ritz::reproduce
