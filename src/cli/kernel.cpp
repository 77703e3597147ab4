// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <ostream>

#include "cli/flags.hpp"
#include "cli/session.hpp"
#include "report/plot/scatter_plot.hpp"
#include "report/table.hpp"
#include "ritz/graph/pair_files.hpp"
#include "tasks/kernel/json.hpp"

namespace ritz::cli {

namespace {

struct Flags {
  RunOptions run;
  DataFlags data;
  std::string pairs, edges, truth;  // files
  KernelOptions kernel;
  npkl::Options npkl;
  std::string json;  // empty: none, "-": standard output
  std::string factor, labels, model, settled, suggestions, trace, plot;
};

std::string pairs_text(const LearnedKernel& found) {
  const SettledPairs& settled = found.settled;
  const Index used = Index(found.pairs.pairs.size()), must = must_links(found.pairs);
  std::string text = fmt::format("{} {}", found.given, found.drawn ? "drawn" : "given");
  if (settled.derived > 0) text += fmt::format(", {} follow from them", settled.derived);
  if (settled.repeated > 0) text += fmt::format(", {} repeated", settled.repeated);
  if (!settled.dropped.empty()) text += fmt::format(", {} dropped", settled.dropped.size());
  return text + fmt::format("; {} must-links and {} cannot-links are used, {:.1f} % of them are met", must, used - must,
                            100 * found.fit.satisfied);
}

std::string graph_text(const LearnedKernel& found, const KernelOptions& options) {
  const std::string edges = counted(Index(found.graph.edges.size()), "edge");
  const Index parts = connected_components(found.graph).count, isolated = Index(isolated_vertices(found.graph).size());
  return fmt::format("{}, {}, {} isolated ({})", edges, counted(parts, "component"), isolated,
                     found.graph_given ? "given"
                                       : fmt::format("{} of {} neighbours", TextForm<GraphKind>::print(options.graph),
                                                     found.neighbours));
}

std::string sizes_text(const Labels& labels) {
  std::string sizes;
  for (const Index count : labels.counts()) sizes += (sizes.empty() ? "" : ", ") + std::to_string(count);
  return sizes;
}

std::string agreement_text(const std::vector<Agreement>& all) {
  TextTable table;
  table.columns = {"", "Rand", "adjusted"};
  for (const Agreement& each : all) {
    std::vector<std::string>& row = table.rows.emplace_back();
    row.push_back(each.name);
    row.push_back(each.left_out.empty() ? fmt::format("{:.3f}", each.rand) : "-");
    row.push_back(each.left_out.empty() ? fmt::format("{:+.3f}", each.adjusted) : "-");
    if (!each.left_out.empty()) table.notes.push_back(fmt::format("{}: {}", each.name, each.left_out));
  }
  return table_text(table);
}

std::string summary_text(const LearnedKernel& found, const KernelOptions& options, const npkl::Options& how) {
  const npkl::Result& fit = found.fit;
  const Summary& summary = fit.summary;
  std::string text = fmt::format("{} samples, {} features -> a kernel of rank {}, {}\n", found.n, found.d,
                                 fit.kernel.weights.size(), counted(found.labels.classes(), "cluster"));
  const auto line = [&](std::string_view name, const std::string& value) {
    text += fmt::format("  {:<12} {}\n", name, value);
  };
  line("pairs", pairs_text(found));
  line("graph", graph_text(found, options));
  const double ridge = how.ridge > 0 ? how.ridge : npkl::default_ridge(found.n);
  line("problem", fmt::format("{} loss, C = {}, {}{}", how.loss, number_text(how.penalty),
                              how.budget > 0 ? fmt::format("B = {}", number_text(how.budget))
                                             : fmt::format("G = {}", number_text(ridge)),
                              how.power == 2 ? "" : fmt::format(", p = {}", number_text(how.power))));
  line(summary.converged() ? "converged" : "NOT CONVERGED",
       fmt::format("{} of the dual, {}", counted(fit.evaluations, "evaluation"), summary.message));
  line("objective", fmt::format("{:.10g}", fit.objective));
  line("certificate", fmt::format("the optimum lies in [{:.8g}, {:.8g}]: gap {:.1e}, relative {:.1e}", fit.dual,
                                  fit.primal, fit.gap, fit.relative_gap));
  line("clusters", fmt::format("sizes {}", sizes_text(found.labels)));
  for (const std::string& note : summary.notes) line("note", note);
  if (!found.baselines.empty()) text += agreement_text(found.baselines);
  double seconds = 0;
  for (const auto& [phase, part] : summary.seconds) seconds += part;
  line("time", fmt::format("{:.2f} s", seconds));
  return text;
}

ScatterPlot picture(const LearnedKernel& found) {
  ScatterPlot plot;
  const Index q = std::min<Index>(2, found.factor.cols());
  plot.points = q > 0 ? Matrix(found.factor.leftCols(q)) : Matrix(Matrix::Zero(found.n, 1));
  plot.classes = found.labels.of;
  plot.class_names = found.labels.names;
  plot.title = "Samples in the learned kernel's feature space";
  plot.subtitle = fmt::format("two leading of {} dimensions, coloured by the {} clusters found", found.factor.cols(),
                              found.labels.classes());
  const auto label = [&](Index axis) {
    return fmt::format("dimension {} (eigenvalue {:.3g} of K)", axis + 1, found.fit.kernel.weights(axis));
  };
  if (q > 0) plot.x_label = label(0);
  if (q > 1) plot.y_label = label(1);
  return plot;
}

void write_settled(std::ostream& out, const LearnedKernel& found) {
  const PairSet& set = found.pairs;
  out << "i,j,link,alpha,kernel\n";
  for (std::size_t k = 0; k < set.pairs.size(); ++k) {
    const LinkedPair& pair = set.pairs[k];
    const double value = found.factor.row(pair.i).dot(found.factor.row(pair.j));
    const double alpha = Index(k) < found.fit.alpha.size() ? found.fit.alpha(Index(k)) : kUnknown;
    out << set.name_of(pair.i) << ',' << set.name_of(pair.j) << ',' << (pair.sign > 0 ? "must" : "cannot") << ','
        << number_text(alpha) << ',' << number_text(value) << '\n';
  }
}

// Rows "i,j" without a header: with a third field they are a pairs file.
void write_suggestions(std::ostream& out, const LearnedKernel& found) {
  for (const Edge& pair : found.suggestions)
    out << found.pairs.name_of(pair.i) << ',' << found.pairs.name_of(pair.j) << '\n';
}

Outputs outputs_of(const Flags& flags) {
  return {{"kernel", flags.factor}, {"labels", flags.labels},           {"model", flags.model},
          {"pairs", flags.settled}, {"suggestions", flags.suggestions}, {"trace", flags.trace},
          {"plot", flags.plot}};
}

void write_files(const Flags& flags, const LearnedKernel& found, const Dataset& data) {
  std::vector<std::string> names;
  for (Index a = 1; a <= found.factor.cols(); ++a) names.push_back(fmt::format("f{}", a));
  for (const auto& [kind, path] : outputs_of(flags)) {
    if (path.empty()) continue;
    if (kind == "kernel") write_matrix(path, found.factor, names);
    if (kind == "labels") write_labels(path, found.labels);
    if (kind == "model") save_model(path, to_model(found, data, flags.kernel, flags.npkl));
    if (kind == "pairs") write_atomically(path, [&](std::ostream& out) { write_settled(out, found); });
    if (kind == "suggestions") write_atomically(path, [&](std::ostream& out) { write_suggestions(out, found); });
    if (kind == "plot") write_atomically(path, [&](std::ostream& out) { out << scatter_svg(picture(found)); });
    if (kind == "trace") write_trace(path, found.fit.summary.trace);
  }
}

KernelKnowledge read_known(const Flags& flags, const Dataset& data, const RunContext& context) {
  KernelKnowledge known;
  if (!flags.pairs.empty()) known.pairs = read_pairs(flags.pairs, data.rows(), context, data.ids);
  if (!flags.edges.empty()) known.edges = read_edges(flags.edges, data.rows(), context);
  if (!flags.truth.empty()) {
    known.truth = read_labels(flags.truth, context);
    if (known.truth.size() != data.rows())
      throw Error(ErrorCode::bad_shape, fmt::format("{} has {} labels, but {} has {} rows", flags.truth,
                                                    known.truth.size(), data.source, data.rows()));
  }
  return known;
}

ExitStatus work(Flags& flags) {
  // Suggestions are asked for to be read: on standard output, unless a file or the JSON object takes them.
  if (flags.kernel.suggest > 0 && flags.suggestions.empty() && flags.json != "-") flags.suggestions = "-";
  if (flags.kernel.suggest == 0 && !flags.suggestions.empty())
    throw Error(ErrorCode::bad_option, "--save-suggestions says where suggestions go; ask for some by --suggest N");
  if (!flags.edges.empty() && flags.kernel.neighbours > 0)
    throw Error(ErrorCode::bad_option,
                "--edges gives the graph; --neighbours would make another one: give one of them");
  if (!flags.pairs.empty() && flags.kernel.fraction > 0)
    throw Error(ErrorCode::bad_option,
                "--pairs and --fraction are two sources of the same; give the pairs, or have them drawn");
  Outputs files = outputs_of(flags);
  files.emplace_back("json", flags.json);
  require_outputs(files);  // now rather than after hours of work
  RunContext context = make_context(flags.run);
  Dataset data;
  LearnedKernel found;
  {
    const ProgressLine progress(flags.run, context, flags.npkl.tolerance);
    data = read_data(flags.data, context);
    found = learn_kernel(data, read_known(flags, data, context), flags.kernel, flags.npkl, context);
  }
  if (flags.kernel.suggest > Index(found.suggestions.size()))
    found.fit.summary.notes.push_back(fmt::format("only {} are worth asking about: the answers to all others are known",
                                                  counted(Index(found.suggestions.size()), "pair")));
  write_files(flags, found, data);
  say(flags.run, summary_text(found, flags.kernel, flags.npkl));
  Json json = kernel_json(found, flags.kernel, flags.npkl);
  list_outputs(flags.run, outputs_of(flags), json);
  print_json(flags.json, json);
  return interrupted_by_user() ? ExitStatus::interrupted : status_of(found.fit.summary);
}

}  // namespace

Verb add_kernel(CLI::App& root) {
  auto flags = std::make_shared<Flags>();
  CLI::App& app = *root.add_subcommand(
      "kernel", "A kernel, and clusters, from pairs of samples that belong together or apart (SimpleNPKL)");
  add_data_flags(app, flags->data, true);
  app.add_option("--id-column", flags->data.read.id_column,
                 "column of X that names the samples: pairs then use these names")
      ->type_name("NAME");
  app.add_option("--pairs", flags->pairs, "file with rows i,j,must or i,j,cannot; samples from 0, or by their ids")
      ->type_name("FILE");
  app.add_option("--truth", flags->truth,
                 "file with labels that the clusters are only compared with (default: --labels)")
      ->type_name("FILE");
  app.add_option("--edges", flags->edges, "file with the edges i,j of the graph, from 0, in place of neighbours")
      ->type_name("FILE");
  add_fields(app, flags->kernel);
  add_fields(app, flags->npkl);
  add_output(app, "--save-kernel", flags->factor, "a factor F of the kernel, a row a sample: K = F F'");
  add_output(app, "--save-labels", flags->labels, "the clusters found, one a line");
  add_output(app, "--save-model", flags->model, "model file for 'ritz transform', 'predict' and 'check'");
  add_output(app, "--save-pairs", flags->settled, "the pairs that were used, each with its alpha and its kernel value");
  add_output(app, "--save-suggestions", flags->suggestions, "where the pairs of --suggest go (-: standard output)");
  add_output(app, "--save-trace", flags->trace, "objective and gap of every step");
  add_output(app, "--plot", flags->plot, "SVG picture of the samples in the two leading dimensions of the kernel");
  add_run_flags(app, flags->run, flags->json);
  return [flags] { return work(*flags); };
}

}  // namespace ritz::cli
