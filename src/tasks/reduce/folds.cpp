// SPDX-License-Identifier: MIT
#include "tasks/reduce/folds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "base/stopwatch.hpp"
#include "metrics/statistics.hpp"
#include "ritz/base/random.hpp"
#include "ritz/data/io.hpp"
#include "ritz/metrics/neighbours.hpp"
#include "ritz/metrics/svm.hpp"
#include "tasks/model/ready_samples.hpp"
#include "tasks/model/scaled_samples.hpp"
#include "tasks/reduce/prepare.hpp"

namespace ritz {

namespace {

struct Parts {
  std::vector<Index> train, test;
};
Parts parts_of(const std::vector<int>& fold_of, int fold) {
  Parts parts;
  for (std::size_t i = 0; i < fold_of.size(); ++i) (fold_of[i] == fold ? parts.test : parts.train).push_back(Index(i));
  return parts;
}

// Checked before the first fit: a split that cannot be evaluated must not show after an hour.
std::vector<Index> checked_sizes(const Labels& labels, const std::vector<int>& fold_of, Index n) {
  if (labels.size() != n)
    throw Error(ErrorCode::bad_shape,
                fmt::format("folds need a label for each of {} samples; there are {}", n, labels.size()));
  if (Index(fold_of.size()) != n)
    throw Error(ErrorCode::bad_shape, fmt::format("there are {} fold numbers for {} samples", fold_of.size(), n));
  const auto [lowest, highest] = std::ranges::minmax(fold_of);
  if (lowest < 0) throw Error(ErrorCode::bad_data, fmt::format("fold {}; folds count from 0", lowest));
  std::vector<Index> sizes(std::size_t(highest) + 1);
  for (const int fold : fold_of) ++sizes[std::size_t(fold)];
  if (sizes.size() < 2) throw Error(ErrorCode::bad_data, "all samples are in one fold; at least two folds are needed");
  for (std::size_t f = 0; f < sizes.size(); ++f)
    if (sizes[f] == 0) throw Error(ErrorCode::bad_data, fmt::format("fold {} has no samples to test on", f));
  std::vector<std::vector<Index>> inside(std::size_t(labels.classes()), std::vector<Index>(sizes.size()));
  for (std::size_t i = 0; i < fold_of.size(); ++i) ++inside[std::size_t(labels.of[i])][std::size_t(fold_of[i])];
  const std::vector<Index> counts = labels.counts();
  for (std::size_t c = 0; c < inside.size(); ++c)
    for (std::size_t f = 0; f < sizes.size(); ++f)
      if (counts[c] > 0 && inside[c][f] == counts[c])
        throw Error(ErrorCode::bad_data,
                    fmt::format("class '{}' ({} sample{}) lies in fold {} as a whole: none is left to train on",
                                labels.names[c], counts[c], counts[c] == 1 ? "" : "s", f));
  return sizes;
}

// K_ii, where it is the same for every sample: kernels of differences.
std::optional<double> kernel_diagonal(const KernelSum& kernel) {
  double diagonal = 0;
  for (const KernelTerm& term : kernel) {
    if (form_of(term.kernel) != PairForm::difference) return std::nullopt;
    diagonal += term.weight * std::visit([](const auto& each) { return each.value(0); }, term.kernel);
  }
  return diagonal;
}

// All rows scaled once; sparse data become dense.
Dataset scaled_copy(const Dataset& data, Scaling scale, const RunContext& context) {
  const double needed = 8.0 * double(data.rows()) * double(data.cols());
  if (data.sparse() && needed > 0.25 * double(context.max_memory))
    throw Error(ErrorCode::memory, fmt::format("scaling once makes sparse data dense, which takes {} and again as much "
                                               "for the training parts; scale each training part instead",
                                               bytes_text(needed)));
  Dataset copy = data;
  const Samples X = scaled_samples(copy, learn_scaling(data, scale));
  if (!data.sparse()) return copy;
  RowMatrix dense;
  X.rows_block({0, X.rows()}, dense);
  copy.samples = std::move(dense);
  return copy;
}

// Two spaces with the same rows: those trained on and those tested on.
struct Space {
  DataView train, test;
};

struct Judge {
  const std::vector<int>&train_labels, &test_labels;
  Index neighbours;
  bool with_svm;
  const RunContext& context;
  std::vector<std::string>& notes;

  void judge(const Space& space, FoldMeasure& knn, FoldMeasure& svm) const {
    knn.values.back() = knn_accuracy(space.train, train_labels, space.test, test_labels, neighbours, context);
    if (!with_svm) return;
    const std::string objection = svm_objection(space.train.rows(), space.train.cols(), context);
    if (objection.empty())
      svm.values.back() = svm_accuracy(space.train, train_labels, space.test, test_labels, {}, context);
    else
      notes.push_back(
          fmt::format("the support vector machine with {} features is left out: {}", space.train.cols(), objection));
  }
};

std::vector<FoldMeasure FoldReport::*> measures() {
  return {&FoldReport::objective,  &FoldReport::zero_diagonal,    &FoldReport::dimension,
          &FoldReport::iterations, &FoldReport::seconds,          &FoldReport::knn,
          &FoldReport::svm,        &FoldReport::knn_all_features, &FoldReport::svm_all_features};
}

void evaluate_fold(FoldReport& report, const Dataset& data, const Parts& parts, const ReduceOptions& options,
                   const ism::Options& how, const FoldOptions& folds, RunContext& context) {
  const Stopwatch watch;
  Dataset train = select_rows(data, parts.train), test = select_rows(data, parts.test);
  train.notes.clear();
  const Reduction reduction = reduce(train, options, how, context);
  const Summary& summary = reduction.fit.summary;
  throw_if_interrupted(summary.termination);
  report.objective.values.back() = summary.objective;
  if (const auto diagonal = kernel_diagonal(reduction.kernel))
    report.zero_diagonal.values.back() = summary.objective - *diagonal * reduction.gamma_trace;
  report.dimension.values.back() = double(reduction.fit.W.cols());
  report.iterations.values.back() = summary.iterations;
  report.seconds.values.back() = watch.seconds();
  std::ranges::copy(summary.notes, std::back_inserter(report.notes));

  const Samples held = scaled_samples(test, reduction.scaling);
  report.neighbours = std::min(options.neighbours, train.rows());
  const Judge judge{train.labels.of, test.labels.of, report.neighbours, folds.svm, context, report.notes};
  judge.judge({reduction.embedding, held.project(reduction.fit.W, context)}, report.knn, report.svm);
  if (!folds.all_features) return;
  const double needed = data.sparse() ? 8.0 * double(data.rows()) * double(data.cols()) : 0;
  if (needed > 0.5 * double(context.max_memory)) {
    report.notes.push_back(
        fmt::format("classification with all features is left out: dense, they would take {}", bytes_text(needed)));
    return;
  }
  RowMatrix from, to;
  const Samples fitted = ready_samples(train, reduction.scaling);
  const double *train_rows = fitted.rows_block({0, fitted.rows()}, from),
               *test_rows = held.rows_block({0, held.rows()}, to);
  judge.judge({Eigen::Map<const RowMatrix>(train_rows, fitted.rows(), fitted.cols()),
               Eigen::Map<const RowMatrix>(test_rows, held.rows(), held.cols())},
              report.knn_all_features, report.svm_all_features);
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
    throw Error(ErrorCode::bad_option,
                fmt::format("folds is {}; it must lie in [2, {}], the number of samples", count, labels.size()));
  std::vector<std::vector<Index>> members(std::size_t(labels.classes()));
  for (Index i = 0; i < labels.size(); ++i) members[std::size_t(labels.of[std::size_t(i)])].push_back(i);
  std::vector<int> fold_of(std::size_t(labels.size()));
  Rng rng(seed, "folds");
  Index next = 0;  // goes on from class to class, so that the remainders do not all fall to the first folds
  for (const std::vector<Index>& rows : members)
    for (const Index place : rng.permutation(Index(rows.size())))
      fold_of[std::size_t(rows[std::size_t(place)])] = int(next++ % count);
  return fold_of;
}

std::vector<int> read_folds(const std::string& path, Index n, const RunContext& context) {
  const Labels read = read_labels(path, context);
  for (const std::string& name : read.names)
    if (const auto number = read_double(name); !number || *number != std::floor(*number))
      throw Error(ErrorCode::bad_file, fmt::format("{}: fold '{}' is not a whole number", path, name));
  if (read.size() != n)
    throw Error(ErrorCode::bad_shape, fmt::format("{} has {} fold numbers for {} samples", path, read.size(), n));
  if (read.classes() < 2)
    throw Error(ErrorCode::bad_data, fmt::format("{}: all samples are in fold {}; at least two folds are needed", path,
                                                 read.names.empty() ? "" : read.names.front()));
  return read.of;
}

double FoldMeasure::mean() const { return ritz::mean(finite(values)); }
double FoldMeasure::deviation() const { return ritz::deviation(finite(values)); }

FoldReport evaluate_folds(const Dataset& data, const std::vector<int>& fold_of, const ReduceOptions& options,
                          const ism::Options& how, const FoldOptions& folds, RunContext& context) {
  check(options);
  check(folds);
  FoldReport report;
  report.test_sizes = checked_sizes(data.labels, fold_of, data.rows());
  report.count = int(report.test_sizes.size());
  // The data, a training part of it, and what a fit takes.
  const Index q = options.dim.value > 0 ? options.dim.value : std::max(1, data.labels.classes() - 1);
  require_memory(reduce_bytes(2 * data_bytes(data), {data.rows(), data.cols(), q, data.labels.classes(), true},
                              asked_kernel(options), context),
                 context, fmt::format("an evaluation by folds of {} x {}", data.rows(), data.cols()));
  report.scaled_once = folds.scale_once;
  ReduceOptions inner = options;
  inner.holdout = 0;
  ism::Options quick = how;
  quick.curvature = Effort::never;  // certificates of the folds are not looked at
  std::optional<Dataset> scaled;
  if (folds.scale_once && options.scale != Scaling::none) {
    scaled = scaled_copy(data, options.scale, context);
    inner.scale = Scaling::none;
  }
  for (int fold = 0; fold < report.count; ++fold) {
    for (FoldMeasure FoldReport::*measure : measures()) (report.*measure).values.push_back(kUnknown);
    RunContext nested = context.nested(fmt::format("fold {}", fold + 1));
    try {
      evaluate_fold(report, scaled ? *scaled : data, parts_of(fold_of, fold), inner, quick, folds, nested);
    } catch (const Interrupted& interrupted) {
      for (FoldMeasure FoldReport::*measure : measures()) (report.*measure).values.pop_back();
      report.notes.push_back(fmt::format("{} after {} of {} folds", interrupted.text(), fold, report.count));
      break;
    }
    ++report.finished;
  }
  keep_first_of_each(report.notes);
  return report;
}

std::string folds_text(const FoldReport& report, Index features) {
  std::string text;
  const auto line = [&](std::string_view name, const std::string& value) {
    text += fmt::format("  {:<12} {}\n", name, value);
  };
  const auto spread = [](const FoldMeasure& measure, double scale, int digits) {
    return fmt::format("{:.{}f} ± {:.{}f}", scale * measure.mean(), digits, scale * measure.deviation(), digits);
  };
  std::string objective = "none finished";
  if (report.finished > 0)
    objective = fmt::format("objective {:.7g} ± {:.3g}", report.objective.mean(), report.objective.deviation());
  if (std::isfinite(report.zero_diagonal.mean()))
    objective += fmt::format(" ({:.7g} without the kernel's diagonal)", report.zero_diagonal.mean());
  line(report.finished == report.count ? fmt::format("{} folds", report.count)
                                       : fmt::format("{}/{} folds", report.finished, report.count),
       objective);
  const auto accuracy = [&](const std::string& name, const FoldMeasure& reduced, const FoldMeasure& all) {
    if (!std::isfinite(reduced.mean())) return;
    std::string value = fmt::format("{} % right", spread(reduced, 100, 1));
    if (std::isfinite(all.mean())) value += fmt::format("; with all {} features {} %", features, spread(all, 100, 1));
    line(name, value);
  };
  accuracy(fmt::format("{}-NN", report.neighbours), report.knn, report.knn_all_features);
  accuracy("SVM", report.svm, report.svm_all_features);
  for (const std::string& note : report.notes) line("note", note);
  return text;
}

}  // namespace ritz
