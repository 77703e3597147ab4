// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <memory>
#include <ostream>

#include "cli/flags.hpp"
#include "cli/session.hpp"
#include "report/table.hpp"
#include "ritz/graph/pair_files.hpp"
#include "tasks/unfold/json.hpp"
#include "tasks/unfold/model.hpp"

namespace ritz::cli {

namespace {

struct Flags {
  RunOptions run;
  DataFlags data;
  std::string graph;   // file
  Index vertices = 0;  // of a graph without samples; 0: up to the largest number in the file
  UnfoldOptions unfold;
  unfold::Options how;
  std::string json;  // empty: none, "-": standard output
  std::string embedding, kernel, edges, model, trace, plot;
};

std::string graph_text(const Unfolding& found, const UnfoldOptions& options) {
  return fmt::format("{}, {} ({})", counted(Index(found.graph.edges.size()), "edge"),
                     counted(Index(found.parts.size()), "component"),
                     found.graph_given ? "given"
                                       : fmt::format("{} of {}", TextForm<GraphKind>::print(options.graph_kind),
                                                     counted(found.neighbours, "neighbour")));
}

std::string problem_text(const Unfolding& found, const unfold::Options& how) {
  const double budget =
      found.method == UnfoldMethod::spe && how.ridge == 0 && how.budget == 0 ? double(found.n) : how.budget;
  return fmt::format("C = {:.6g}{}", found.penalties[0],
                     budget > 0      ? fmt::format(", B = {}", number_text(budget))
                     : how.ridge > 0 ? fmt::format(", G = {}", number_text(how.ridge))
                                     : ", no limit");
}

std::string spectrum_text(const Unfolding& found) {
  constexpr Index kShown = 6;
  const Vector& values = found.fit.spectrum;
  std::string text;
  for (Index k = 0; k < std::min(kShown, values.size()); ++k)
    text += fmt::format("{}{:.4g}", k == 0 ? "" : ", ", values(k));
  if (values.size() > kShown) text += ", ...";
  if (std::isfinite(found.fit.held))
    text += fmt::format("; {} hold {:.1f} % of the variance", counted(found.fit.embedding.cols(), "dimension"),
                        100 * found.fit.held);
  return text;
}

std::string fidelity_text(const Unfolding& found) {
  std::string text;
  if (found.squared.size() > 0)
    text = fmt::format("distances change by {:.2g} % on average, {:.2g} % at most; ", 100 * found.fit.stretch,
                       100 * found.max_stretch);
  if (found.method == UnfoldMethod::spe)
    text = fmt::format("no stranger is nearer than a neighbour by more than {:.2g} (squared); ", found.fit.slack);
  return text + fmt::format("{:.1f} % of the neighbours stay so", 100 * found.kept_neighbours);
}

std::string accuracy_text(const Unfolding& found) {
  TextTable table;
  table.columns = {"5-NN, leave one out", "right"};
  const auto row = [&](const std::string& name, double value) {
    if (std::isfinite(value)) table.rows.push_back({name, fmt::format("{:.1f} %", 100 * value)});
  };
  row(fmt::format("{}, {}", TextForm<UnfoldMethod>::print(found.method),
                  counted(found.fit.embedding.cols(), "dimension")),
      found.accuracy.embedding);
  if (found.method != UnfoldMethod::pca)
    row(fmt::format("pca, {}", counted(found.fit.embedding.cols(), "dimension")), found.accuracy.pca);
  row(fmt::format("all {} features", found.d), found.accuracy.all);
  return table_text(table);
}

std::string summary_text(const Unfolding& found, const UnfoldOptions& options, const unfold::Options& how) {
  const unfold::Result& fit = found.fit;
  const Summary& summary = fit.summary;
  std::string text =
      fmt::format("{} -> {} by {}\n",
                  found.d > 0 ? fmt::format("{} samples, {} features", found.n, found.d)
                              : fmt::format("a graph of {} vertices", found.n),
                  counted(fit.embedding.cols(), "dimension"), TextForm<UnfoldMethod>::print(found.method));
  const auto line = [&](std::string_view name, const std::string& value) {
    text += fmt::format("  {:<12} {}\n", name, value);
  };
  line("graph", graph_text(found, options));
  if (!is_baseline(found.method)) {
    line("problem", problem_text(found, how));
    line(summary.converged() ? "converged" : "NOT CONVERGED",
         fmt::format("{}, {}, {}", counted(fit.rounds, "fit"), counted(fit.evaluations, "step"), summary.message));
    line("objective", fmt::format("{:.10g}", fit.objective));
    line("certificate", fmt::format("the optimum lies in [{:.8g}, {:.8g}]: gap {:.1e}, relative {:.1e}", fit.dual,
                                    fit.objective, fit.gap, fit.relative_gap));
  }
  line("spectrum", spectrum_text(found));
  line("fidelity", fidelity_text(found));
  for (const std::string& note : summary.notes) line("note", note);
  if (std::isfinite(found.accuracy.embedding)) text += accuracy_text(found);
  double seconds = 0;
  for (const auto& [phase, part] : summary.seconds) seconds += part;
  line("time", fmt::format("{:.2f} s", seconds));
  return text;
}

Outputs outputs_of(const Flags& flags) {
  return {{"embedding", flags.embedding}, {"kernel", flags.kernel}, {"graph", flags.edges},
          {"model", flags.model},         {"trace", flags.trace},   {"plot", flags.plot}};
}

void write_edges(std::ostream& out, const Unfolding& found) {
  const bool measured = found.squared.size() > 0;
  out << (measured ? "i,j,squared,embedded\n" : "i,j\n");
  for (std::size_t e = 0; e < found.graph.edges.size(); ++e) {
    const auto [i, j] = found.graph.edges[e];
    out << i << ',' << j;
    if (measured)
      out << ',' << number_text(found.squared(Index(e))) << ',' << number_text(found.fit.measured(Index(e)));
    out << '\n';
  }
}

void write_files(const Flags& flags, const Unfolding& found, const Dataset& data) {
  const auto names = [](char letter, Index count) {
    std::vector<std::string> all;
    for (Index a = 1; a <= count; ++a) all.push_back(fmt::format("{}{}", letter, a));
    return all;
  };
  for (const auto& [kind, path] : outputs_of(flags)) {
    if (path.empty()) continue;
    if (kind == "embedding") write_matrix(path, found.fit.embedding, names('y', found.fit.embedding.cols()));
    if (kind == "kernel") write_matrix(path, found.factor, names('f', found.factor.cols()));
    if (kind == "graph") write_atomically(path, [&](std::ostream& out) { write_edges(out, found); });
    if (kind == "model") save_model(path, to_model(found, data, flags.unfold, flags.how));
    if (kind == "trace") write_trace(path, found.fit.summary.trace);
    if (kind == "plot")
      write_atomically(path, [&](std::ostream& out) { out << scatter_svg(unfolding_plot(found, data.labels)); });
  }
}

// A graph without samples: as many rows as vertices, and no column.
Dataset vertices_alone(const Flags& flags, Graph& graph, const RunContext& context) {
  const bool counted = flags.vertices > 0;
  graph = read_edges(flags.graph, counted ? flags.vertices : Index(std::numeric_limits<int>::max()), context);
  if (!counted) {
    graph.vertices = 0;
    for (const Edge& edge : graph.edges) graph.vertices = std::max(graph.vertices, edge.j + 1);
  }
  Dataset data;
  data.samples = RowMatrix(graph.vertices, 0);
  data.source = flags.graph;
  if (!flags.data.labels.empty()) {
    data.labels = read_labels(flags.data.labels, context);
    if (data.labels.size() != graph.vertices)
      throw Error(ErrorCode::bad_shape, fmt::format("{} has {} labels, but {} has {} vertices", flags.data.labels,
                                                    data.labels.size(), flags.graph, graph.vertices));
  }
  return data;
}

void check_flags(const Flags& flags) {
  if (flags.data.path.empty() && flags.graph.empty())
    throw Error(ErrorCode::bad_option,
                "nothing to embed: give the samples X, or a graph for --method spe, --graph FILE");
  if (flags.vertices > 0 && (!flags.data.path.empty() || flags.graph.empty()))
    throw Error(ErrorCode::bad_option, "--vertices is for a --graph without samples X");
}

ExitStatus work(Flags& flags) {
  check_flags(flags);
  Outputs files = outputs_of(flags);
  files.emplace_back("json", flags.json);
  require_outputs(files);  // now rather than after hours of work
  RunContext context = make_context(flags.run);
  Dataset data;
  Unfolding found;
  {
    unfold::Options resolved = flags.how;
    if (flags.unfold.method == UnfoldMethod::spe) resolved.method = unfold::Method::spe;
    const ProgressLine progress(flags.run, context, unfold::resolved_tolerance(resolved));
    Graph graph;
    if (flags.data.path.empty()) {
      data = vertices_alone(flags, graph, context);
    } else {
      data = read_data(flags.data, context);
      if (!flags.graph.empty()) graph = read_edges(flags.graph, data.rows(), context);
    }
    found = unfold_data(data, graph, flags.unfold, flags.how, context);
  }
  write_files(flags, found, data);
  say(flags.run, summary_text(found, flags.unfold, flags.how));
  Json json = unfold_json(found, flags.unfold, flags.how);
  list_outputs(flags.run, outputs_of(flags), json);
  print_json(flags.json, json);
  return interrupted_by_user() ? ExitStatus::interrupted : status_of(found.fit.summary);
}

}  // namespace

Verb add_unfold(CLI::App& root) {
  auto flags = std::make_shared<Flags>();
  CLI::App& app = *root.add_subcommand(
      "unfold", "Few dimensions that keep the distances of neighbours, or who they are (MVU, coloured MVU, MVE, SPE)");
  add_data_flags(app, flags->data, true);
  app.get_option("X")->required(false);
  app.add_option("--graph", flags->graph, "file with the edges i,j of the graph, from 0, in place of neighbours")
      ->type_name("FILE");
  app.add_option("--vertices", flags->vertices, "vertices of a --graph without X (default: up to its largest number)")
      ->type_name("N")
      ->check(CLI::PositiveNumber);
  add_fields(app, flags->unfold);
  add_fields(app, flags->how, {"method"});
  add_output(app, "--save-embedding", flags->embedding, "the new coordinates, a row a sample");
  add_output(app, "--save-kernel", flags->kernel, "leading columns of a factor F of the kernel: K = F F'");
  add_output(app, "--save-graph", flags->edges, "the edges, with the squared distance before and after");
  add_output(app, "--save-model", flags->model, "model file for 'ritz transform' and 'check'");
  add_output(app, "--save-trace", flags->trace, "objective and gap of every step");
  add_output(app, "--plot", flags->plot, "SVG picture of the embedding, coloured by the labels");
  add_run_flags(app, flags->run, flags->json);
  return [flags] { return work(*flags); };
}

}  // namespace ritz::cli
