// SPDX-License-Identifier: MIT
#include "tasks/reduce/task.hpp"

#include "metrics/statistics.hpp"
#include "tasks/projection/report.hpp"
#include "tasks/reduce/fit.hpp"

namespace ritz::reduce {

namespace {

// As far as it can be told before anything is read.
bool seeks_clusters(const ReduceOptions& options, const Inputs& inputs) {
  if (options.mode != Mode::automatic || inputs.has("scores")) return options.mode != Mode::supervised;
  const DataSource& data = inputs.data;
  const bool told = !data.labels.empty() || !data.read.label_column.empty() ||
                    (data.data && data.data->labels.size() > 0) || inputs.has("targets") || inputs.has("target_column");
  return options.clusters != 0 && !told;
}

// A column of many different numbers is hardly one of classes.
void ask_about_numbers(const Dataset& data, const ReadOptions& read) {
  constexpr int kFew = 20;
  const Labels& labels = data.labels;
  const std::string& column = read.label_column;
  if (column.empty() || labels.classes() <= kFew) return;
  bool whole = true;
  for (const std::string& name : labels.names) {
    const auto value = read_double(name);
    if (!value) return;
    whole &= *value == std::floor(*value);
  }
  const bool insisted =
      std::ranges::any_of(read.kinds, [&](const std::string& kind) { return read_kind(kind).name == column; });
  if (insisted || (whole && 4 * labels.classes() <= labels.size())) return;
  fail(ErrorCode::bad_option,
       "column '{0}' of {1} has {2} different numbers in {3} rows: did you mean reduce.target_column '{0}'? As classes "
       "they "
       "are taken with input.kind '{0}=category'",
       column, data.source, labels.classes(), labels.size());
}

// Fifths of the samples by the first target, named by their ends.
Labels fifths(const Vector& values) {
  constexpr Index kParts = 5;
  std::vector<double> sorted(values.begin(), values.end());
  std::ranges::sort(sorted);
  Labels parts;
  std::vector<double> ends;
  for (Index p = 1; p <= kParts; ++p) {
    const double end = quantile(sorted, double(p) / double(kParts));
    if (!ends.empty() && end <= ends.back()) continue;
    ends.push_back(end);
    parts.names.push_back(fmt::format("to {:.4g}", end));
  }
  for (const double value : values)
    parts.of.push_back(int(std::min(std::ranges::lower_bound(ends, value) - ends.begin(), std::ssize(ends) - 1)));
  return parts;
}

std::string plot_svg(const ReduceResult& found, const std::vector<std::string>& ids, const TableRecipe* recipe) {
  const bool targets = found.targets.size() > 0;
  const Labels colours = targets          ? fifths(found.targets.col(0))
                         : found.clusters ? found.clusters->labels
                                          : found.classes;
  ScatterPlot plot = projection::embedding_plot(
      found, colours, fmt::format("{} samples in {} of {} dimensions", found.n, found.fit.W.cols(), found.d),
      projection::short_kernel_text(found.kernel));
  plot.point_names = ids;
  if (!targets) return scatter_svg(plot);
  plot.ordered = true;
  if (!found.fit_rows.empty()) {
    plot.points = RowMatrix(plot.points(found.fit_rows, Eigen::all));
    plot.point_names.clear();
    for (const Index i : found.fit_rows)
      if (!ids.empty()) plot.point_names.push_back(ids[std::size_t(i)]);
  }
  if (plot.points.cols() == 1) {  // what is explained, over the axis that explains it
    RowMatrix both(plot.points.rows(), 2);
    both << plot.points, found.targets.col(0);
    plot.points = both;
    plot.y_label = recipe && recipe->targets.size() == 1 ? recipe->targets.front() : "target";
  }
  return scatter_svg(plot);
}

}  // namespace

std::vector<InputRow> ReduceTask::inputs() {
  return {{.name = "targets",
           .help = "file with numbers to be explained, a row a sample: instead of labels",
           .check = true,
           .predict = true},
          {.name = "target_column",
           .help = "column of X to be explained: name or number from 1",
           .value_name = "NAME",
           .repeated = true,
           .check = true,
           .predict = true},
          {"scores", "file with an expert's scores, a row a sample, for reduce.mode semi"},
          {"truth", "file, or column of X, with labels that found clusters are only compared with"}};
}

std::vector<Output<ReduceTask>> ReduceTask::outputs() {
  return {save("projection", "W, a row a feature",
               [](const F& fit) { return projection::loadings_content(fit.result.fit.W, fit.result); }),
          save("sparse projection", "the sparse loadings, a row a feature",
               [](const F& fit) -> std::optional<NamedColumns> {
                 const Matrix& loadings = fit.result.reading.sparse.loadings;
                 if (loadings.size() == 0) return std::nullopt;  // interrupted
                 return projection::loadings_content(loadings, fit.result);
               }),
          save("embedding", "the samples in the new space, a row a sample",
               [](const F& fit) { return projection::embedding_content(fit.result); }),
          save("labels", "the clusters found, one a line",
               [](const F& fit) {
                 return fit.result.clusters ? std::optional(fit.result.clusters->labels) : std::nullopt;
               }),
          save_model(),
          save_trace("objective and residual of every iteration"),
          plot("picture (SVG or PNG) of the samples in the first two new dimensions",
               [](const F& fit) { return plot_svg(fit.result, fit.data->ids, fit.data->recipe.get()); })};
}

void ReduceTask::settle(const TaskCall& call, ReduceOptions& options) {
  if (call.files.contains("sparse projection")) options.sparse = true;
  if (!call.options.contains("solver") && (options.preset == Preset::paper || seeks_clusters(options, call.inputs)))
    options.how.solver = Solver::ism;
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
  Inputs all = inputs;
  all.data.read.target_columns = inputs.words("target_column");
  all.data.read.may_stay = data().stays;
  std::shared_ptr<const Dataset> data = dataset_and_columns(all, {"truth"}, context);
  ask_about_numbers(*data, inputs.data.read);
  if (const std::vector<std::string> columns = inputs.words("target_column"); !columns.empty()) {
    auto rest = std::make_shared<Dataset>(*data);
    guidance.targets = take_columns(*rest, data->recipe ? data->recipe->targets : columns);
    data = std::move(rest);
  }
  if (inputs.has("targets")) guidance.targets = inputs.matrix("targets", data->rows(), context);
  guidance.scores = inputs.matrix("scores", data->rows(), context);
  guidance.truth = all.labels("truth", data->rows(), context);
  if (!seeks_clusters(options, inputs))
    require_classes(data->labels, inputs.data.labels.empty() ? data->source : inputs.data.labels);
  return data;
}

ModelFile to_model(const ReduceResult& found, const ReduceOptions& options) {
  ModelFile model = projection::to_model(ReduceTask::method, found, reduce_json(found, options));
  if (found.targets.size() > 0) model.arrays["targets"] = found.targets;  // for predictions
  return model;
}

}  // namespace ritz::reduce
