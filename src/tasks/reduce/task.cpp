// SPDX-License-Identifier: MIT
#include "tasks/reduce/task.hpp"

#include "tasks/projection/report.hpp"
#include "tasks/reduce/fit.hpp"

namespace ritz::reduce {

namespace {

// As far as it can be told before anything is read.
bool seeks_clusters(const ReduceOptions& options, const Inputs& inputs) {
  return finds_clusters(options.mode) || (options.mode == Mode::automatic && inputs.has("scores"));
}

std::string plot_svg(const ReduceResult& found) {
  return scatter_svg(
      projection::embedding_plot(found, found.clusters ? found.clusters->labels : found.classes,
                                 fmt::format("{} samples in {} of {} dimensions", found.n, found.fit.W.cols(), found.d),
                                 projection::short_kernel_text(found.kernel)));
}

}  // namespace

std::vector<InputRow> ReduceTask::inputs() {
  return {{"targets", "file with numbers to be explained, a row a sample: instead of labels"},
          {.name = "target_column",
           .help = "column of X to be explained: name or number from 1",
           .placeholder = "NAME",
           .repeated = true},
          {"scores", "file with an expert's scores, a row a sample, for reduce.mode semi"},
          {"truth", "file with labels that found clusters are only compared with"}};
}

std::vector<Output<ReduceTask>> ReduceTask::outputs() {
  return {
      save("projection", "W, a row a feature", [](const F& fit) { return NamedColumns{RowMatrix(fit.result.fit.W)}; }),
      save("sparse projection", "the sparse loadings, a row a feature",
           [](const F& fit) -> std::optional<NamedColumns> {
             const Matrix& loadings = fit.result.reading.sparse.loadings;
             if (loadings.size() == 0) return std::nullopt;  // interrupted
             return NamedColumns{RowMatrix(loadings)};
           }),
      save("embedding", "the samples in the new space, a row a sample",
           [](const F& fit) { return projection::embedding_content(fit.result); }),
      save(
          "labels", "the clusters found, one a line",
          [](const F& fit) { return fit.result.clusters ? std::optional(fit.result.clusters->labels) : std::nullopt; }),
      save_model(),
      save_trace("objective and residual of every iteration"),
      plot("SVG picture of the samples in the first two new dimensions",
           [](const F& fit) { return plot_svg(fit.result); })};
}

void ReduceTask::settle(const TaskCall& call, ReduceOptions& options) {
  if (call.files.contains("sparse projection")) options.sparse = true;
  if (call.files.contains("labels") && !seeks_clusters(options, call.inputs))
    fail(ErrorCode::bad_option, "reduce.save_labels writes the clusters of reduce.mode unsupervised or semi");
  if (call.inputs.has("targets") && call.inputs.has("target_column"))
    fail(ErrorCode::bad_option, "reduce.targets and reduce.target_column exclude each other");
  if (!leaves_kernel_open(options)) asked_kernel(options);  // a slip is told before a large file is read
}

double ReduceTask::goal(const ReduceOptions& options, const Inputs& inputs) {
  return seeks_clusters(options, inputs) ? options.round_tolerance : options.how.tolerance;
}

std::shared_ptr<const Dataset> ReduceTask::read(const Inputs& inputs, const ReduceOptions& options, Guidance& guidance,
                                                const RunContext& context) {
  std::shared_ptr<const Dataset> data = inputs.dataset(context);
  if (const std::vector<std::string> columns = inputs.words("target_column"); !columns.empty()) {
    auto rest = std::make_shared<Dataset>(*data);
    guidance.targets = take_columns(*rest, columns);
    data = std::move(rest);
  }
  if (inputs.has("targets")) guidance.targets = inputs.matrix("targets", data->rows(), context);
  guidance.scores = inputs.matrix("scores", data->rows(), context);
  guidance.truth = inputs.labels("truth", data->rows(), context);
  if (!seeks_clusters(options, inputs))
    require_classes(data->labels, inputs.data.labels.empty() ? data->source : inputs.data.labels);
  return data;
}

ModelFile to_model(const ReduceResult& found, const ReduceOptions& options) {
  return projection::to_model(ReduceTask::method, found, reduce_json(found, options));
}

}  // namespace ritz::reduce
