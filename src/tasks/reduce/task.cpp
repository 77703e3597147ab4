// SPDX-License-Identifier: MIT
#include "ritz/tasks/reduce.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "ritz/base/random.hpp"
#include "ritz/data/io.hpp"
#include "ritz/metrics/clustering.hpp"
#include "ritz/metrics/neighbours.hpp"
#include "ritz/pairs/bandwidth.hpp"
#include "tasks/model/scaled_samples.hpp"
#include "tasks/reduce/prepare.hpp"

namespace ritz {

namespace {

// Rows of each class in random order, the first `share` of them for the test; at least one of each class trains.
struct Split {
  std::vector<Index> train, test;
};
Split stratified_split(const Labels& labels, double share, std::uint64_t seed) {
  Split split;
  std::vector<std::vector<Index>> members(std::size_t(labels.classes()));
  for (Index i = 0; i < labels.size(); ++i) members[std::size_t(labels.of[std::size_t(i)])].push_back(i);
  Rng rng(seed, "holdout");
  for (const std::vector<Index>& rows : members) {
    const auto test = Index(std::floor(share * double(rows.size())));
    const std::vector<Index> order = rng.permutation(Index(rows.size()));
    for (std::size_t i = 0; i < rows.size(); ++i)
      (Index(i) < test ? split.test : split.train).push_back(rows[std::size_t(order[i])]);
  }
  std::ranges::sort(split.train);
  std::ranges::sort(split.test);
  if (split.test.empty())
    throw Error(ErrorCode::bad_option,
                fmt::format("--holdout {} leaves no sample to test on; the largest class has {} samples", share,
                            std::ranges::max(labels.counts())));
  return split;
}

// k-NN from the training rows to the test rows, in the reduced space and with all features.
void evaluate_holdout(Reduction& reduction, const Dataset& train, const Samples& X, Dataset& test, Index neighbours,
                      std::vector<std::string>& notes, const RunContext& context) {
  const Samples held = scaled_samples(test, reduction.scaling);
  const Index k = std::min(neighbours, train.rows());
  const auto accuracy = [&](DataView from, DataView to) {
    return knn_accuracy(from, train.labels.of, to, test.labels.of, k, context);
  };
  reduction.holdout.neighbours = k;
  reduction.holdout.accuracy_after =
      accuracy(X.project(reduction.fit.W, context), held.project(reduction.fit.W, context));
  const double needed = train.sparse() ? 8.0 * double(reduction.n) * double(reduction.d) : 0;
  if (needed > 0.5 * double(context.max_memory)) {
    notes.push_back(fmt::format("k-NN with all features is left out: dense, they would take {}", bytes_text(needed)));
    return;
  }
  RowMatrix from, to;
  const double *train_rows = X.rows_block({0, X.rows()}, from), *test_rows = held.rows_block({0, held.rows()}, to);
  reduction.holdout.accuracy_before = accuracy(Eigen::Map<const RowMatrix>(train_rows, X.rows(), X.cols()),
                                               Eigen::Map<const RowMatrix>(test_rows, held.rows(), held.cols()));
}

clustering::Options clustering_options(const ReduceOptions& options, const ism::Options& how) {
  clustering::Options loop;
  take_fields(how, loop);
  take_fields(options, loop);
  loop.dimension = options.dim.value;
  return loop;
}

// Agreement with the truth, beside that of clusterings that know nothing of a subspace.
void compare_with_truth(ClusterReport& report, const Samples& X, const KernelSum& kernel, const Labels& truth,
                        Summary& summary, const RunContext& context) {
  report.nmi = normalised_mutual_information(report.labels.of, truth.of);
  const PhaseTimer timer(summary.seconds, "comparison");
  try {
    const PlainClusterings plain = plain_clusterings(X, kernel, {.clusters = Index(report.labels.classes())}, context);
    report.nmi_spectral = normalised_mutual_information(plain.spectral, truth.of);
    report.nmi_kmeans = normalised_mutual_information(plain.kmeans, truth.of);
    summary.used["comparison"] = "spectral clustering of all features with " + plain.spectral_kernel;
  } catch (const Interrupted& interrupted) {
    summary.notes.push_back(fmt::format("{} before all features were clustered for comparison", interrupted.text()));
  }
}

// μ for which neither term can drown the other: Tr(UᵀLU) <= k, and Tr(KHSSᵀH) <= n‖HS‖² for a kernel of at most 1.
double balanced_weight(const RowMatrix& scores, Index clusters) {
  const double size = (scores.rowwise() - scores.colwise().mean()).squaredNorm();
  return size > 0 ? double(clusters) / (double(scores.rows()) * size) : 0;
}

// Clusters and subspace together, for the modes without labels.
void fit_clusters(Reduction& reduction, const Prepared& ready, const Labels& truth, const ReduceOptions& options,
                  const ism::Options& how, const Guidance& guidance, RunContext& context) {
  const double mu = options.mu > 0 ? options.mu : balanced_weight(guidance.scores, options.clusters);
  const clustering::Problem problem = ready.mode == Mode::semi
                                          ? clustering::guided(ready.X, ready.kernel, guidance.scores, mu)
                                          : clustering::unsupervised(ready.X, ready.kernel);
  RunContext inner = context.nested("clusters");
  clustering::Result found = clustering::solve(problem, clustering_options(options, how), inner);
  reduction.gamma = clustering::round_gamma(problem, found.embedding);
  if (ready.mode == Mode::semi) found.summary.used["mu"] = number_text(mu);
  ClusterReport report;
  report.labels.of = std::move(found.labels);
  for (Index c = 1; c <= options.clusters; ++c) report.labels.names.push_back(std::to_string(c));
  report.model = std::move(found.model);
  report.quality = found.quality;
  report.gap = found.embedding.values.tail(1)[0] - found.embedding.next;
  report.labelled_by = std::move(found.labelled_by);
  reduction.fit = {std::move(found.W), found.start_objective, std::move(found.certificate), std::move(found.summary)};
  if (truth.size() > 0) compare_with_truth(report, ready.X, ready.kernel, truth, reduction.fit.summary, context);
  reduction.clusters = std::move(report);
}

// Columns of Γ's factor, for the forecast of memory.
Index likely_gamma_columns(const Dataset& data, const ReduceOptions& options, const Guidance& guidance, Mode mode) {
  if (mode != Mode::supervised) return options.clusters + guidance.scores.cols();
  return guidance.targets.size() > 0 ? guidance.targets.cols() : data.labels.classes();
}

}  // namespace

std::vector<Index> strongest_features(const Vector& loadings, Index most) {
  std::vector<Index> order(std::size_t(loadings.size()));
  std::iota(order.begin(), order.end(), Index(0));
  std::ranges::stable_sort(order, [&](Index a, Index b) { return std::abs(loadings[a]) > std::abs(loadings[b]); });
  std::erase_if(order, [&](Index i) { return std::abs(loadings[i]) < 1e-12; });
  if (Index(order.size()) > most) order.resize(std::size_t(most));
  return order;
}

Reduction reduce(Dataset& data, const ReduceOptions& options, const ism::Options& how, RunContext& context,
                 const Guidance& guidance) {
  check(options);
  const KernelSum asked = asked_kernel(options);
  Reduction reduction;
  reduction.mode = mode_of(data, options, guidance);
  reduction.n = data.rows();
  reduction.d = data.cols();
  reduction.classes = data.labels;
  reduction.feature_names = data.feature_names;
  reduction.data_hash = data_hash(data);

  const Index gamma_columns = likely_gamma_columns(data, options, guidance, reduction.mode);
  const Index most = options.dim.value > 0 ? options.dim.value : std::clamp<Index>(gamma_columns - 1, 1, data.cols());
  const PairSizes sizes{
      data.rows(),  data.cols(), most, gamma_columns, reduction.mode == Mode::supervised && data.labels.size() > 0,
      data.sparse()};
  require_memory(reduce_bytes(data_bytes(data) * (options.holdout > 0 ? 2 : 1), sizes, asked, context, how.accuracy),
                 context, fmt::format("reducing {} x {} to {} dimensions", data.rows(), data.cols(), most));

  std::optional<Dataset> kept, test;  // training and test rows, where some are held out
  if (options.holdout > 0) {
    if (reduction.mode != Mode::supervised || data.labels.size() == 0)
      throw Error(ErrorCode::bad_option, "--holdout classifies: it needs class labels and --mode supervised");
    const Split split = stratified_split(data.labels, options.holdout, context.seed);
    kept = select_rows(data, split.train);
    reduction.fit_rows = split.train;
    test = select_rows(data, split.test);
    reduction.holdout = {.train = kept->rows(), .test = test->rows()};
  }
  Dataset& train = kept ? *kept : data;
  Prepared ready = prepare(train, options, guidance, context);
  reduction.scaling = ready.scaling;
  reduction.kernel = ready.kernel;
  reduction.gamma = std::move(ready.gamma);
  std::vector<std::string> notes = data.notes;
  std::ranges::move(ready.notes, std::back_inserter(notes));

  if (reduction.mode != Mode::supervised) {
    fit_clusters(reduction, ready, data.labels, options, how, guidance, context);
  } else {
    const ism::Problem problem{ready.X, reduction.gamma, reduction.kernel};
    ism::Options chosen = how;
    chosen.dimension = options.dim.value;
    if (options.dim.value == 0) {
      const ism::DimensionChoice choice =
          ism::choose_dimension(problem, most_dimensions(reduction.gamma, data.cols()), context);
      chosen.dimension = choice.dimension;
      ready.used["dimension"] = choice.reason;
    }
    RunContext inner = context.nested("ism");
    reduction.fit = ism::solve(problem, chosen, inner);
  }
  reduction.gamma_trace = reduction.gamma.factor.trace();

  if (test) {
    try {
      evaluate_holdout(reduction, train, ready.X, *test, options.neighbours, notes, context);
    } catch (const Interrupted& interrupted) {
      notes.push_back(fmt::format("{} before the held-out samples were classified", interrupted.text()));
    }
  }
  const RunContext calm = context.uninterrupted();
  reduction.embedding = (test ? scaled_samples(data, reduction.scaling) : ready.X).project(reduction.fit.W, calm);
  reduction.fit.summary.used.merge(ready.used);
  std::ranges::move(notes, std::back_inserter(reduction.fit.summary.notes));
  return reduction;
}

}  // namespace ritz
