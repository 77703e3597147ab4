// SPDX-License-Identifier: MIT
#include <algorithm>
#include <iterator>

#include "base/memory.hpp"
#include "pairs/bandwidth.hpp"
#include "ritz/algorithms/dependence.hpp"
#include "ritz/model/gamma.hpp"
#include "ritz/pairs/backend.hpp"
#include "tasks/depend/task.hpp"
#include "tasks/projection/prepare.hpp"

namespace ritz::depend {

using namespace dependence;

namespace {

constexpr Index kFewest = 5;
constexpr Index kBatch = 64;             // permutations an iteration
constexpr double kOperations = 1e12;     // of a whole test: about half a minute on two cores
constexpr double kFeatureBytes = 2.5e8;  // of the features' factors that are held at a time
constexpr Index kFeatureRank = 60;       // of one column: a smooth kernel on a line
constexpr Index kFeatureRows = 1000;     // that a column's median distance is taken of
constexpr double kMuchMissed = 1e-3;     // beyond this the value is worked out over all pairs
constexpr Index kFewPairs = 20'000;      // samples up to which that is quick

// The ranks r and s of both sides that kOperations ≈ 2·n·r·s·permutations allow; `known`: s where it is fixed.
Index rank_limit(Index n, const DependOptions& options, Index known) {
  if (options.max_rank > 0) return options.max_rank;
  const double both = kOperations / (2.0 * double(n) * options.permutations);
  const double rank = known > 0 ? both / double(known) : std::sqrt(both);
  return std::clamp<Index>(Index(rank), 30, 1000);
}

struct Sides {
  Side own, other;
  KernelSum kernel;  // of the samples, resolved
};

Side side_of(const Other& other, const Dataset& data, const DependOptions& options, DependResult& found,
             const RunContext& context) {
  const Labels& labels = other.labels.size() > 0 ? other.labels : data.labels;
  if (other.numbers.size() == 0) {
    if (labels.size() == 0)
      fail(ErrorCode::bad_data,
           "there is nothing to compare {} with: give a second table, input.labels, input.label_column or "
           "depend.target_column",
           data.source);
    if (labels.size() != data.rows())
      fail(ErrorCode::bad_shape, "{} has {} rows, but there are {} labels", data.source, data.rows(), labels.size());
    if (labels.classes() < 2)
      fail(ErrorCode::bad_data, "all labels are '{}'; nothing can depend on them", labels.names[0]);
    found.against = fmt::format("{} classes", labels.classes());
    return label_side(labels);
  }
  if (other.numbers.rows() != data.rows())
    fail(ErrorCode::bad_shape, "{} has {} rows, but the second table has {}", data.source, data.rows(),
         other.numbers.rows());
  const RowMatrix Y = standardised_targets(other.numbers);
  const Samples samples(Y);
  ResolvedKernel kernel = resolve_bandwidths(asked_kernel(options.target_kernel, "target_kernel"), samples, context);
  found.summary.used["target_kernel"] = kernel_text(kernel.kernel);
  found.against =
      Y.cols() == 1 && other.names.size() == 1 ? other.names[0] : counted(Y.cols(), "column") + " of numbers";
  return kernel_side(samples, kernel.kernel, {options.tolerance, rank_limit(data.rows(), options, 0)}, context);
}

// The test of all features together.
void test_whole(const Sides& sides, const DependOptions& options, DependResult& found, RunContext& context) {
  const Matrix &A = sides.own.factor, &B = sides.other.factor;
  Null null{hsic(A, B), {}};
  found.summary = iterate(
      [&](int step) {
        const Range numbers{Index(step - 1) * kBatch, std::min<Index>(Index(step) * kBatch, options.permutations)};
        const Matrix drawn = shuffled_statistics(A, {{0, A.cols()}}, B, numbers, context);
        null.drawn.insert(null.drawn.end(), drawn.data(), drawn.data() + drawn.size());
        const double left = 1 - double(null.drawn.size()) / options.permutations;
        return StepReport{.objective = null.observed, .measure = left, .extra = {null.p()}};
      },
      {.tolerance = 0, .max_iterations = int(tile_count(options.permutations, kBatch))}, {"p"}, context,
      [&](Archive& archive) { archive(null.drawn); });
  if (null.drawn.empty()) throw_if_interrupted(found.summary.termination);
  if (found.summary.converged()) found.summary.message = "all permutations were drawn";
  found.hsic = null.observed;
  found.cka = alignment(A, B);
  found.p = null.p();
  found.null_mean = null.mean();
  found.null_quantile = null.quantile(1 - options.level);
  found.null = std::move(null.drawn);
}

// Over all pairs where the factor leaves much out and that is quick.
void value_of_all_pairs(const Samples& X, const Sides& sides, DependResult& found, const RunContext& context) {
  found.exact = sides.own.missed <= 1e-6;
  if (sides.own.missed <= kMuchMissed || X.rows() > kFewPairs) return;
  const Matrix& B = sides.other.factor;
  const AlignmentSums sums =
      backend_or_cpu(context).alignment_sums(sides.kernel, X, factored_gamma({B, Vector::Ones(B.cols())}), context);
  const double n = double(X.rows()), size = std::sqrt(sums.gram(0, 0)) * sums.target_norm;
  found.hsic = sums.target(0) / (n * n);
  found.cka = size > 0 ? sums.target(0) / size : 0;
  found.exact = true;
}

struct ColumnFactor {
  Index feature;
  Matrix factor;
};

// The factor of one column's kernel; empty where all its values are equal.
Matrix column_factor(const Samples& X, Index column, const KernelSum& asked, const DependOptions& options,
                     const RunContext& context) {
  Matrix unit = Matrix::Zero(X.cols(), 1);
  unit(column, 0) = 1;
  RowMatrix values = X.project(unit, context);
  if ((values.array() == values(0, 0)).all()) return {};
  const Samples samples(values);
  KernelSum kernel = asked;
  const MedianDistance median = median_distance(samples, context, kFeatureRows);
  for (KernelTerm& term : kernel)
    set_widths(term.kernel, [&](Bandwidth& width) {
      if (!width.resolved()) width = {width.of_median * median.value, 1};
    });
  return kernel_side(samples, kernel, {options.tolerance, kFeatureRank}, context).factor;
}

// Columns of factors side by side, as many features as fit, tested with the same permutations.
void test_group(const std::vector<ColumnFactor>& group, const Matrix& B, const DependOptions& options,
                DependResult& found, const RunContext& context) {
  Index columns = 0;
  for (const ColumnFactor& each : group) columns += each.factor.cols();
  Matrix A(B.rows(), columns);
  std::vector<Range> parts;
  for (const ColumnFactor& each : group) {
    const Index begin = parts.empty() ? 0 : parts.back().end;
    A.middleCols(begin, each.factor.cols()) = each.factor;
    parts.push_back({begin, begin + each.factor.cols()});
  }
  const Matrix drawn = shuffled_statistics(A, parts, B, {0, options.permutations}, context);
  for (std::size_t k = 0; k < group.size(); ++k) {
    FeatureDependence& feature = found.features[std::size_t(group[k].feature)];
    feature.hsic = hsic(group[k].factor, B);
    feature.cka = alignment(group[k].factor, B);
    const auto column = drawn.col(Index(k));
    feature.p = Null{feature.hsic, {column.begin(), column.end()}}.p();
  }
}

void test_features(const Dataset& data, const Samples& X, const Matrix& B, const DependOptions& options,
                   DependResult& found, const RunContext& context) {
  for (const std::string& name : data.feature_names) found.features.push_back({name});
  const KernelSum asked = asked_kernel(options.kernel, "kernel");
  std::vector<ColumnFactor> group;
  double held = 0;
  for (Index j = 0; j < X.cols(); ++j) {
    Matrix factor = column_factor(X, j, asked, options, context);
    held += 8.0 * double(factor.size());
    if (factor.size() > 0) group.push_back({j, std::move(factor)});
    if (group.empty() || (held < kFeatureBytes && j + 1 < X.cols())) continue;
    test_group(group, B, options, found, context);
    group.clear();
    held = 0;
  }
  std::vector<double> p;
  for (const FeatureDependence& feature : found.features) p.push_back(feature.p);
  const std::vector<double> rates = false_discovery_rates(p);
  for (std::size_t j = 0; j < rates.size(); ++j) found.features[j].rate = rates[j];
}

std::string hash_of(const Dataset& data, const Other& other) {
  Dataset beside;
  if (other.numbers.size() > 0) {
    beside.samples = other.numbers;
  } else {
    const Labels& labels = other.labels.size() > 0 ? other.labels : data.labels;
    RowMatrix classes(labels.size(), 1);
    for (Index i = 0; i < labels.size(); ++i) classes(i, 0) = labels.of[std::size_t(i)];
    beside.samples = std::move(classes);
  }
  return data_hash(data) + data_hash(beside);
}

}  // namespace

DependResult fit(const Dataset& data, const Other& other, const DependOptions& options, RunContext& context) {
  if (data.rows() < kFewest)
    fail(ErrorCode::bad_data, "{}: {}; a test of dependence needs at least {}", data.source,
         counted(data.rows(), "sample"), kFewest);
  require_memory(forecast(double(data.rows()), double(data.cols()), options), context, "the test of dependence");
  DependResult found;
  found.seed = context.seed;
  found.n = data.rows();
  found.d = data.cols();
  found.data_hash = hash_of(data, other);
  std::map<std::string, double> seconds;
  std::map<std::string, std::string> used;
  std::vector<std::string> notes = data.notes;
  Sides sides;
  const projection::ScaledSamples scaled(data, learn_scaling(data, options.scale));
  const Samples& X = scaled.samples();
  {
    const PhaseTimer timer(seconds, "factors");
    sides.other = side_of(other, data, options, found, context);
    used = found.summary.used;
    ResolvedKernel kernel = resolve_bandwidths(asked_kernel(options.kernel, "kernel"), X, context);
    used["kernel"] = kernel_text(kernel.kernel);
    std::ranges::move(kernel.notes, std::back_inserter(notes));
    sides.kernel = std::move(kernel.kernel);
    sides.own = kernel_side(X, sides.kernel,
                            {options.tolerance, rank_limit(found.n, options, sides.other.factor.cols())}, context);
  }
  found.rank = sides.own.factor.cols();
  found.other_rank = sides.other.factor.cols();
  found.missed = sides.own.missed;
  found.other_missed = sides.other.missed;
  {
    const PhaseTimer timer(seconds, "permutations");
    test_whole(sides, options, found, context);
  }
  try {
    const PhaseTimer timer(seconds, "features");
    value_of_all_pairs(X, sides, found, context);
    if (options.features && found.d > 1 && found.summary.converged())
      test_features(data, X, sides.other.factor, options, found, context);
  } catch (const Interrupted& interrupted) {
    found.features.clear();
    found.summary.termination = termination_of(interrupted);
    found.summary.message = "interrupted before the features were tested one by one";
  }
  found.summary.seconds = std::move(seconds);
  found.summary.used.insert(used.begin(), used.end());
  found.summary.notes = std::move(notes);
  found.summary.objective = found.hsic;
  return found;
}

double forecast(double rows, double columns, const DependOptions& options) {
  const double rank = std::min(rows, double(rank_limit(Index(rows), options, 2)));
  const double features = options.features ? std::min(kFeatureBytes, 8 * rows * columns * kFeatureRank) : 0;
  return 8 * rows * (2 * columns + 4 * rank) + 2 * features;
}

}  // namespace ritz::depend
