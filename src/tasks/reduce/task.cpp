// SPDX-License-Identifier: MIT
#include "tasks/reduce/task.hpp"

#include <fmt/format.h>

#include "ritz/base/error.hpp"
#include "tasks/projection/report.hpp"
#include "tasks/reduce/choose.hpp"
#include "tasks/reduce/prepare.hpp"

namespace ritz::reduce {

namespace {

// As far as it can be told before anything is read.
bool seeks_clusters(const ReduceOptions& options, const Inputs& inputs) {
  return finds_clusters(options.mode) || (options.mode == Mode::automatic && inputs.has("scores"));
}

}  // namespace

DataRow ReduceTask::data() { return {.labels = true}; }

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
  using F = Fit<ReduceTask>;
  return {output<ReduceTask>("projection", "save_projection", FileForm::matrix, "W, a row a feature",
                             [](const F& fit) { return NamedColumns{RowMatrix(fit.result.fit.W)}; }),
          output<ReduceTask>("sparse projection", "save_sparse_projection", FileForm::matrix,
                             "the sparse loadings, a row a feature",
                             [](const F& fit) -> Content {
                               if (fit.result.reading.sparse.loadings.size() == 0)
                                 return std::monostate{};  // interrupted
                               return NamedColumns{RowMatrix(fit.result.reading.sparse.loadings)};
                             }),
          output<ReduceTask>("embedding", "save_embedding", FileForm::matrix,
                             "the samples in the new space, a row a sample",
                             [](const F& fit) { return projection::embedding_content(fit.result); }),
          output<ReduceTask>("labels", "save_labels", FileForm::labels, "the clusters found, one a line",
                             [](const F& fit) -> Content {
                               if (!fit.result.clusters) return std::monostate{};
                               return fit.result.clusters->labels;
                             }),
          output<ReduceTask>("model", "save_model", FileForm::model,
                             "model file for 'ritz transform', 'predict' and 'check'",
                             [](const F& fit) { return model(fit); }),
          output<ReduceTask>("trace", "save_trace", FileForm::matrix, "objective and residual of every iteration",
                             [](const F& fit) { return trace_content(fit.result.fit.summary.trace); }),
          output<ReduceTask>("plot", "plot", FileForm::picture,
                             "SVG picture of the samples in the first two new dimensions",
                             [](const F& fit) { return plot_svg(fit.result); })};
}

void ReduceTask::settle(const TaskCall& call, ReduceOptions& options) {
  if (call.files.contains("sparse projection")) options.sparse = true;
  if (call.files.contains("labels") && !seeks_clusters(options, call.inputs))
    throw Error(ErrorCode::bad_option, "reduce.save_labels writes the clusters of reduce.mode unsupervised or semi");
  if (call.inputs.has("targets") && call.inputs.has("target_column"))
    throw Error(ErrorCode::bad_option, "reduce.targets and reduce.target_column exclude each other");
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

ReduceResult ReduceTask::fit(const Dataset& data, const Guidance& guidance, const ReduceOptions& options,
                             RunContext& context) {
  return reduce::fit(data, guidance, options, context);
}

RowMatrix ReduceTask::transform(const ModelFile& model, const Dataset& data, const RunContext& context) {
  return projection::transform(model, data, context);
}

Prediction ReduceTask::predict(const ModelFile& model, const Dataset& data, const PredictOptions& options,
                               const RunContext& context) {
  return projection::predict(model, data, options, context);
}

CheckReport ReduceTask::check(const ModelFile& model, const Inputs& inputs, const CheckOptions& how,
                              const RunContext& context) {
  return projection::check_report(model, inputs, how, context);
}

ModelFile to_model(const ReduceResult& found, const ReduceOptions& options) {
  return projection::to_model(ReduceTask::method, found, reduce_json(found, options));
}

ModelFile ReduceTask::model(const Fit<ReduceTask>& fit) { return to_model(fit.result, fit.options); }

}  // namespace ritz::reduce

namespace ritz {

Task reduce_task() { return make_task<reduce::ReduceTask>(); }

}  // namespace ritz
