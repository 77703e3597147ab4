// SPDX-License-Identifier: MIT
#include "tasks/unfold/task.hpp"

#include <limits>

#include "tasks/bounds/bounds.hpp"

namespace ritz::unfold {

namespace {

std::string edges_csv(const UnfoldResult& found) {
  const bool measured = found.squared.size() > 0;
  std::string text = measured ? "i,j,squared,embedded\n" : "i,j\n";
  for (std::size_t e = 0; e < found.graph.edges.size(); ++e) {
    const auto [i, j] = found.graph.edges[e];
    text += fmt::format("{},{}", i, j);
    if (measured)
      text += fmt::format(",{},{}", number_text(found.squared(Index(e))), number_text(found.fit.measured(Index(e))));
    text += '\n';
  }
  return text;
}

bool has_samples(const Inputs& inputs) { return inputs.data.data || !inputs.data.paths.empty(); }

// A graph without samples: as many rows as vertices, and no column.
std::shared_ptr<const Dataset> vertices_alone(const Inputs& inputs, Index vertices, Graph& graph,
                                              const RunContext& context) {
  graph = given_graph(inputs, "graph", vertices > 0 ? vertices : Index(std::numeric_limits<int>::max()), context);
  if (vertices == 0) {
    graph.vertices = 0;
    for (const Edge& edge : graph.edges) graph.vertices = std::max(graph.vertices, edge.j + 1);
  }
  const std::string path = inputs.word("graph");
  auto data = std::make_shared<Dataset>();
  data->samples = RowMatrix(graph.vertices, 0);
  data->source = path.empty() ? "the graph" : path;
  if (inputs.data.labels.empty()) return data;
  data->labels = read_labels(inputs.data.labels, context);
  if (data->labels.size() != graph.vertices)
    fail(ErrorCode::bad_shape, "{} has {} labels, but {} has {} vertices", inputs.data.labels, data->labels.size(),
         data->source, graph.vertices);
  return data;
}

}  // namespace

std::vector<InputRow> UnfoldTask::inputs() {
  return {{"graph", "file with the edges i,j of the graph, from 0, in place of neighbours"}};
}

std::vector<Output<UnfoldTask>> UnfoldTask::outputs() {
  const auto named = [](const RowMatrix& values) {
    return NamedColumns{values, numbered_names("axis", values.cols()), RowKind::sample};
  };
  return {save("embedding", "the new coordinates, a row a sample",
               [named](const F& fit) { return named(fit.result.fit.embedding); }),
          save("kernel", "leading columns of a factor F of the kernel: K = F F'",
               [named](const F& fit) { return named(fit.result.factor); }),
          save("graph", "the edges, with the squared distance before and after",
               [](const F& fit) { return edges_csv(fit.result); }),
          save_model(),
          save_trace("objective and gap of every step"),
          plot("picture (SVG or PNG) of the embedding, coloured by the labels",
               [](const F& fit) { return plot_svg(fit.result, fit.data->labels, fit.data->ids); })};
}

double UnfoldTask::goal(const UnfoldOptions& options) { return resolved_tolerance(resolved(options)); }

void UnfoldTask::settle(TaskCall& call, const UnfoldOptions& options) {
  const bool samples = has_samples(call.inputs), graph = call.inputs.has("graph");
  if (!samples && !graph)
    fail(ErrorCode::bad_option,
         "nothing to embed: give the samples X, or a graph for unfold.method spe, unfold.graph FILE");
  if (options.vertices > 0 && (samples || !graph))
    fail(ErrorCode::bad_option, "unfold.vertices is for a unfold.graph without samples X");
}

std::shared_ptr<const Dataset> UnfoldTask::read(const Inputs& inputs, const UnfoldOptions& options, Graph& given,
                                                const RunContext& context) {
  if (!has_samples(inputs)) return vertices_alone(inputs, options.vertices, given, context);
  Inputs named = inputs;
  named.data.read.unlabelled = options.unlabelled;
  auto data = named.dataset(context);
  given = given_graph(inputs, "graph", data->rows(), context);
  return data;
}

}  // namespace ritz::unfold
