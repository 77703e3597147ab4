// SPDX-License-Identifier: MIT
// What is said of an embedding: text, JSON and picture, and what a fit will take.
#include "data/footprint.hpp"
#include "report/plot/scatter_plot.hpp"
#include "report/table.hpp"
#include "tasks/bounds/bounds.hpp"
#include "tasks/forecast_time.hpp"
#include "tasks/unfold/task.hpp"

namespace ritz::unfold {

namespace {

std::string problem_text(const UnfoldResult& found, const Options& how) {
  const double budget =
      found.method == UnfoldMethod::spe && how.ridge == 0 && how.budget == 0 ? double(found.n) : how.budget;
  return fmt::format("C = {:.6g}{}", found.penalties[0],
                     budget > 0      ? fmt::format(", B = {}", number_text(budget))
                     : how.ridge > 0 ? fmt::format(", G = {}", number_text(how.ridge))
                                     : ", no limit");
}

std::string spectrum_text(const UnfoldResult& found) {
  constexpr Index kShown = 6;
  const Vector& values = found.fit.spectrum;
  std::string text;
  for (Index k = 0; k < std::min(kShown, values.size()); ++k)
    text += fmt::format("{}{:.4g}", k == 0 ? "" : ", ", values(k));
  if (values.size() > kShown) text += ", …";
  return text;
}

std::string kept_text(const UnfoldResult& found) {
  const std::string axes = counted(found.fit.embedding.cols(), "dimension");
  std::string text = std::isfinite(found.kept_neighbours)
                         ? fmt::format("{:.1f} % of the neighbours stay neighbours", 100 * found.kept_neighbours)
                         : "neighbours that stay neighbours were not counted";
  if (std::isfinite(found.fit.held))
    text = fmt::format("{} {} {:.1f} % of the variance; ", axes, found.fit.embedding.cols() == 1 ? "holds" : "hold",
                       100 * found.fit.held) +
           text;
  return text;
}

std::string fidelity_text(const UnfoldResult& found) {
  if (found.method == UnfoldMethod::spe)
    return fmt::format("no stranger is nearer than a neighbour by more than {:.2g} (squared)", found.fit.slack);
  return fmt::format("of neighbours change by {} on average, {} at most", percent_text(found.fit.stretch),
                     percent_text(found.max_stretch));
}

void add_accuracy(Lines& lines, const UnfoldResult& found) {
  const double here = found.accuracy.embedding, pca = found.accuracy.pca;
  if (!std::isfinite(here)) return;
  std::string text = fmt::format("5-NN is right for {:.1f} % (each left out in turn)", 100 * here);
  if (found.method != UnfoldMethod::pca && std::isfinite(pca))
    text += fmt::format("; principal components {:.1f} %", 100 * pca);
  if (std::isfinite(found.accuracy.all))
    text += fmt::format(", all {} features {:.1f} %", found.d, 100 * found.accuracy.all);
  lines.add("labels", text);
}

// What the certificate is about, and says.
std::string certainty_text(const UnfoldResult& found) {
  const Index smooth = found.fit.smooth.cols();
  const std::string others =
      smooth == 0 ? "no embedding" : fmt::format("no embedding within the {} smoothest vectors of the graph", smooth);
  if (!std::isfinite(found.fit.relative_gap)) return "how far from the best it is was not found out";
  return fmt::format("{} is better by more than {}", others, percent_text(found.fit.relative_gap));
}

// Those of a fit: as asked, or those that many samples begin with.
Index smooth_vectors(const UnfoldOptions& options, Index n) {
  constexpr Index kUsual = 100;
  if (is_baseline(options.method)) return 0;
  const Options how = resolved(options);
  return begins_smoothly(how, n) ? kUsual : asked_smooth(how, n);
}

constexpr std::size_t kMostLines = 6000;  // edges; more are a grey blot

std::string_view method_title(UnfoldMethod method) {
  static constexpr std::array<std::string_view, 6> kTitles = {
      "Maximum variance unfolding", "Coloured maximum variance unfolding",
      "Minimum volume embedding",   "Structure preserving embedding",
      "Principal components",       "Kernel principal components"};
  return kTitles[std::size_t(method)];
}

}  // namespace

Lines UnfoldTask::text(const F& whole) {
  const UnfoldResult& found = whole.result;
  const unfold::Result& fit = found.fit;
  Lines lines;
  lines.raw("{} -> {} by {}\n",
            found.d > 0 ? fmt::format("{}, {}", counted(found.n, "sample"), counted(found.d, "feature"))
                        : fmt::format("a graph of {} vertices", found.n),
            counted(fit.embedding.cols(), "dimension"), TextForm<UnfoldMethod>::print(found.method));
  lines.ending(fit.summary);
  const bool worse = found.accuracy.embedding < found.accuracy.pca - 0.02;
  lines.add("found", (worse ? "LESS than principal components tell: " : "") + kept_text(found));
  if (found.squared.size() > 0 || found.method == UnfoldMethod::spe) lines.add("distances", fidelity_text(found));
  add_accuracy(lines, found);
  lines.add("graph", "{}, {} ({})", counted(Index(found.graph.edges.size()), "edge"),
            counted(Index(found.parts.size()), "component"),
            source_text(found.graph_given, whole.options.graph_kind, found.neighbours));
  if (is_baseline(found.method))
    lines.add("how sure", "exact: an eigendecomposition");
  else
    lines.add("how sure", "{}; {}", settled_text(fit.summary, "step"), certainty_text(found))
        .detail("problem", problem_text(found, whole.options.how))
        .detail("certificate", bounds_text(fit.objective, fit.dual, fit.gap, fit.relative_gap));
  lines.add("next",
            "unfold.plot FILE draws it; unfold.neighbours changes what must stay near; unfold.save_model FILE keeps "
            "it for new samples");
  return lines.detail("spectrum", spectrum_text(found)).notes(fit.summary.notes);
}

Json unfold_json(const UnfoldResult& found, const UnfoldOptions& options) {
  const Result& fit = found.fit;
  const Options& how = options.how;
  const std::string method = TextForm<UnfoldMethod>::print(found.method);
  Facts facts{UnfoldTask::verb, method};
  facts.certificate = bounds_json(fit.objective, fit.dual, fit.gap, fit.relative_gap);
  facts.options = options_json(options);
  facts.options["neighbours"] = found.neighbours;
  facts.options["tolerance"] = resolved_tolerance(resolved(options));
  if (!is_baseline(found.method)) {
    facts.options["penalty"] = found.penalties[0];
    if (found.method == UnfoldMethod::spe && how.ridge == 0 && how.budget == 0) facts.options["budget"] = found.n;
  }
  facts.given = {{"neighbours", options.neighbours},
                 {"penalty", how.penalty},
                 {"budget", how.budget},
                 {"tolerance", how.tolerance}};
  facts.data = {{"n", found.n}, {"d", found.d}, {"hash", found.data_hash}};
  facts.result = {{"dimension", fit.embedding.cols()},
                  {"spectrum", vector_json(fit.spectrum)},
                  {"trace", fit.trace},
                  {"held", fit.held},
                  {"stretch", fit.stretch},
                  {"max_stretch", found.max_stretch},
                  {"slack", fit.slack},
                  {"constraints", fit.constraints},
                  {"smooth", fit.smooth.cols()},
                  {"rounds", fit.rounds},
                  {"evaluations", fit.evaluations},
                  {"kept_neighbours", found.kept_neighbours},
                  {"kept_neighbours_kernel", found.kept_neighbours_kernel},
                  {"graph", graph_json(found.graph, found.graph_given, found.neighbours)},
                  {"parts", found.parts}};
  facts.result["accuracy"] = {
      {"embedding", found.accuracy.embedding}, {"pca", found.accuracy.pca}, {"all_features", found.accuracy.all}};
  Json json = envelope(fit.summary, std::move(facts));
  json["objective"] = fit.objective;
  return json;
}

std::string plot_svg(const UnfoldResult& found, const Labels& colours, const std::vector<std::string>& ids) {
  const RowMatrix& Z = found.fit.embedding;
  ScatterPlot plot;
  plot.title = method_title(found.method);
  plot.subtitle = found.graph_given ? fmt::format("{} samples, {} edges", found.n, found.graph.edges.size())
                                    : fmt::format("{} samples, {} edges ({} neighbours)", found.n,
                                                  found.graph.edges.size(), found.neighbours);
  if (found.fit.held >= 0)
    plot.subtitle +=
        fmt::format("; {} hold {:.1f} %", Z.cols() == 1 ? "this dimension" : fmt::format("{} dimensions", Z.cols()),
                    100 * found.fit.held);
  plot.classes = colours.of;
  plot.class_names = colours.names;
  plot.point_names = ids;
  const auto label = [](Index axis) { return fmt::format("dimension {}", axis + 1); };
  const auto columns = [&](Index second) {
    Matrix points(found.n, 2);
    points.col(0) = Z.col(0);
    points.col(1) = Z.col(second);
    return points;
  };
  plot.x_label = label(0);
  plot.equal_scale = true;
  if (Z.cols() == 1) {
    plot.points = Z;
    return scatter_svg(plot);
  }
  plot.points = columns(1);
  plot.y_label = label(1);
  if (Z.cols() > 2) plot.more.push_back({columns(2), "", label(0), label(2)});
  if (found.graph.edges.size() <= kMostLines)
    for (const Edge& edge : found.graph.edges) plot.lines.push_back({edge.i, edge.j});
  return scatter_svg(plot);
}

double forecast(double data_bytes, Index samples, double edges, const UnfoldOptions& options) {
  constexpr double kEdgeBytes = 900;  // table, edges, A with its copies, and a factor of the graph's Laplacian
  constexpr double kBlocks = 32, kLanczos = 300, kMatrices = 4;
  constexpr double kBases = 4;  // the smooth vectors, and what their eigensolver keeps
  const double n = double(samples), columns = double(std::max<Index>(16, options.how.dim + 5));
  const Index vectors = smooth_vectors(options, samples);
  return data_bytes + kEdgeBytes * edges + 8 * n * (kBlocks * columns + std::min(kLanczos, n)) +
         (has_capacity(options) && vectors == 0 ? 8 * kMatrices * n * n : 0.0) + 8 * kBases * n * double(vectors);
}

ForecastReport UnfoldTask::forecast(const UnfoldSizes& asked, const UnfoldOptions& options, const Dataset* data,
                                    const RunContext& context) {
  SampleSizes samples = asked.samples;
  samples.take(data);
  samples.require_two(options.method == UnfoldMethod::spe ? 0 : 1);
  const Index n = samples.rows, edges = asked.edges > 0 ? asked.edges : n * std::min(options.neighbours, n);
  const bool scaled = options.scale != UnfoldScaling::none, baseline = is_baseline(options.method);
  const Index smooth = smooth_vectors(options, n);
  const bool whole = has_capacity(options) && smooth == 0;
  ForecastReport report;
  report.bytes = unfold::forecast(samples.bytes(data) * (scaled ? 2 : 1), n, double(edges), options);
  // A free embedding is made certain by dense matrices, where they take no more than half of what is allowed.
  constexpr Index kMostDense = 4000;
  if (const double dense = 8 * 6 * double(n) * double(n); !baseline && !has_capacity(options) && smooth == 0 &&
                                                          n <= kMostDense && dense <= 0.5 * double(context.max_memory))
    report.bytes += dense;
  report.headline = fmt::format("{} of {} samples, {} edges, {}{}", TextForm<UnfoldMethod>::print(options.method), n,
                                edges, counted(options.how.dim, "dimension"),
                                whole        ? ", the whole spectrum"
                                : smooth > 0 ? fmt::format(", {} smooth vectors", smooth)
                                             : "");
  report.data = {{"n", n}, {"d", samples.columns}};
  report.result = {{"edges", edges}, {"dimension", options.how.dim}, {"whole_spectrum", whole}, {"smooth", smooth}};
  // About a thousand steps over the edges without a limit; with one, some dozens of whole spectra.
  constexpr double kPerEdge = 5e6, kPerSpectrum = 400;
  const double size = double(n);
  const double steps = baseline                              ? 20 * size * size
                       : whole                               ? kPerSpectrum * size * size * size
                       : options.method == UnfoldMethod::mve ? 20 * kPerEdge * double(edges)
                                                             : kPerEdge * double(edges);
  const auto probe = [&](Index rows, RunContext& inner) {
    fit(probe_samples(rows, std::max<Index>(samples.columns, 2), 2, data), {}, options, inner);
  };
  add_seconds(report, timed(n, probe, steps / thread_rate(context), context));
  return report;
}

}  // namespace ritz::unfold
