// SPDX-License-Identifier: MIT
#include "tasks/recluster/task.hpp"

#include "tasks/projection/prepare.hpp"
#include "tasks/projection/report.hpp"

namespace ritz::recluster {

namespace {

// The settings that were tried, a row each.
NamedColumns path_content(const Tuning& tuning) {
  RowMatrix rows(Index(tuning.path.size()), 9);
  for (Index i = 0; i < rows.rows(); ++i) {
    const TuneStep& step = tuning.path[std::size_t(i)];
    rows.row(i) << step.sigma, step.multiple, step.lambda, double(step.dimension), step.quality, step.separation,
        step.novelty, step.stability, step.score;
  }
  return {std::move(rows),
          {"sigma", "multiple", "lambda", "dimension", "quality", "separation", "novelty", "stability", "score"}};
}

void require_two(const Labels& given, const std::string& source) {
  if (given.classes() == 1)
    fail(ErrorCode::bad_data,
         "{}: all {} labels are '{}'; there is nothing to differ from: give at least two "
         "clusters",
         source, given.size(), given.names[0]);
}

// Clusterings in memory, in files, or as columns of a table of numbers.
std::vector<Labels> clusterings(const Inputs& inputs, Index rows, const RunContext& context) {
  std::vector<Labels> all;
  if (!inputs.has("given")) return all;
  if (const auto* table = std::get_if<RowMatrix>(&inputs.others.at("given"))) {
    for (Index c = 0; c < table->cols(); ++c) {
      std::vector<std::string> texts;
      for (Index i = 0; i < table->rows(); ++i) texts.push_back(number_text((*table)(i, c)));
      all.push_back(make_labels(texts));
    }
    return all;
  }
  if (inputs.words("given").empty()) all.push_back(inputs.labels("given", rows, context));
  for (const std::string& word : inputs.words("given")) {
    Inputs one{inputs.data, {{"given", std::vector{word}}}};
    all.push_back(one.labels("given", rows, context));
    require_two(all.back(), word);
  }
  return all;
}

}  // namespace

std::vector<InputRow> ReclusterTask::inputs() {
  return {{.name = "given",
           .help = "the clustering to differ from: a column of X, or a file with a label a line; may be repeated",
           .value_name = "NAME",
           .required = true,
           .repeated = true},
          {"truth", "file, or column of X, with labels that the found clusters are only compared with"}};
}

std::vector<Output<ReclusterTask>> ReclusterTask::outputs() {
  const auto view = [](const F& fit, Index v) -> const View& { return fit.result.views[std::size_t(v)]; };
  return {
      save("labels", "the clusters found, one a line",
           [view](const F& fit, Index v) { return view(fit, v).clusters->labels; }),
      save("projection", "W, a row a feature",
           [view](const F& fit, Index v) { return projection::loadings_content(view(fit, v).fit.W, view(fit, v)); }),
      save("embedding", "the samples in the new space, a row a sample",
           [view](const F& fit, Index v) { return projection::embedding_content(view(fit, v)); }),
      save("model", "model file for 'ritz transform', 'predict' and 'check'",
           [view](const F& fit, Index v) { return to_model(view(fit, v), fit.options); }),
      save("trace", "objective and movement of every round",
           [view](const F& fit, Index v) { return trace_content(view(fit, v).fit.summary.trace); }),
      save("path", "the settings that recluster.tune tried, with their scores",
           [view](const F& fit, Index v) {
             const std::optional<Tuning>& tuning = view(fit, v).tuning;
             return tuning ? std::optional(path_content(*tuning)) : std::nullopt;
           }),
      output<ReclusterTask>("path plot", "plot_path", FileForm::picture,
                            "picture (SVG or PNG) of these scores against the width of the kernel",
                            [view](const F& fit, Index v) {
                              const std::optional<Tuning>& tuning = view(fit, v).tuning;
                              return tuning ? std::optional(tuning_svg(*tuning)) : std::nullopt;
                            }),
      plot("picture (SVG or PNG) of the samples in the new subspace, coloured by the given and by the found clusters",
           [view](const F& fit, Index v) {
             if (fit.options.image_shape.empty()) return view_svg(view(fit, v), {}, {}, fit.data->ids);
             return view_svg(view(fit, v), cluster_means(*fit.data, view(fit, v).clusters->labels),
                             image_shape(fit.options.image_shape), fit.data->ids);
           })};
}

void ReclusterTask::settle(const TaskCall& call, const ReclusterOptions& options) {
  if (!options.tuning.tune && (call.files.contains("path") || call.files.contains("path plot")))
    fail(ErrorCode::bad_option,
         "recluster.save_path and recluster.plot_path show what recluster.tune tried; give recluster.tune");
  if (!options.image_shape.empty() && !call.files.contains("plot"))
    fail(ErrorCode::bad_option,
         "recluster.image_shape says how recluster.plot shows the mean of each cluster; give recluster.plot");
  asked_kernel(options);  // a slip is told before a large file is read
}

std::shared_ptr<const Dataset> ReclusterTask::read(const Inputs& inputs, const ReclusterOptions& options, Given& given,
                                                   const RunContext& context) {
  Inputs all = inputs;
  std::shared_ptr<const Dataset> data = dataset_and_columns(all, {"given", "truth"}, context);
  if (!options.image_shape.empty()) require_pixels(options.image_shape, data->cols());
  given.clusterings = clusterings(all, data->rows(), context);
  for (const Labels& each : given.clusterings) require_two(each, "recluster.given");
  given.truth = all.labels("truth", data->rows(), context);
  return data;
}

ReclusterResult ReclusterTask::fit(const Dataset& data, const Given& given, const ReclusterOptions& options,
                                   RunContext& context) {
  ReclusterResult found = recluster::fit(data, given, options, context);
  for (View& view : found.views) note_backend(view.fit.summary, context);
  return found;
}

KernelSum asked_kernel(const ReclusterOptions& options) {
  return projection::asked_kernel(options.kernel, options.sigma, ReclusterOptions::name);
}

ModelFile to_model(const View& found, const ReclusterOptions& options) {
  Json facts = view_json(found, options);
  for (const char* passing : {"tuning", "alternatives"}) facts["result"].erase(passing);
  return projection::to_model(ReclusterTask::method, found, std::move(facts));
}

}  // namespace ritz::recluster
