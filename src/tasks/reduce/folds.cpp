// SPDX-License-Identifier: MIT

#include <numeric>

#include "base/stopwatch.hpp"
#include "metrics/statistics.hpp"
#include "metrics/svm.hpp"
#include "ritz/base/random.hpp"
#include "tasks/reduce/told.hpp"

namespace ritz::reduce {

namespace {

// Checked before the first fit: a split that cannot be evaluated must not show after an hour.
std::vector<Index> checked_sizes(const Labels& labels, const std::vector<int>& fold_of, Index n, bool targets) {
  if (!targets && labels.size() != n)
    fail(ErrorCode::bad_shape, "folds need a label for each of {} samples; there are {}", n, labels.size());
  if (Index(fold_of.size()) != n)
    fail(ErrorCode::bad_shape, "there are {} fold numbers for {} samples", fold_of.size(), n);
  const auto [lowest, highest] = std::ranges::minmax(fold_of);
  if (lowest < 0) fail(ErrorCode::bad_data, "fold {}; folds count from 0", lowest);
  std::vector<Index> sizes(std::size_t(highest) + 1);
  for (const int fold : fold_of) ++sizes[std::size_t(fold)];
  if (sizes.size() < 2) fail(ErrorCode::bad_data, "all samples are in one fold; at least two folds are needed");
  for (std::size_t f = 0; f < sizes.size(); ++f)
    if (sizes[f] == 0) fail(ErrorCode::bad_data, "fold {} has no samples to test on", f);
  if (targets) return sizes;
  std::vector<std::vector<Index>> inside(std::size_t(labels.classes()), std::vector<Index>(sizes.size()));
  for (std::size_t i = 0; i < fold_of.size(); ++i) ++inside[std::size_t(labels.of[i])][std::size_t(fold_of[i])];
  const std::vector<Index> counts = labels.counts();
  for (std::size_t c = 0; c < inside.size(); ++c)
    for (std::size_t f = 0; f < sizes.size(); ++f)
      if (counts[c] > 0 && inside[c][f] == counts[c])
        fail(ErrorCode::bad_data, "class '{}' ({} sample{}) lies in fold {} as a whole: none is left to train on",
             labels.names[c], counts[c], counts[c] == 1 ? "" : "s", f);
  return sizes;
}

// K_ii, where it is the same for every sample: kernels of differences.
std::optional<double> kernel_diagonal(const KernelSum& kernel) {
  double diagonal = 0;
  for (const KernelTerm& term : kernel) {
    if (form_of(term.kernel) != PairForm::difference) return std::nullopt;
    diagonal += term.weight * value_at_zero(term.kernel);
  }
  return diagonal;
}

// All rows scaled once; sparse data become dense.
Dataset scaled_copy(const Dataset& data, Scaling scale, const RunContext& context) {
  const double needed = 8.0 * double(data.rows()) * double(data.cols());
  if (data.sparse() && needed > 0.25 * double(context.max_memory))
    fail(ErrorCode::memory,
         "scaling once makes sparse data dense, which takes {} and again as much "
         "for the training parts; scale each training part instead",
         bytes_text(needed));
  const ColumnScaling scaling = learn_scaling(data, scale == Scaling::automatic ? Scaling::standard : scale);
  Dataset copy = data;
  if (!data.sparse()) {
    apply_scaling(scaling, copy.dense());
    return copy;
  }
  RowMatrix dense;
  projection::ScaledSamples(data, scaling).samples().rows_block({0, data.rows()}, dense);
  copy.samples = std::move(dense);
  return copy;
}

// Rows of each class.
std::vector<std::vector<Index>> members_of(const Labels& labels) {
  std::vector<std::vector<Index>> members(std::size_t(labels.classes()));
  for (Index i = 0; i < labels.size(); ++i) members[std::size_t(labels.of[std::size_t(i)])].push_back(i);
  return members;
}

// work(all features of both), unless sparse ones would take too much memory when dense, which a note says.
template <class Work>
void with_all_features(const Samples& train, const Samples& test, double sparse_size, std::string_view what,
                       std::vector<std::string>& notes, const RunContext& context, const Work& work) {
  if (8 * sparse_size > 0.5 * double(context.max_memory)) {
    note(notes, "{} with all features is left out: dense, they would take {}", what, bytes_text(8 * sparse_size));
    return;
  }
  RowMatrix from, to;
  const double *train_rows = train.rows_block({0, train.rows()}, from),
               *test_rows = test.rows_block({0, test.rows()}, to);
  work(Space{Eigen::Map<const RowMatrix>(train_rows, train.rows(), train.cols()),
             Eigen::Map<const RowMatrix>(test_rows, test.rows(), test.cols())});
}

// All scaled features of both parts, as no frame has touched them.
template <class Work>
void with_scaled_features(const ReduceResult& found, const Dataset& data, const Split& parts, std::string_view what,
                          std::vector<std::string>& notes, const RunContext& context, const Work& work) {
  const ColumnScaling plain{found.scaling.mean, found.scaling.factor, {}};
  const projection::ScaledSamples train(select_rows(data, parts.train), plain),
      test(select_rows(data, parts.test), plain);
  with_all_features(train.samples(), test.samples(),
                    data.sparse() || data.stored() ? double(data.rows()) * double(data.cols()) : 0, what, notes,
                    context, work);
}

void judge_svm(const Told& told, const Space& space, FoldMeasure& svm, std::vector<std::string>& notes,
               const RunContext& context) {
  if (told.numbers()) return;
  const std::string objection = svm_objection(space.train.rows(), space.train.cols(), context);
  if (objection.empty())
    svm.values.back() = svm_accuracy(space.train, told.train_labels, space.test, told.test_labels, {}, context);
  else
    note(notes, "the support vector machine with {} features is left out: {}", space.train.cols(), objection);
}

std::vector<FoldMeasure FoldReport::*> measures() {
  return {&FoldReport::objective,  &FoldReport::zero_diagonal,    &FoldReport::dimension,
          &FoldReport::iterations, &FoldReport::seconds,          &FoldReport::knn,
          &FoldReport::svm,        &FoldReport::knn_all_features, &FoldReport::svm_all_features,
          &FoldReport::partial,    &FoldReport::least_squares};
}

void evaluate_fold(FoldReport& report, const Dataset& data, const Guidance& guidance, const Split& parts,
                   const ReduceOptions& options, RunContext& context) {
  const Stopwatch watch;
  Dataset train = select_rows(data, parts.train);
  const Guidance trained = select_rows(guidance, parts.train);
  train.notes.clear();
  ReduceOptions settled = options;
  choose_all(train, trained, settled, nullptr, context);
  const Fitted fitted = fit_part(std::move(train), trained, settled, axes_of(options), context);
  const ReduceResult& found = fitted.result;
  const Summary& summary = found.fit.summary;
  throw_if_interrupted(summary.termination);
  report.objective.values.back() = summary.objective;
  if (const auto diagonal = kernel_diagonal(found.kernel))
    report.zero_diagonal.values.back() = summary.objective - *diagonal * found.gamma_trace;
  report.dimension.values.back() = double(found.fit.W.cols());
  report.iterations.values.back() = summary.iterations;
  report.seconds.values.back() = watch.seconds();
  std::ranges::copy(summary.notes, std::back_inserter(report.notes));

  const projection::ScaledSamples test(select_rows(data, parts.test), found.scaling);
  const Told told(data, guidance, parts, options.neighbours);
  report.neighbours = told.neighbours;
  const RowMatrix held = test.samples().project(found.fitted_W(), context);
  const Space reduced{found.embedding, held};
  report.knn.values.back() = told.knn(reduced, context);
  if (options.splitting.svm) judge_svm(told, reduced, report.svm, report.notes, context);
  if (!options.splitting.all_features) return;
  with_scaled_features(found, data, parts, "prediction", report.notes, context, [&](const Space& all) {
    report.knn_all_features.values.back() = told.knn(all, context);
    if (options.splitting.svm) judge_svm(told, all, report.svm_all_features, report.notes, context);
    if (!told.numbers()) return;
    report.least_squares.values.back() = told.explained(least_squares(all.train, told.train_targets, all.test));
    report.partial.values.back() =
        told.explained(partial_least_squares(all.train, told.train_targets, all.test, found.fit.W.cols()));
  });
}

// The last fold of the report, by itself: the next stage of a run that may be killed.
struct OneFold {
  FoldReport report;
  void keep(Archive& archive) {
    for (FoldMeasure FoldReport::*measure : measures()) archive((report.*measure).values);
    archive(report.neighbours, report.notes);
  }
};

void add(FoldReport& all, OneFold&& one) {
  for (FoldMeasure FoldReport::*measure : measures())
    (all.*measure).values.push_back((one.report.*measure).values.back());
  all.neighbours = one.report.neighbours;
  std::ranges::move(one.report.notes, std::back_inserter(all.notes));
}

void keep_first_of_each(std::vector<std::string>& notes) {
  std::vector<std::string> kept;
  for (std::string& note : notes)
    if (std::ranges::find(kept, note) == kept.end()) kept.push_back(std::move(note));
  notes = std::move(kept);
}

}  // namespace

std::vector<int> stratified_folds(const Labels& labels, Index count, std::uint64_t seed) {
  if (count < 2 || count > labels.size())
    fail(ErrorCode::bad_option, "reduce.folds is {}; it must lie in [2, {}], the number of samples", count,
         labels.size());
  std::vector<int> fold_of(std::size_t(labels.size()));
  Rng rng(seed, "folds");
  Index next = 0;  // goes on from class to class, so that the remainders do not all fall to the first folds
  for (const std::vector<Index>& rows : members_of(labels))
    for (const Index place : rng.permutation(Index(rows.size())))
      fold_of[std::size_t(rows[std::size_t(place)])] = int(next++ % count);
  return fold_of;
}

std::vector<int> read_folds(const std::string& path, Index n, const RunContext& context) {
  const Labels read = read_labels(path, context);
  for (const std::string& name : read.names)
    if (const auto number = read_double(name); !number || *number != std::floor(*number))
      fail(ErrorCode::bad_file, "{}: fold '{}' is not a whole number", path, name);
  if (read.size() != n) fail(ErrorCode::bad_shape, "{} has {} fold numbers for {} samples", path, read.size(), n);
  if (read.classes() < 2)
    fail(ErrorCode::bad_data, "{}: all samples are in fold {}; at least two folds are needed", path,
         read.names.empty() ? "" : read.names.front());
  return read.of;
}

double FoldMeasure::mean() const { return ritz::mean(finite(values)); }
double FoldMeasure::deviation() const { return ritz::deviation(finite(values)); }

std::vector<int> dealt_folds(const Dataset& data, Index count, std::uint64_t seed) {
  if (data.labels.size() > 0) return stratified_folds(data.labels, count, seed);
  return stratified_folds({std::vector<int>(std::size_t(data.rows())), {""}}, count, seed);
}

std::vector<int> asked_folds(const Dataset& data, const Guidance& guidance, const ReduceOptions& options,
                             const RunContext& context) {
  const FoldOptions& asked = options.splitting;
  if (asked.folds == 0 && asked.fold_file.empty()) return {};
  if ((data.labels.size() == 0 && guidance.targets.size() == 0) || finds_clusters(options.mode))
    fail(ErrorCode::bad_option, "reduce.folds predicts: it needs class labels or targets, and reduce.mode supervised");
  if (asked.fold_file.empty()) return dealt_folds(data, asked.folds, context.seed);
  std::vector<int> read = read_folds(asked.fold_file, data.rows(), context);
  const Index count = 1 + std::ranges::max(read);
  if (asked.folds > 0 && asked.folds != count)
    fail(ErrorCode::bad_option, "reduce.folds is {}, but {} names {} folds", asked.folds, asked.fold_file, count);
  return read;
}

FoldReport evaluate_folds(const Dataset& data, const std::vector<int>& fold_of, const ReduceOptions& options,
                          RunContext& context) {
  return evaluate_folds(data, {}, fold_of, options, context);
}

FoldReport evaluate_folds(const Dataset& data, const Guidance& guidance, const std::vector<int>& fold_of,
                          const ReduceOptions& options, RunContext& context) {
  ritz::check(options);
  FoldReport report;
  report.test_sizes = checked_sizes(data.labels, fold_of, data.rows(), guidance.targets.size() > 0);
  report.count = int(report.test_sizes.size());
  report.scaled_once = options.splitting.scale_once;
  ReduceOptions inner = options;
  inner.mode = Mode::supervised;
  inner.holdout = 0;
  inner.how.curvature = Effort::never;  // certificates of the folds are not looked at
  // The data, its parts, and what a fit takes.
  const double held = 1 + projection::samples_held(data.sparse(), options.scale);
  require_memory(projection::fit_bytes(held * data_bytes(data), likely_sizes(data, guidance, inner),
                                       widest_kernel(options), context),
                 context, fmt::format("an evaluation by folds of {} x {}", data.rows(), data.cols()));
  std::optional<Dataset> scaled;
  if (report.scaled_once && options.scale != Scaling::none) {
    scaled = scaled_copy(data, options.scale, context);
    inner.scale = Scaling::none;
  }
  for (int fold = 0; fold < report.count; ++fold) {
    RunContext nested = context.nested(fmt::format("fold {} of {}", fold + 1, report.count));
    try {
      add(report, stage(nested, "fold", [&] {
            OneFold one;
            for (FoldMeasure FoldReport::*measure : measures()) (one.report.*measure).values.push_back(kUnknown);
            evaluate_fold(one.report, scaled ? *scaled : data, guidance, parts_of(fold_of, fold), inner, nested);
            return one;
          }));
    } catch (const Interrupted& interrupted) {
      note(report.notes, "{} after {} of {} folds", interrupted.text(), fold, report.count);
      break;
    }
    ++report.finished;
  }
  keep_first_of_each(report.notes);
  return report;
}

// --- a part of each class held out ----------------------------------------------------------------------------------

Split stratified_split(const Labels& labels, double share, std::uint64_t seed) {
  Split split;
  Rng rng(seed, "holdout");
  for (const std::vector<Index>& rows : members_of(labels)) {
    const auto test = Index(std::floor(share * double(rows.size())));
    const std::vector<Index> order = rng.permutation(Index(rows.size()));
    for (std::size_t i = 0; i < rows.size(); ++i)
      (Index(i) < test ? split.test : split.train).push_back(rows[std::size_t(order[i])]);
  }
  std::ranges::sort(split.train);
  std::ranges::sort(split.test);
  if (split.test.empty())
    fail(ErrorCode::bad_option, "reduce.holdout {} leaves no sample to test on; the largest class has {} samples",
         share, std::ranges::max(labels.counts()));
  return split;
}

Split holdout_split(const Dataset& data, double share, std::uint64_t seed) {
  if (data.labels.size() > 0) return stratified_split(data.labels, share, seed);
  return stratified_split({std::vector<int>(std::size_t(data.rows())), {""}}, share, seed);
}

void evaluate_holdout(ReduceResult& found, const Dataset& data, const Guidance& guidance, const Split& split,
                      Index neighbours, const RunContext& context) {
  const Told told(data, guidance, split, neighbours);
  HoldoutReport& report = found.holdout;
  report.neighbours = told.neighbours;
  const RowMatrix train = found.embedding(split.train, Eigen::all), test = found.embedding(split.test, Eigen::all);
  report.accuracy_after = told.knn({train, test}, context);
  with_scaled_features(found, data, split, "k-NN", found.fit.summary.notes, context, [&](const Space& all) {
    report.accuracy_before = told.knn(all, context);
    if (!told.numbers()) return;
    report.least_squares = told.explained(least_squares(all.train, told.train_targets, all.test));
    report.partial = told.explained(partial_least_squares(all.train, told.train_targets, all.test, found.fit.W.cols()));
  });
}

}  // namespace ritz::reduce
