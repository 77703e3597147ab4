// SPDX-License-Identifier: MIT
#include "tasks/reduce/fit.hpp"

#include <future>

#include "base/stopwatch.hpp"
#include "linalg/dense/dense.hpp"
#include "pairs/bandwidth.hpp"
#include "ritz/base/random.hpp"
#include "ritz/linalg/products.hpp"
#include "tasks/projection/null.hpp"
#include "tasks/projection/report.hpp"

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

// The part of W's span in which the samples differ. Where columns depend on each other linearly, as the levels of a
// category do, there are directions along which all samples are alike. They add nothing to any distance, so that F
// likes them better than any that adds noise: a dimension in name only.
Matrix without_idle(const Samples& X, const Matrix& W, const RunContext& context) {
  constexpr double kIdle = 1e-12;  // of the largest variance
  RowMatrix Z = X.project(W, context);
  Z.rowwise() -= Z.colwise().mean().eval();
  const SymmetricEigen scatter = symmetric_eigen(transposed_product(Z, Z));
  const Index kept = (scatter.values.array() > kIdle * scatter.values[0]).count();
  return kept == 0 || kept == W.cols() ? W : Matrix(W * scatter.vectors.leftCols(kept));
}

// What is left of the directions where some are idle, as a fit of so many; which may turn to idle ones again.
void leave_idle_out(ism::Result& fit, const ism::Problem& pairs, ism::Options how, RunContext& context) {
  how.restarts = 0;
  while (fit.W.rows() != fit.W.cols() && fit.summary.converged()) {
    const Matrix start = without_idle(pairs.X, fit.W, context);
    if (start.cols() == fit.W.cols()) return;
    how.dimension = start.cols();
    const std::string first = fit.summary.used["start"];
    const int iterations = fit.summary.iterations;
    RunContext inner = context.nested(fmt::format("{} directions that are not idle", how.dimension));
    fit = ism::solve(pairs, how, inner, start);
    fit.summary.used["start"] = first;
    fit.summary.iterations += iterations;
  }
}

// `notes`: what the reader said of the data.
void solve(ReduceResult& found, Problem& problem, const Guidance& guidance, const ReduceOptions& options, Axes axes,
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
    RunContext inner = context.nested("ism");
    found.fit = ism::solve(pairs, how, inner);
    if (axes == Axes::at_most) leave_idle_out(found.fit, pairs, how, context);
  }
  found.gamma_trace = found.gamma.factor.trace();
  Summary& summary = found.fit.summary;
  summary.used.merge(problem.used);
  std::ranges::copy(notes, std::back_inserter(summary.notes));
  std::ranges::copy(problem.notes, std::back_inserter(summary.notes));
}

// The samples in the new space; W becomes loadings of the features.
void embed(ReduceResult& found, const projection::ScaledSamples& X, const RunContext& context) {
  found.embedding = X.samples().project(found.fit.W, context.uninterrupted());
  projection::bring_back(found);
}

void interpret(Fitted& fitted, const ReduceOptions& options, RunContext& context) {
  ReduceResult& found = fitted.result;
  Interpretation& reading = found.reading;
  reading.relevance = feature_relevance(found.fit.W, found.fit.certificate.eigenvalues);
  const FittedProblem problem{fitted.prepared.X, found.gamma, found.kernel, found.fitted_W(), found.scaling.frame};
  if (options.resampling.bootstrap > 0)
    reading.bootstrap = bootstrap(problem, options.how, options.resampling, context);
  if (options.sparse) reading.sparse = sparse_basis(problem, options.thinning, context);
}

// The same rows of all sides; a Gaussian of median width on each side that has numbers.
dependence::Null shuffled_guidance(const Samples& X, const Labels& labels, const RowMatrix& targets,
                                   const RunContext& context) {
  constexpr dependence::FactorOptions kRough{.tolerance = 1e-2, .max_rank = 40};
  const std::vector<Index> rows = Rng(context.seed, "reduce/null").sample(X.rows(), std::min(X.rows(), kNullRows));
  const RowMatrix some = projection::some_rows(X, rows);
  const auto side = [&](const RowMatrix& values) {
    const Samples samples(values);
    const KernelSum kernel = resolve_bandwidths(parse_kernel("gaussian(sigma=median)"), samples, context).kernel;
    return dependence::kernel_side(samples, kernel, kRough, context).factor;
  };
  Labels known{{}, labels.names};
  if (targets.size() == 0)
    for (const Index i : rows) known.of.push_back(labels.of[std::size_t(i)]);
  const Matrix A = side(some),
               B = targets.size() > 0 ? side(targets(rows, Eigen::all)) : dependence::label_side(known).factor;
  dependence::Null null;
  null.observed = dependence::hsic(A, B);
  const Matrix drawn = dependence::shuffled_statistics(A, {{0, A.cols()}}, B, {0, kNullShuffles}, context);
  null.drawn.assign(drawn.data(), drawn.data() + drawn.size());
  return null;
}

// The hash of many samples in memory is taken beside the fit, which does not wait for it.
class HashOfData {
 public:
  explicit HashOfData(const Dataset& data) {
    constexpr double kMany = 1e6;
    const bool beside = !data.stored() && double(data.rows()) * double(data.cols()) >= kMany;
    hash_ = std::async(beside ? std::launch::async : std::launch::deferred, [&data] { return data_hash(data); });
  }
  std::string get() { return hash_.get(); }

 private:
  std::future<std::string> hash_;
};

}  // namespace

Axes axes_of(const ReduceOptions& open) {
  return open.dim.value == 0 && open.preset != Preset::paper && !finds_clusters(open.mode) ? Axes::at_most
                                                                                           : Axes::as_many;
}

Fitted fit_once(const Dataset& data, const Guidance& guidance, const ReduceOptions& options, RunContext& context,
                Axes axes) {
  ReduceResult found = described(data, guidance, options);
  HashOfData hash(data);
  const PairSizes sizes = likely_sizes(data, guidance, options);
  require_memory(fit_bytes(data_bytes(data), sizes, asked_kernel(options), options, context), context,
                 fmt::format("reducing {} x {} to {} dimensions", data.rows(), data.cols(), sizes.q));
  if (options.holdout == 0) {
    Problem problem = prepare(data, guidance, options, context);
    solve(found, problem, guidance, options, axes, data.notes, context);
    embed(found, problem.X, context);
    found.targets = guidance.targets;
    found.data_hash = hash.get();
    return {std::move(found), std::move(problem)};
  }
  const Split split = holdout_split(data, options.holdout, context.seed);
  const Guidance trained = select_rows(guidance, split.train);
  found.fit_rows = split.train;
  found.holdout = {.train = Index(split.train.size()), .test = Index(split.test.size())};
  Problem problem = prepare(select_rows(data, split.train), trained, options, context);
  solve(found, problem, trained, options, axes, data.notes, context);
  embed(found, projection::ScaledSamples(data, found.scaling), context);
  found.targets = trained.targets;
  try {
    evaluate_holdout(found, data, guidance, split, options.neighbours, context);
  } catch (const Interrupted& interrupted) {
    note(found.fit.summary.notes, "{} before the held-out samples were predicted", interrupted.text());
  }
  found.data_hash = hash.get();
  return {std::move(found), std::move(problem)};
}

Fitted fit_part(Dataset&& data, const Guidance& guidance, const ReduceOptions& options, Axes axes,
                RunContext& context) {
  ReduceResult found = described(data, guidance, options);
  const std::vector<std::string> notes = data.notes;
  Problem problem = prepare(std::move(data), guidance, options, context);
  solve(found, problem, guidance, options, axes, notes, context);
  embed(found, problem.X, context);
  return {std::move(found), std::move(problem)};
}

Guidance select_rows(const Guidance& guidance, const std::vector<Index>& rows) {
  Guidance some;
  if (guidance.targets.size() > 0) some.targets = guidance.targets(rows, Eigen::all);
  if (guidance.scores.size() > 0) some.scores = guidance.scores(rows, Eigen::all);
  return some;
}

ReduceResult fit(const Dataset& data, const Guidance& guidance, const ReduceOptions& options, RunContext& context) {
  ritz::check(options);
  ReduceOptions settled = options;
  settled.mode = mode_of(data, guidance, options);
  if (settled.mode == Mode::supervised) require_classes(data.labels, data.source);
  const std::vector<int> fold_of = asked_folds(data, guidance, settled, context);  // a slip is told at once
  if (settled.holdout > 0 && finds_clusters(settled.mode))
    fail(ErrorCode::bad_option,
         "reduce.holdout predicts: it needs class labels or targets, and reduce.mode supervised");
  if (settled.features > 0) require_few(data, settled);
  std::string counted;
  if (settled.clusters.automatic()) {
    if (!finds_clusters(settled.mode))
      fail(ErrorCode::bad_option, "reduce.clusters goes with reduce.mode unsupervised or semi");
    const projection::Prepared ready = projection::prepare(data, Scaling::standard, parse_kernel("linear"), context);
    const CountedClusters found = projection::cluster_count(ready.X.samples(), context);
    settled.clusters = found.count;
    counted = found.reason;
  }
  const ReduceOptions open = settled;
  const Stopwatch watch;
  ReduceResult chosen;
  if (settled.holdout > 0) {  // what is held out has no part in the choice
    const Split split = holdout_split(data, settled.holdout, context.seed);
    choose_all(select_rows(data, split.train), select_rows(guidance, split.train), settled, &chosen, context);
  } else {
    choose_all(data, guidance, settled, &chosen, context);
  }
  const double choosing = watch.seconds();
  Fitted fitted = fit_once(data, guidance, settled, context, axes_of(open));
  ReduceResult& found = fitted.result;
  Summary& summary = found.fit.summary;
  if (const Index kept = found.fit.W.cols(); axes_of(open) == Axes::at_most && kept < settled.dim.value) {
    note(summary.notes,
         "{} of the {} dimensions are left out: columns depend on each other linearly, and all samples "
         "are alike there",
         settled.dim.value - kept, settled.dim.value);
    settled.dim.value = kept;
  }
  if (!counted.empty()) summary.used["clusters"] = counted;
  if (data.stored())
    summary.used["samples"] = fmt::format("in their file, read a block of rows at a time: in memory they would take {}",
                                          bytes_text(8.0 * double(data.rows()) * double(data.cols())));
  if (chosen.choice) summary.used["kernel"] = chosen.choice->reason;
  if (chosen.setting) summary.used["setting"] = chosen.setting->reason;
  if (chosen.choice || chosen.setting) summary.seconds["choice"] = choosing;
  found.choice = std::move(chosen.choice);
  found.setting = std::move(chosen.setting);
  found.scale = settled.scale;
  found.shrinkage = settled.shrinkage;
  found.whiten_by = settled.whiten_by;
  try {  // an interruption from here on keeps the fit
    if (!fold_of.empty()) {
      const PhaseTimer timer(summary.seconds, "folds");
      found.folds = evaluate_folds(data, guidance, fold_of, open, context);
    }
    interpret(fitted, settled, context);
    if (settled.features > 0) {
      const PhaseTimer timer(summary.seconds, "features");
      found.reading.few = few_features(data, guidance, settled, found.reading.relevance, context);
    }
    const PhaseTimer timer(summary.seconds, "null");
    if (finds_clusters(settled.mode)) {
      found.null = shuffled_clusters(fitted.prepared.X.samples(), found.kernel, settled, context);
      projection::look_at_columns(*found.null, found.fit_rows.empty() ? data : select_rows(data, found.fit_rows),
                                  found.clusters->labels, context);
    } else {
      const Labels labels = found.fit_rows.empty() ? data.labels : select_rows(data, found.fit_rows).labels;
      found.null = shuffled_guidance(fitted.prepared.X.samples(), labels, found.targets, context);
    }
  } catch (const Interrupted& interrupted) {
    note(summary.notes, "{} before the fit was evaluated and interpreted", interrupted.text());
  }
  return std::move(found);
}

double forecast(const Dataset& data, const Guidance& guidance, const ReduceOptions& options,
                const RunContext& context) {
  ReduceOptions settled = options;
  settled.mode = mode_of(data, guidance, options);
  if (settled.clusters.automatic()) settled.clusters = 10;  // the most that are counted
  return fit_bytes(data_bytes(data), likely_sizes(data, guidance, settled), widest_kernel(settled), settled, context);
}

}  // namespace ritz::reduce
