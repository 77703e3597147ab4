// SPDX-License-Identifier: MIT
// The best few features: recursive elimination by relevance.
#include "tasks/reduce/fit.hpp"
#include "tasks/row.hpp"

namespace ritz::reduce {

Dataset select_columns(const Dataset& data, const std::vector<Index>& columns) {
  Dataset some;
  if (const auto* stored = std::get_if<StoredRows>(&data.samples))
    some.samples = stored->with_columns(columns);
  else
    some.samples = RowMatrix(data.dense()(Eigen::all, columns));
  for (const Index j : columns) some.feature_names.push_back(data.feature_names[std::size_t(j)]);
  some.labels = data.labels;
  some.source = data.source;
  return some;
}

void require_few(const Dataset& data, const ReduceOptions& options) {
  if (finds_clusters(options.mode))
    fail(ErrorCode::bad_option, "reduce.features judges by class labels or targets: there are none");
  if (data.sparse()) fail(ErrorCode::unsupported, "{}: reduce.features takes dense data", data.source);
  if (options.features > data.cols())
    fail(ErrorCode::bad_option, "reduce.features is {}; there are {} of them", options.features, data.cols());
}

FewReport few_features(const Dataset& data, const Guidance& guidance, const ReduceOptions& options,
                       const Vector& relevance, RunContext& context) {
  constexpr double kKept = 2.0 / 3;  // of the features, at a time
  ReduceOptions one = options;
  one.holdout = 0;
  one.how.curvature = Effort::never;
  const bool targets = guidance.targets.size() > 0;
  const auto score = [&](const Dataset& some, RunContext& inner) {
    const Evidence evidence = evidence_of(some, guidance, one, context.seed);
    return accuracy_scorer(evidence.data, evidence.guidance, evidence.options, one.choosing.choose_folds, context.seed)(
        one.kernel, inner);
  };
  FewReport report;
  std::vector<Index> left = strongest_features(relevance, data.cols());
  Vector weights = relevance(left);
  try {
    RunContext inner = context.nested("features");
    report.judged_by = score_text(one, targets).name;
    report.score_all = score(data, inner);
    while (Index(left.size()) > options.features) {
      const auto keep = std::max(options.features, Index(kKept * double(left.size())));
      left.resize(std::size_t(keep));
      const Dataset some = select_columns(data, left);
      one.dim.value = std::min(options.dim.value, keep);
      const ReduceResult found = fit_once(some, guidance, one, inner).result;
      throw_if_interrupted(found.fit.summary.termination);
      weights = feature_relevance(found.fit.W, found.fit.certificate.eigenvalues);
      std::vector<Index> order = strongest_features(weights, keep), sorted;
      for (const Index j : order) sorted.push_back(left[std::size_t(j)]);
      weights = Vector(weights(order));
      left = std::move(sorted);
    }
    one.dim.value = std::min(options.dim.value, Index(left.size()));
    report.score = score(select_columns(data, left), inner);
  } catch (const Interrupted& interrupted) {
    note(report.notes, "{} before the best few features were found", interrupted.text());
    return report;
  }
  report.features = std::move(left);
  report.relevance.assign(weights.begin(), weights.end());
  return report;
}

}  // namespace ritz::reduce
