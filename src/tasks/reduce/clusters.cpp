// SPDX-License-Identifier: MIT

#include "linalg/dense/dense.hpp"
#include "linalg/subspace.hpp"
#include "metrics/clustering.hpp"
#include "ritz/base/random.hpp"
#include "ritz/linalg/products.hpp"
#include "tasks/projection/null.hpp"
#include "tasks/reduce/fit.hpp"

namespace ritz::reduce {

namespace {

clustering::Options clustering_options(const ReduceOptions& options) {
  clustering::Options loop;
  take_fields(options, loop);
  loop.clusters = options.clusters;  // settled by now, and of another type
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
    note(summary.notes, "{} before all features were clustered for comparison", interrupted.text());
  }
}

// μ for which neither term can drown the other. With degrees: Tr(UᵀLU) <= k, and Tr(KHSSᵀH) <= n‖HS‖² for a kernel of
// at most 1. Centred, Γ = UUᵀ + μHSSᵀH has eigenvalue 1 for each of U's directions: the strongest of the scores' has it
// too.
double balanced_weight(const RowMatrix& scores, Index clusters, bool degrees) {
  const Matrix centred = scores.rowwise() - scores.colwise().mean();
  const double size = degrees ? double(scores.rows()) * centred.squaredNorm() / double(clusters)
                              : symmetric_values(transposed_product(centred, centred))[0];
  return size > 0 ? 1 / size : 0;
}

// Of the narrow kernel that reduce takes by itself the leading eigenvectors may be spent on few far samples, while the
// subspace shows the others well: there k-means of the samples in the subspace finds more. Of the two clusterings the
// one is taken whose clusters are farther apart among all features, by their silhouette (docs/peers.md, Clusters).
void take_clearer_labels(clustering::Result& solved, const Samples& X, const ReduceOptions& options,
                         const RunContext& context) {
  constexpr Index kLookedAt = 1000;
  if (options.preset != Preset::best || options.mode != Mode::unsupervised || options.kernel != kUsualKernel ||
      options.label_by != LabelBy::automatic)
    return;
  SpectralClusters other =
      cluster_samples(X.project(solved.W, context), solved.model.kernel, {.clusters = options.clusters}, context);
  const std::vector<Index> rows =
      Rng(context.seed, "reduce/silhouette").sample(X.rows(), std::min(X.rows(), kLookedAt));
  const RowMatrix some = projection::some_rows(X, rows);
  const auto clear = [&](const std::vector<int>& labels) {
    std::vector<int> of;
    for (const Index i : rows) of.push_back(labels[std::size_t(i)]);
    return silhouette(some, of);
  };
  const double by_embedding = clear(solved.labels), by_samples = clear(other.labels);
  const bool taken = by_samples > by_embedding;
  if (taken) {
    solved.labels = std::move(other.labels);
    solved.model = std::move(other.model);
    solved.labelled_by = "k-means of the samples in the subspace";
  }
  solved.labelled_by +=
      fmt::format("; silhouette {:.2f} among all features, {} {:.2f}", taken ? by_samples : by_embedding,
                  taken ? "by the embedding" : "by k-means in the subspace", taken ? by_embedding : by_samples);
  solved.summary.used["labels"] = solved.labelled_by;
}

// From the spectral start, and where asked for from random ones; the largest objective is kept.
clustering::Result best_start(const clustering::Problem& problem, const ReduceOptions& options, RunContext& context) {
  constexpr double kClearlyBetter = 1e-7;
  const clustering::Options loop = clustering_options(options);
  RunContext inner = context.nested("clusters");
  clustering::Result best = clustering::solve(problem, loop, inner);
  int winner = 0, tried = 0;
  for (int r = 0; r < options.how.restarts; ++r) {
    Rng rng(context.seed, "restarts", std::uint64_t(r));
    const Matrix start = orthonormalise(rng.normal_matrix(best.W.rows(), best.W.cols())).basis;
    RunContext again = context.nested(fmt::format("restart {} of {}", r + 1, options.how.restarts));
    try {
      clustering::Result next = clustering::solve(problem, loop, again, start);
      throw_if_interrupted(next.summary.termination);
      ++tried;
      if (!(next.objective > best.objective + kClearlyBetter * std::abs(best.objective))) continue;
      best = std::move(next);
      winner = r + 1;
    } catch (const Interrupted& interrupted) {
      note(best.summary.notes, "{} after {} of {} random starts", interrupted.text(), tried, options.how.restarts);
      break;
    }
  }
  if (tried == 0) return best;
  best.summary.used["start"] =
      winner > 0 ? fmt::format("random start {} of {}", winner, tried) : fmt::format("spectral, of {} more", tried);
  return best;
}

}  // namespace

dependence::Null shuffled_clusters(const Samples& X, const KernelSum& kernel, const ReduceOptions& options,
                                   const RunContext& context) {
  constexpr int kFewRounds = 4, kFewStarts = 1;
  clustering::Options quick = clustering_options(options);
  quick.max_rounds = kFewRounds;
  quick.kmeans_starts = kFewStarts;
  quick.curvature = Effort::never;
  RunContext inner = context;
  inner.observer = {};
  inner.threads = 1;  // few samples: handing them over would take longer than the work
  const std::vector<Index> rows =
      Rng(context.seed, "reduce/null").sample(X.rows(), std::min(X.rows(), kClusterNullRows));
  const auto quality = [&](const RowMatrix& some) {
    const Samples samples(some);
    return clustering::solve(clustering::unsupervised(samples, kernel), quick, inner).quality;
  };
  return projection::shuffled_columns(projection::some_rows(X, rows), kClusterShuffles, quality, context);
}

void fit_clusters(ReduceResult& found, const projection::Prepared& ready, const Guidance& guidance,
                  const ReduceOptions& options, RunContext& context) {
  const Samples& X = ready.X.samples();
  // The papers divide by degrees, where the kernel has them.
  const bool degrees = options.preset == Preset::paper && has_positive_values(ready.kernel);
  const double mu = options.mode != Mode::semi ? 0
                    : options.mu > 0           ? options.mu
                                               : balanced_weight(guidance.scores, options.clusters, degrees);
  const clustering::Problem problem = options.mode == Mode::semi
                                          ? clustering::guided(X, ready.kernel, guidance.scores, mu,
                                                               degrees ? Normalisation::degree : Normalisation::centred)
                                          : clustering::unsupervised(X, ready.kernel);
  clustering::Result solved = best_start(problem, options, context);
  take_clearer_labels(solved, X, options, context.uninterrupted());
  found.gamma = clustering::round_gamma(problem, solved.embedding);
  if (options.mode == Mode::semi) solved.summary.used["mu"] = number_text(mu);
  ClusterReport report;
  report.labels = {std::move(solved.labels), numbered_names("", options.clusters)};
  report.model = std::move(solved.model);
  report.quality = solved.quality;
  report.gap = solved.embedding.values.tail(1)[0] - solved.embedding.next;
  report.labelled_by = std::move(solved.labelled_by);
  found.fit = {std::move(solved.W), solved.start_objective, std::move(solved.certificate), std::move(solved.summary)};
  if (found.classes.size() > 0) compare_with_truth(report, X, ready.kernel, found.classes, found.fit.summary, context);
  found.clusters = std::move(report);
}

}  // namespace ritz::reduce
