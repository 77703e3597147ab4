// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "metrics/statistics.hpp"
#include "tasks/projection/report.hpp"
#include "tasks/reduce/task.hpp"

namespace ritz::reduce {

namespace {

void add_clusters(Lines& lines, const ClusterReport& clusters) {
  lines.add("clusters", fmt::format("sizes {}; {}", sizes_text(clusters.labels.counts()), clusters.labelled_by));
  lines.add("quality", fmt::format("HSIC {:.6g}, gap {:.3g}", clusters.quality, clusters.gap));
  if (std::isfinite(clusters.nmi))
    lines.add("NMI, truth", fmt::format("{:.3f}; spectral clustering of all features {:.3f}, k-means {:.3f}",
                                        clusters.nmi, clusters.nmi_spectral, clusters.nmi_kmeans));
}

std::string feature_list(const std::vector<Index>& features, const std::vector<std::string>& names) {
  std::string text;
  for (const Index j : features) text.append(text.empty() ? "" : ", ").append(names[std::size_t(j)]);
  return text;
}

}  // namespace

std::string folds_text(const FoldReport& report, Index features) {
  Lines lines;
  const auto spread = [](const FoldMeasure& measure, double scale, int digits) {
    return fmt::format("{:.{}f} ± {:.{}f}", scale * measure.mean(), digits, scale * measure.deviation(), digits);
  };
  std::string objective = "none finished";
  if (report.finished > 0)
    objective = fmt::format("objective {:.7g} ± {:.3g}", report.objective.mean(), report.objective.deviation());
  if (std::isfinite(report.zero_diagonal.mean()))
    objective += fmt::format(" ({:.7g} without the kernel's diagonal)", report.zero_diagonal.mean());
  lines.add(report.finished == report.count ? fmt::format("{} folds", report.count)
                                            : fmt::format("{}/{} folds", report.finished, report.count),
            objective);
  const auto accuracy = [&](const std::string& name, const FoldMeasure& reduced, const FoldMeasure& all) {
    if (!std::isfinite(reduced.mean())) return;
    std::string value = fmt::format("{} % right", spread(reduced, 100, 1));
    if (std::isfinite(all.mean())) value += fmt::format("; with all {} features {} %", features, spread(all, 100, 1));
    lines.add(name, value);
  };
  accuracy(fmt::format("{}-NN", report.neighbours), report.knn, report.knn_all_features);
  accuracy("SVM", report.svm, report.svm_all_features);
  return lines.notes(report.notes).text();
}

std::string interpretation_text(const ReduceResult& found) {
  constexpr Index kShown = 6;
  Lines lines;
  const std::vector<std::string>& names = found.feature_names;
  const Matrix& W = found.fit.W;
  const auto& [relevance, boot, sparse] = found.reading;
  std::string list;
  for (const Index j : strongest_features(relevance, kShown)) {
    list += fmt::format("{}{} {:.1f} %", list.empty() ? "" : ", ", names[std::size_t(j)], 100 * relevance[j]);
    if (boot.finished > 0)
      list += fmt::format(" ({:.1f} to {:.1f})", 100 * boot.relevance_low[j], 100 * boot.relevance_high[j]);
  }
  lines.add("relevance", list);
  if (boot.finished > 0) {
    std::vector<double> angles = boot.angles;
    std::ranges::sort(angles);
    lines.add("bootstrap", fmt::format("{} resamples, subspace within {:.1f}° in half and {:.1f}° in 95 % of them",
                                       boot.finished, quantile(angles, 0.5), quantile(angles, 0.95)));
  }
  if (!sparse.path.empty()) {
    const SparseStep& step = sparse.path[sparse.chosen];
    const Vector used = sparse.W.cwiseAbs2().rowwise().sum();
    lines.add("sparse", fmt::format("{} of {} loadings, {} of {} features, cost {:.2g} % of the objective: {}",
                                    step.loadings, W.size(), step.features, W.rows(), 100 * std::max(0.0, step.loss),
                                    feature_list(strongest_features(used, kShown), names) +
                                        (step.features > kShown ? ", …" : "")));
  }
  return lines.notes(boot.notes).notes(sparse.notes).text();
}

std::string ReduceTask::text(const Fit<ReduceTask>& whole) {
  const ReduceResult& found = whole.result;
  const Summary& summary = found.fit.summary;
  const ism::Certificate& certificate = found.fit.certificate;
  const Index q = found.fit.W.cols();
  const std::string guided_by = found.clusters ? fmt::format("{} clusters", found.clusters->labels.classes())
                                : found.classes.size() > 0 ? fmt::format("{} classes", found.classes.classes())
                                                           : "numeric targets";
  Lines lines;
  lines.raw(fmt::format("{} samples, {} features, {} -> {}\n", found.n, found.d, guided_by, counted(q, "dimension")));
  lines.add("kernel", projection::short_kernel_text(found.kernel));
  lines.ending(summary, fmt::format("{} iterations, {} (residual {:.1e})", summary.iterations, summary.message,
                                    certificate.first_order));
  lines.add("objective", fmt::format("{:.10g}", summary.objective));
  lines.add("certificate", projection::certificate_text(certificate));
  if (found.clusters) add_clusters(lines, *found.clusters);
  if (std::isfinite(found.holdout.accuracy_before))
    lines.add(fmt::format("{}-NN", found.holdout.neighbours),
              fmt::format("{:.1f} % right with all {} features -> {:.1f} % with {} ({} samples held out of the fit)",
                          100 * found.holdout.accuracy_before, found.d, 100 * found.holdout.accuracy_after, q,
                          found.holdout.test));
  lines.notes(summary.notes).raw(projection::axes_text(found, verb));
  if (found.choice) lines.add("choice", found.choice->reason);
  if (found.folds) lines.raw(folds_text(*found.folds, found.d));
  return lines.raw(interpretation_text(found)).time(summary).text();
}

}  // namespace ritz::reduce
