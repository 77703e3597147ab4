// SPDX-License-Identifier: MIT
// What is said of a kernel: text, JSON and picture, and what a fit will take.
#include "data/footprint.hpp"
#include "report/plot/scatter_plot.hpp"
#include "report/table.hpp"
#include "ritz/base/random.hpp"
#include "tasks/bounds/bounds.hpp"
#include "tasks/forecast_time.hpp"
#include "tasks/kernel/task.hpp"

namespace ritz::kernel {

namespace {

std::string pairs_text(const KernelResult& found) {
  const SettledPairs& settled = found.settled;
  const Index used = Index(found.pairs.pairs.size()), must = must_links(found.pairs);
  std::string text = fmt::format("{} {}", found.given, found.drawn ? "drawn" : "given");
  if (settled.derived > 0) text += fmt::format(", {} follow from them", settled.derived);
  if (settled.repeated > 0) text += fmt::format(", {} repeated", settled.repeated);
  if (!settled.dropped.empty()) text += fmt::format(", {} dropped", settled.dropped.size());
  return text + fmt::format("; {} together and {} apart are used, {:.1f} % of them are met", must, used - must,
                            100 * found.fit.satisfied);
}

std::string graph_text(const KernelResult& found, const KernelOptions& options) {
  return fmt::format("{}, {}, {} isolated ({})", counted(Index(found.graph.edges.size()), "edge"),
                     counted(connected_components(found.graph).count, "component"),
                     isolated_vertices(found.graph).size(),
                     source_text(found.graph_given, options.graph, found.neighbours));
}

std::string problem_text(const npkl::Options& how, Index n) {
  const double ridge = how.ridge > 0 ? how.ridge : npkl::default_ridge(n);
  return fmt::format(
      "{} loss, C = {}, {}{}", how.loss, number_text(how.penalty),
      how.budget > 0 ? fmt::format("B = {}", number_text(how.budget)) : fmt::format("G = {}", number_text(ridge)),
      how.power == 2 ? "" : fmt::format(", p = {}", number_text(how.power)));
}

// The kernel's own agreement is the first.
void add_agreement(Lines& lines, const std::vector<Agreement>& all) {
  std::string text, detail;
  for (const Agreement& each : all) {
    const bool known = each.left_out.empty();
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", each.name,
                        known ? fmt::format("{:+.3f}", each.adjusted) : "-");
    detail += fmt::format("{}{} {}", detail.empty() ? "" : ", ", each.name,
                          known ? fmt::format("{:.3f}", each.rand) : each.left_out);
  }
  lines.add("truth", "agreement (adjusted Rand; 1 is perfect, 0 chance): {}", text).detail("Rand", detail);
}

// "WORSE than k-means: " where a baseline agrees more with the truth.
std::string warning(const std::vector<Agreement>& all) {
  const Agreement* best = nullptr;
  for (const Agreement& each : all)
    if (each.left_out.empty() && (!best || each.adjusted > best->adjusted)) best = &each;
  return !best || best->adjusted <= all.front().adjusted + 0.005 ? "" : fmt::format("WORSE than {}: ", best->name);
}

Json pairs_json(const KernelResult& found) {
  const SettledPairs& settled = found.settled;
  const Index used = Index(found.pairs.pairs.size()), must = must_links(found.pairs);
  return {{"source", found.drawn ? "drawn" : "given"},
          {"given", found.given},
          {"used", used},
          {"must", must},
          {"cannot", used - must},
          {"derived", settled.derived},
          {"repeated", settled.repeated},
          {"contradicted", settled.contradicted},
          {"dropped", settled.dropped.size()},
          {"satisfied", found.fit.satisfied}};
}

Json baselines_json(const KernelResult& found) {
  Json all = Json::array();
  for (const Agreement& each : found.baselines) {
    Json one = {{"name", each.name}, {"rand", each.rand}, {"adjusted_rand", each.adjusted}};
    if (!each.left_out.empty()) one["left_out"] = each.left_out;
    all.push_back(std::move(one));
  }
  return all;
}

Json suggestions_json(const KernelResult& found) {
  Json all = Json::array();
  for (const Edge& pair : found.suggestions)
    all.push_back(found.ids.empty() ? Json::array({pair.i, pair.j})
                                    : Json::array({found.ids[std::size_t(pair.i)], found.ids[std::size_t(pair.j)]}));
  return all;
}

}  // namespace

Lines KernelTask::text(const F& whole) {
  const KernelResult& found = whole.result;
  const npkl::Result& fit = found.fit;
  Lines lines;
  lines.raw("{}, {}, {} -> a kernel, {}\n", counted(found.n, "sample"), counted(found.d, "feature"),
            counted(found.given, "pair"), counted(found.labels.classes(), "cluster"));
  lines.ending(fit.summary);
  lines.add("found", "{}{} of {} samples{}", warning(found.baselines), counted(found.labels.classes(), "cluster"),
            sizes_text(found.labels.counts()),
            found.blend.samples == 0  ? ""
            : found.blend.kernel == 0 ? ", by k-means of the samples"
                                      : ", by the samples and the kernel");
  lines.add("pairs", pairs_text(found));
  if (!found.baselines.empty()) add_agreement(lines, found.baselines);
  lines.add("how sure", "{}; no kernel is better by more than {}", settled_text(fit.summary, "step"),
            percent_text(fit.relative_gap));
  lines.add("next",
            found.suggestions.empty()
                ? "kernel.suggest 10 names the pairs worth asking about; kernel.save_labels FILE keeps the clusters"
                : "answer the suggested pairs (must or cannot), add them to kernel.pairs and fit again");
  lines.detail("graph", graph_text(found, whole.options))
      .detail("problem", problem_text(whole.options.how, found.n))
      .detail("rank", "{}, {} of the dual", fit.kernel.weights.size(), counted(fit.evaluations, "evaluation"))
      .detail("certificate", bounds_text(fit.primal, fit.dual, fit.gap, fit.relative_gap));
  return lines.notes(fit.summary.notes);
}

Json kernel_json(const KernelResult& found, const KernelOptions& options) {
  const npkl::Result& fit = found.fit;
  const npkl::Options& how = options.how;
  Facts facts{KernelTask::verb, KernelTask::method};
  facts.certificate = bounds_json(fit.primal, fit.dual, fit.gap, fit.relative_gap);
  facts.options = options_json(options);
  facts.options["clusters"] = found.labels.classes();
  facts.options["neighbours"] = found.neighbours;
  if (how.ridge == 0 && how.budget == 0) facts.options["ridge"] = npkl::default_ridge(found.n);
  facts.given = {{"clusters", options.clusters.automatic() ? Json("auto") : Json(options.clusters.value)},
                 {"neighbours", options.neighbours},
                 {"ridge", how.ridge}};
  facts.data = {{"n", found.n}, {"d", found.d}, {"hash", found.data_hash}};
  facts.result = {{"rank", fit.kernel.weights.size()},
                  {"positive_eigenvalues", fit.positive},
                  {"evaluations", fit.evaluations},
                  {"trace", fit.kernel.weights.sum()},
                  {"weights", vector_json(fit.kernel.weights)},
                  {"pairs", pairs_json(found)},
                  {"graph", graph_json(found.graph, found.graph_given, found.neighbours)},
                  {"clusters",
                   {{"sizes", found.labels.counts()},
                    {"by", found.blend.samples == 0  ? "kernel"
                           : found.blend.kernel == 0 ? "samples"
                                                     : "both"},
                    {"weights", {found.blend.samples, found.blend.kernel}}}},
                  {"rand", found.rand},
                  {"adjusted_rand", found.adjusted_rand},
                  {"baselines", baselines_json(found)}};
  if (options.suggest > 0) facts.result["suggestions"] = suggestions_json(found);
  return envelope(fit.summary, std::move(facts));
}

std::string plot_svg(const KernelResult& found) {
  ScatterPlot plot;
  const Index q = std::min<Index>(2, found.factor.cols());
  plot.points = q > 0 ? Matrix(found.factor.leftCols(q)) : Matrix(Matrix::Zero(found.n, 1));
  plot.classes = found.labels.of;
  plot.class_names = found.labels.names;
  plot.point_names = found.ids;
  plot.title = "Samples in the learned kernel's feature space";
  plot.subtitle = fmt::format(
      "{}coloured by the {} clusters found",
      found.factor.cols() > 2 ? fmt::format("two leading of {} dimensions, ", found.factor.cols()) : std::string(),
      found.labels.classes());
  const auto label = [&](Index axis) {
    return fmt::format("dimension {} (eigenvalue {:.3g} of K)", axis + 1, found.fit.kernel.weights(axis));
  };
  if (q > 0) plot.x_label = label(0);
  if (q > 1) plot.y_label = label(1);
  return scatter_svg(plot);
}

double forecast(double data_bytes, Index samples, double edges, double pairs, double rank) {
  constexpr double kPairBytes = 420;  // as read, settled, in the dual, in the matrix
  constexpr double kEdgeBytes = 120;  // the table of neighbours, the edges, L, and A with its copies
  constexpr double kBlocks = 10;      // the block, its image, the filter's three, best and primal's best, F
  return data_bytes + kEdgeBytes * edges + kPairBytes * pairs + 8 * kBlocks * double(samples) * rank;
}

ForecastReport KernelTask::forecast(const KernelSizes& asked, const KernelOptions& options, const Dataset* data,
                                    const RunContext& context) {
  SampleSizes samples = asked.samples;
  samples.take(data);
  samples.require_two();
  const bool scaled = resolved_scaling(options, data && data->sparse()) != Scaling::none;
  const Index n = samples.rows, k = resolved_neighbours(options, n);
  // Pairs that are drawn say something of nearly all, once there are as many as samples.
  const double all = 0.5 * double(n) * double(n - 1), drawn = options.fraction * all;
  const Index pairs = asked.pair_count > 0    ? asked.pair_count
                      : options.fraction == 0 ? n
                                              : Index(drawn > double(n) ? all : drawn);
  ForecastReport report;
  report.bytes = kernel::forecast(samples.bytes(data) * (scaled ? 2 : 1), n, double(n) * double(k), double(pairs),
                                  double(std::min(n, asked.rank)));
  report.headline = fmt::format("kernel of {} samples, {} neighbours, {} pairs, rank {}", n, k, pairs, asked.rank);
  report.data = {{"n", n}, {"d", samples.columns}};
  report.result = {{"neighbours", k}, {"pairs", pairs}, {"rank", asked.rank}};
  // Kernels for the choice of what is open, then the fit: some dozens of leading spectra of a sparse matrix each. One
  // fit is timed, without the choice, so that it can be of as many samples as there are.
  constexpr double kPerEntry = 2e5;
  constexpr double kLooseShare = 0.2;  // what one kernel for the choice, to a looser gap, takes of such a fit
  const bool sparse = data && data->sparse();
  const Index judged = std::min(n, kMostJudged);
  const double fits = 1 + kLooseShare * solves_to_choose(options, n, pairs, sparse) * double(judged) / double(n);
  KernelOptions one = options;
  if (one.scale == GraphScaling::automatic) one.scale = sparse ? GraphScaling::none : GraphScaling::standard;
  const auto probe = [&](Index rows, RunContext& inner) {
    const Dataset some = probe_samples(rows, std::max<Index>(samples.columns, 1), options.clusters, data);
    KernelKnowledge known;
    known.pairs.points = rows;
    Rng rng(0, "forecast pairs");
    for (Index p = 0; p < std::max<Index>(4, pairs * rows / n) && options.fraction == 0; ++p) {
      const Index i = rng.below(rows - 1), j = i + 1 + rng.below(rows - 1 - i);
      const bool same = some.labels.of[std::size_t(i)] == some.labels.of[std::size_t(j)];
      const LinkedPair pair{i, j, same ? 1 : -1};
      if (std::ranges::find(known.pairs.pairs, pair) == known.pairs.pairs.end()) known.pairs.pairs.push_back(pair);
    }
    one.neighbours = std::min(k, rows - 1);
    fit(some, known, one, inner);
  };
  // Spectra are dense ones, of cubic cost, up to some hundred samples; beyond, a few sparse products.
  constexpr Index kDenseRows = 600;
  const double longer = std::max(1.0, double(n) / double(kDenseRows));
  SecondsForecast time = timed(std::min(n, kDenseRows), probe,
                               kPerEntry * (double(n) * double(k) + double(pairs)) / thread_rate(context), context);
  for (double* each : {&time.seconds, &time.low, &time.high}) *each *= fits * longer;
  add_seconds(report, time);
  return report;
}

}  // namespace ritz::kernel
