// SPDX-License-Identifier: MIT

#include "metrics/clustering.hpp"
#include "tasks/reduce/fit.hpp"

namespace ritz::reduce {

namespace {

clustering::Options clustering_options(const ReduceOptions& options) {
  clustering::Options loop;
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
    note(summary.notes, "{} before all features were clustered for comparison", interrupted.text());
  }
}

// μ for which neither term can drown the other: Tr(UᵀLU) <= k, and Tr(KHSSᵀH) <= n‖HS‖² for a kernel of at most 1.
double balanced_weight(const RowMatrix& scores, Index clusters) {
  const double size = (scores.rowwise() - scores.colwise().mean()).squaredNorm();
  return size > 0 ? double(clusters) / (double(scores.rows()) * size) : 0;
}

}  // namespace

void fit_clusters(ReduceResult& found, const projection::Prepared& ready, const Guidance& guidance,
                  const ReduceOptions& options, RunContext& context) {
  const Samples& X = ready.X.samples();
  const double mu = options.mu > 0 ? options.mu : balanced_weight(guidance.scores, options.clusters);
  const clustering::Problem problem = options.mode == Mode::semi
                                          ? clustering::guided(X, ready.kernel, guidance.scores, mu)
                                          : clustering::unsupervised(X, ready.kernel);
  RunContext inner = context.nested("clusters");
  clustering::Result solved = clustering::solve(problem, clustering_options(options), inner);
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
