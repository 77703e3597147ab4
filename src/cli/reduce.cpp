// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <cmath>
#include <memory>

#include "cli/flags.hpp"
#include "cli/reduce_inputs.hpp"
#include "cli/reduce_text.hpp"
#include "cli/session.hpp"
#include "tasks/reduce/choose.hpp"
#include "tasks/reduce/choose_json.hpp"
#include "tasks/reduce/folds.hpp"
#include "tasks/reduce/folds_json.hpp"
#include "tasks/reduce/interpret.hpp"
#include "tasks/reduce/interpret_json.hpp"
#include "tasks/reduce/json.hpp"
#include "tasks/reduce/model.hpp"
#include "tasks/reduce/plot.hpp"
#include "tasks/reduce/prepare.hpp"

namespace ritz::cli {

namespace {

struct Flags {
  RunOptions run;
  DataFlags data;
  GuidanceFlags guidance;
  ReduceOptions reduce;
  ism::Options ism;
  FoldOptions folds;
  ChooseOptions choose;
  BootstrapOptions bootstrap;
  SparseOptions sparse;
  bool want_sparse = false;
  std::string json;  // empty: none, "-": standard output
  std::string projection, embedding, labels, model, plot, trace, sparse_projection;
};

// What was found beside the projection itself.
struct Extras {
  std::optional<Choice> choice;
  std::optional<FoldReport> folds;
  Interpretation reading;
};

ScatterPlot plot_of(const Reduction& reduction) {
  return embedding_plot(
      reduction, reduction.clusters ? reduction.clusters->labels : reduction.classes,
      fmt::format("{} samples in {} of {} dimensions", reduction.n, reduction.fit.W.cols(), reduction.d),
      short_kernel_text(reduction.kernel));
}

std::vector<std::string> axis_names(Index q) {
  std::vector<std::string> names;
  for (Index a = 1; a <= q; ++a) names.push_back(fmt::format("axis{}", a));
  return names;
}

bool is_auto(const std::string& text) { return text == "auto"; }

// Where the kernel or its width is left to the program: tries some, and puts the choice into the options.
std::optional<Choice> choose(Flags& flags, const Dataset& data, RunContext& context) {
  ReduceOptions& options = flags.reduce;
  if (!is_auto(options.kernel) && !is_auto(options.sigma)) return std::nullopt;
  if (data.labels.size() == 0 || options.mode == Mode::unsupervised || options.mode == Mode::semi)
    throw Error(ErrorCode::bad_option, "--kernel auto and --sigma auto judge by class labels: give --labels FILE");
  if (is_auto(options.kernel) && !options.sigma.empty())
    throw Error(ErrorCode::bad_option, "--kernel auto tries widths of its own; leave --sigma out");
  const bool width = is_auto(options.sigma);
  options.sigma.clear();
  const Scorer score = make_scorer(data, options, flags.ism, flags.choose, context.seed);
  const ScoreText say = score_text(flags.choose, options);
  Choice choice = width ? choose_sigma(options.kernel, score, say, context) : choose_kernel(score, say, context);
  options.kernel = choice.kernel;
  return choice;
}

// Folds as asked for, made or read before the fit so that a slip is told at once; empty: none.
std::vector<int> asked_folds(const Flags& flags, const Dataset& data, const RunContext& context) {
  const FoldOptions& folds = flags.folds;
  if (folds.folds == 0 && folds.fold_file.empty()) return {};
  if (data.labels.size() == 0 || flags.reduce.mode == Mode::unsupervised || flags.reduce.mode == Mode::semi)
    throw Error(ErrorCode::bad_option, "--folds classifies: it needs class labels and --mode supervised");
  if (!folds.fold_file.empty()) {
    std::vector<int> read = read_folds(folds.fold_file, data.rows(), context);
    const Index count = 1 + std::ranges::max(read);
    if (folds.folds > 0 && folds.folds != count)
      throw Error(ErrorCode::bad_option,
                  fmt::format("--folds is {}, but {} names {} folds", folds.folds, folds.fold_file, count));
    return read;
  }
  if (folds.folds < 2 || folds.folds > data.rows())
    throw Error(ErrorCode::bad_option,
                fmt::format("--folds is {}; it must lie in [2, {}], the number of samples", folds.folds, data.rows()));
  return stratified_folds(data.labels, folds.folds, context.seed);
}

Interpretation interpret(const Flags& flags, const Reduction& reduction, const Dataset& data, RunContext& context) {
  Interpretation reading;
  reading.feature_names = reduction.feature_names;
  reading.W = reduction.fit.W;
  reading.relevance = feature_relevance(reduction.fit.W, reduction.fit.certificate.eigenvalues);
  const bool sparse = flags.want_sparse || !flags.sparse_projection.empty();
  if (flags.bootstrap.bootstrap == 0 && !sparse) return reading;
  std::optional<Dataset> fitted;
  if (!reduction.fit_rows.empty()) fitted = select_rows(data, reduction.fit_rows);
  const FittedProblem problem{fitted ? *fitted : data, reduction.scaling, reduction.gamma, reduction.kernel,
                              reduction.fit};
  if (flags.bootstrap.bootstrap > 0) reading.bootstrap = bootstrap(problem, flags.ism, flags.bootstrap, context);
  if (sparse) reading.sparse = sparse_basis(problem, flags.sparse, context);
  return reading;
}

Json all_json(const Flags& flags, const Reduction& reduction, const Extras& extras) {
  Json json = reduction_json(reduction, flags.reduce, flags.ism);
  json["options"].update(options_json(flags.folds));
  json["options"].update(options_json(flags.choose));
  json["options"].update(options_json(flags.bootstrap));
  json["options"].update(options_json(flags.sparse));
  if (extras.choice) {
    json["result"]["choice"] = choice_json(*extras.choice, score_text(flags.choose, flags.reduce));
    json["used"]["kernel"] = extras.choice->reason;
  }
  if (extras.folds) json["result"]["folds"] = folds_json(*extras.folds);
  json["result"].update(interpretation_json(extras.reading));
  return json;
}

void write_files(const Flags& flags, const Reduction& reduction, const Extras& extras) {
  if (!flags.projection.empty()) write_matrix(flags.projection, RowMatrix(reduction.fit.W));
  if (!flags.sparse_projection.empty())
    write_matrix(flags.sparse_projection, RowMatrix(extras.reading.sparse.loadings));
  if (!flags.embedding.empty())
    write_matrix(flags.embedding, reduction.embedding, axis_names(reduction.embedding.cols()));
  if (!flags.labels.empty()) write_labels(flags.labels, reduction.clusters->labels);
  if (!flags.model.empty()) save_model(flags.model, to_model(reduction, flags.reduce, flags.ism));
  if (!flags.plot.empty())
    write_atomically(flags.plot, [&](std::ostream& out) { out << scatter_svg(plot_of(reduction)); });
  if (!flags.trace.empty()) write_trace(flags.trace, reduction.fit.summary.trace);
}

ExitStatus work(Flags& flags) {
  const Outputs files = {{"projection", flags.projection}, {"sparse projection", flags.sparse_projection},
                         {"embedding", flags.embedding},   {"labels", flags.labels},
                         {"model", flags.model},           {"plot", flags.plot},
                         {"trace", flags.trace},           {"json", flags.json}};
  require_outputs(files);  // now rather than after hours of work
  RunContext context = make_context(flags.run);
  Reduction reduction;
  Extras extras;
  {
    const bool rounds =
        flags.reduce.mode == Mode::unsupervised || flags.reduce.mode == Mode::semi || !flags.guidance.scores.empty();
    const ProgressLine progress(flags.run, context, rounds ? flags.reduce.round_tolerance : flags.ism.tolerance);
    // A slip there is told before a large file is read.
    if (!is_auto(flags.reduce.kernel) && !is_auto(flags.reduce.sigma)) asked_kernel(flags.reduce);
    Dataset data = read_data(flags.data, context);
    const Guidance guidance = read_guidance(flags.guidance, flags.reduce.mode, data, context);
    if (mode_of(data, flags.reduce, guidance) == Mode::supervised) {
      if (!flags.labels.empty())
        throw Error(ErrorCode::bad_option, "--save-labels writes the clusters of --mode unsupervised or semi");
      if (data.labels.classes() == 1 && data.rows() > 1)
        throw Error(ErrorCode::bad_data, fmt::format("{}: all {} labels are '{}'; at least two classes are needed",
                                                     flags.data.labels.empty() ? flags.data.path : flags.data.labels,
                                                     data.labels.size(), data.labels.names[0]));
    }
    const std::vector<int> folds = asked_folds(flags, data, context);
    extras.choice = choose(flags, data, context);
    reduction = reduce(data, flags.reduce, flags.ism, context, guidance);
    try {  // Ctrl-C from here on keeps the fit
      if (!folds.empty()) extras.folds = evaluate_folds(data, folds, flags.reduce, flags.ism, flags.folds, context);
      extras.reading = interpret(flags, reduction, data, context);
    } catch (const Interrupted& interrupted) {
      reduction.fit.summary.notes.push_back(
          fmt::format("{} before the fit was evaluated and interpreted", interrupted.text()));
      extras.reading.feature_names = reduction.feature_names;
    }
  }
  write_files(flags, reduction, extras);
  std::string text = summary_text(reduction);
  if (extras.choice) text += fmt::format("  {:<12} {}\n", "choice", extras.choice->reason);
  if (extras.folds) text += folds_text(*extras.folds, reduction.d);
  text += interpretation_text(extras.reading);
  double seconds = 0;
  for (const auto& [phase, part] : reduction.fit.summary.seconds) seconds += part;
  say(flags.run, text + fmt::format("  {:<12} {:.2f} s\n", "time", seconds));
  Json json = all_json(flags, reduction, extras);
  Outputs written = files;
  std::erase_if(written, [](const auto& file) { return file.first == "json"; });
  list_outputs(flags.run, written, json);
  print_json(flags.json, json);
  // Ctrl-C after the last iteration has cost the second-order certificate, the folds or the resamples.
  return interrupted_by_user() ? ExitStatus::interrupted : status_of(reduction.fit.summary);
}

}  // namespace

Verb add_reduce(CLI::App& root) {
  auto flags = std::make_shared<Flags>();
  CLI::App& app = *root.add_subcommand(
      "reduce",
      "Interpretable projection: the few directions of the data that tell classes apart, explain numbers, or show "
      "clusters (ISM)");
  add_data_flags(app, flags->data, true);
  add_guidance_flags(app, flags->guidance);
  add_fields(app, flags->reduce);
  add_fields(app, flags->ism, {"dimension"});
  add_fields(app, flags->choose);
  add_fields(app, flags->folds, {"svm", "all_features"});
  add_fields(app, flags->bootstrap);
  app.add_flag("--sparse", flags->want_sparse, "rotate the axes towards few loadings (varimax) and drop small ones");
  add_fields(app, flags->sparse);
  add_output(app, "--save-projection", flags->projection, "W, a row a feature");
  add_output(app, "--save-sparse-projection", flags->sparse_projection, "the sparse loadings, a row a feature");
  add_output(app, "--save-embedding", flags->embedding, "the samples in the new space, a row a sample");
  add_output(app, "--save-labels", flags->labels, "the clusters found, one a line");
  add_output(app, "--save-model", flags->model, "model file for 'ritz transform', 'predict' and 'check'");
  add_output(app, "--save-trace", flags->trace, "objective and residual of every iteration");
  add_output(app, "--plot", flags->plot, "SVG picture of the samples in the first two new dimensions");
  add_run_flags(app, flags->run, flags->json);
  return [flags] { return work(*flags); };
}

}  // namespace ritz::cli
