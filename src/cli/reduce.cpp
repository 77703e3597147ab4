// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <cmath>
#include <memory>

#include "cli/flags.hpp"
#include "cli/reduce_text.hpp"
#include "cli/session.hpp"
#include "ritz/app/reduce_model.hpp"
#include "ritz/app/scatter_plot.hpp"

namespace ritz::cli {

namespace {

struct Flags {
  RunOptions run;
  DataFlags data;
  ReduceOptions reduce;
  ism::Options ism;
  std::string json;  // empty: none, "-": standard output
  std::string projection, embedding, model, plot, trace;
};

ScatterPlot plot_of(const Reduction& reduction) {
  ScatterPlot plot;
  const Index q = std::min<Index>(2, reduction.embedding.cols());
  plot.points = reduction.embedding.leftCols(q);
  plot.classes = reduction.classes.of;
  plot.class_names = reduction.classes.names;
  plot.title = fmt::format("{} samples in {} of {} dimensions", reduction.n, reduction.fit.W.cols(), reduction.d);
  plot.subtitle = kernel_text(reduction.kernel);
  const auto label = [&](Index axis) {
    std::string text = fmt::format("axis {}:", axis + 1);
    for (const Index i : strongest_features(reduction.fit.W.col(axis), 2))
      text += fmt::format(" {:+.2f} {}", reduction.fit.W(i, axis), reduction.feature_names[std::size_t(i)]);
    return text;
  };
  plot.x_label = label(0);
  if (q > 1) plot.y_label = label(1);
  return plot;
}

std::vector<std::string> axis_names(Index q) {
  std::vector<std::string> names;
  for (Index a = 1; a <= q; ++a) names.push_back(fmt::format("axis{}", a));
  return names;
}

ExitStatus work(Flags& flags) {
  const Outputs files = {{"projection", flags.projection}, {"embedding", flags.embedding},
                         {"model", flags.model},           {"plot", flags.plot},
                         {"trace", flags.trace},           {"json", flags.json}};
  require_outputs(files);  // now rather than after hours of work
  RunContext context = make_context(flags.run);
  Reduction reduction;
  {
    const ProgressLine progress(flags.run, context, flags.ism.tolerance);
    parse_kernel(flags.reduce.kernel);  // a slip there is told before a large file is read
    Dataset data = read_data(flags.data, context);
    if (data.labels.classes() == 1 && data.rows() > 1)
      throw Error(ErrorCode::bad_data, fmt::format("{}: all {} labels are '{}'; at least two classes are needed",
                                                   flags.data.labels.empty() ? flags.data.path : flags.data.labels,
                                                   data.labels.size(), data.labels.names[0]));
    reduction = reduce(data, flags.reduce, flags.ism, context);
  }
  const Summary& summary = reduction.fit.summary;
  if (!flags.projection.empty()) write_matrix(flags.projection, RowMatrix(reduction.fit.W));
  if (!flags.embedding.empty())
    write_matrix(flags.embedding, reduction.embedding, axis_names(reduction.embedding.cols()));
  if (!flags.model.empty()) save_model(flags.model, to_model(reduction, flags.reduce, flags.ism));
  if (!flags.plot.empty())
    write_atomically(flags.plot, [&](std::ostream& out) { out << scatter_svg(plot_of(reduction)); });
  if (!flags.trace.empty()) {
    const Trace& trace = summary.trace;
    const Eigen::Map<const RowMatrix> rows(trace.values.data(), Index(trace.rows()), Index(trace.columns.size()));
    write_matrix(flags.trace, RowMatrix(rows), trace.columns);
  }
  say(flags.run, summary_text(reduction));
  Json json = reduction_json(reduction, flags.reduce, flags.ism);
  for (const auto& [kind, path] : files)
    if (!path.empty() && kind != "json") {
      json["files"][kind] = path;
      if (path != "-") say(flags.run, fmt::format("  wrote {:<12} {}\n", kind, path));
    }
  print_json(flags.json, json);
  // Ctrl-C after the last iteration has cost the second-order certificate or the k-NN.
  return interrupted_by_user() ? ExitStatus::interrupted : status_of(summary);
}

}  // namespace

Verb add_reduce(CLI::App& root) {
  auto flags = std::make_shared<Flags>();
  CLI::App& app = *root.add_subcommand(
      "reduce", "Interpretable projection: the few directions of the data that tell the classes apart (ISM)");
  add_data_flags(app, flags->data, true);
  add_fields(app, flags->reduce);
  add_fields(app, flags->ism, {"dimension"});
  add_output(app, "--save-projection", flags->projection, "W, a row a feature");
  add_output(app, "--save-embedding", flags->embedding, "the samples in the new space, a row a sample");
  add_output(app, "--save-model", flags->model, "model file for 'ritz transform'");
  add_output(app, "--save-trace", flags->trace, "objective and residual of every iteration");
  add_output(app, "--plot", flags->plot, "SVG picture of the samples in the first two new dimensions");
  add_run_flags(app, flags->run, flags->json);
  return [flags] { return work(*flags); };
}

}  // namespace ritz::cli
