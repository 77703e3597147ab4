// SPDX-License-Identifier: MIT
#include "tasks/reduce/fit.hpp"

namespace ritz::reduce {

namespace {

// What is known before the fit.
ReduceResult described(const Dataset& data, const Guidance& guidance, const ReduceOptions& options) {
  ReduceResult found;
  found.mode = options.mode;
  found.n = data.rows();
  found.d = data.cols();
  found.classes = guidance.truth.size() > 0 ? guidance.truth : data.labels;
  found.feature_names = data.feature_names;
  return found;
}

// `notes`: what the reader said of the data.
void solve(ReduceResult& found, Problem& problem, const Guidance& guidance, const ReduceOptions& options,
           const std::vector<std::string>& notes, RunContext& context) {
  found.scaling = problem.scaling;
  found.kernel = problem.kernel;
  found.gamma = std::move(problem.gamma);
  if (finds_clusters(options.mode)) {
    fit_clusters(found, problem, guidance, options, context);
  } else {
    const ism::Problem pairs{problem.X.samples(), found.gamma, found.kernel};
    ism::Options how = options.how;
    how.dimension = options.dim.value;
    if (options.dim.value == 0) {
      const ism::DimensionChoice choice = ism::choose_dimension(pairs, most_dimensions(found.gamma, found.d), context);
      how.dimension = choice.dimension;
      problem.used["dimension"] = choice.reason;
    }
    RunContext inner = context.nested("ism");
    found.fit = ism::solve(pairs, how, inner);
  }
  found.gamma_trace = found.gamma.factor.trace();
  Summary& summary = found.fit.summary;
  summary.used.merge(problem.used);
  std::ranges::copy(notes, std::back_inserter(summary.notes));
  std::ranges::copy(problem.notes, std::back_inserter(summary.notes));
}

void interpret(Fitted& fitted, const ReduceOptions& options, RunContext& context) {
  ReduceResult& found = fitted.result;
  Interpretation& reading = found.reading;
  reading.relevance = feature_relevance(found.fit.W, found.fit.certificate.eigenvalues);
  const FittedProblem problem{fitted.prepared.X, found.gamma, found.kernel, found.fit};
  if (options.resampling.bootstrap > 0)
    reading.bootstrap = bootstrap(problem, options.how, options.resampling, context);
  if (options.sparse) reading.sparse = sparse_basis(problem, options.thinning, context);
}

}  // namespace

Fitted fit_once(const Dataset& data, const Guidance& guidance, const ReduceOptions& options, RunContext& context) {
  ReduceResult found = described(data, guidance, options);
  found.data_hash = data_hash(data);
  const PairSizes sizes = likely_sizes(data, guidance, options);
  require_memory(fit_bytes(data_bytes(data), sizes, asked_kernel(options), options, context), context,
                 fmt::format("reducing {} x {} to {} dimensions", data.rows(), data.cols(), sizes.q));
  if (options.holdout > 0 && (options.mode != Mode::supervised || data.labels.size() == 0))
    fail(ErrorCode::bad_option, "reduce.holdout classifies: it needs class labels and reduce.mode supervised");
  if (options.holdout == 0) {
    Problem problem = prepare(data, guidance, options, context);
    solve(found, problem, guidance, options, data.notes, context);
    found.embedding = problem.X.samples().project(found.fit.W, context.uninterrupted());
    return {std::move(found), std::move(problem)};
  }
  const Split split = stratified_split(data.labels, options.holdout, context.seed);
  found.fit_rows = split.train;
  found.holdout = {.train = Index(split.train.size()), .test = Index(split.test.size())};
  Dataset train = select_rows(data, split.train), test = select_rows(data, split.test);
  const Labels labels = train.labels;
  Problem problem = prepare(std::move(train), guidance, options, context);
  solve(found, problem, guidance, options, data.notes, context);
  try {
    evaluate_holdout(found, problem.X.samples(), labels, std::move(test), options.neighbours, context);
  } catch (const Interrupted& interrupted) {
    note(found.fit.summary.notes, "{} before the held-out samples were classified", interrupted.text());
  }
  const projection::ScaledSamples all(data, found.scaling);
  found.embedding = all.samples().project(found.fit.W, context.uninterrupted());
  return {std::move(found), std::move(problem)};
}

Fitted fit_part(Dataset&& data, const ReduceOptions& options, RunContext& context) {
  ReduceResult found = described(data, {}, options);
  const std::vector<std::string> notes = data.notes;
  Problem problem = prepare(std::move(data), {}, options, context);
  solve(found, problem, {}, options, notes, context);
  found.embedding = problem.X.samples().project(found.fit.W, context.uninterrupted());
  return {std::move(found), std::move(problem)};
}

ReduceResult fit(const Dataset& data, const Guidance& guidance, const ReduceOptions& options, RunContext& context) {
  ritz::check(options);
  ReduceOptions settled = options;
  settled.mode = mode_of(data, guidance, options);
  if (settled.mode == Mode::supervised) require_classes(data.labels, data.source);
  const std::vector<int> fold_of = asked_folds(data, settled, context);  // a slip is told at once
  std::optional<Choice> choice = choose(data, settled, context);
  Fitted fitted = fit_once(data, guidance, settled, context);
  ReduceResult& found = fitted.result;
  Summary& summary = found.fit.summary;
  if (choice) summary.used["kernel"] = choice->reason;
  found.choice = std::move(choice);
  try {  // an interruption from here on keeps the fit
    if (!fold_of.empty()) found.folds = evaluate_folds(data, fold_of, settled, context);
    interpret(fitted, settled, context);
  } catch (const Interrupted& interrupted) {
    note(summary.notes, "{} before the fit was evaluated and interpreted", interrupted.text());
  }
  return std::move(found);
}

double forecast(const Dataset& data, const Guidance& guidance, const ReduceOptions& options,
                const RunContext& context) {
  ReduceOptions settled = options;
  settled.mode = mode_of(data, guidance, options);
  return fit_bytes(data_bytes(data), likely_sizes(data, guidance, settled), widest_kernel(settled), settled, context);
}

}  // namespace ritz::reduce
