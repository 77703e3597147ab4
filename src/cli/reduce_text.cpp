// SPDX-License-Identifier: MIT
#include "cli/reduce_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

namespace ritz::cli {

namespace {

std::string axis_text(const Reduction& reduction, Index axis) {
  std::string text = fmt::format("  axis {}  ", axis + 1);
  for (const Index i : strongest_features(reduction.fit.W.col(axis), kLoadingsShown))
    text += fmt::format(" {:+.2f} {} ", reduction.fit.W(i, axis), reduction.feature_names[std::size_t(i)]);
  return text + '\n';
}

std::string clusters_text(const ClusterReport& clusters) {
  std::string text = fmt::format("  {:<12} sizes {}; {}\n", "clusters", fmt::join(clusters.labels.counts(), ", "),
                                 clusters.labelled_by);
  text += fmt::format("  {:<12} HSIC {:.6g}, gap {:.3g}\n", "quality", clusters.quality, clusters.gap);
  if (std::isfinite(clusters.nmi))
    text += fmt::format("  {:<12} {:.3f}; spectral clustering of all features {:.3f}, k-means {:.3f}\n", "NMI, truth",
                        clusters.nmi, clusters.nmi_spectral, clusters.nmi_kmeans);
  return text;
}

}  // namespace

std::string certificate_text(const ism::Certificate& certificate) {
  if (std::isnan(certificate.first_order)) return certificate.curvature_note;  // interrupted
  std::string facts = fmt::format("dominance {:.1e}", certificate.dominance);
  if (std::isfinite(certificate.eigengap)) facts = fmt::format("eigengap {:.4g}, ", certificate.eigengap) + facts;
  if (std::isfinite(certificate.curvature))
    facts += fmt::format(
        ", curvature {:.4g} ({})", certificate.curvature,
        certificate.curvature <= 1e-6 * certificate.phi_norm ? "a local maximum" : "not a maximum: it can still climb");
  if (certificate.approximation.objective > 0)
    facts += fmt::format(", objective within {:.2g}", certificate.approximation.objective);
  if (std::isfinite(certificate.precision_error))
    facts += fmt::format(", single precision erred by {:.1e}", certificate.precision_error);
  return facts;
}

std::string inequality_text(const ism::Certificate& certificate) {
  if (!certificate.inequality_holds) return "";
  return fmt::format("{}: gap {:.3g}, bound {:.3g} (sufficient for a maximum, not necessary)",
                     *certificate.inequality_holds ? "holds" : "does not hold", certificate.inequality_gap,
                     certificate.inequality_bound);
}

std::string short_kernel_text(const KernelSum& kernel) {
  const std::string text = kernel_text(kernel);
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t end = std::min(text.find_first_not_of("0123456789.", i), text.size());
    const bool number = end > i && (i == 0 || !std::isalpha(static_cast<unsigned char>(text[i - 1])));
    if (const auto value = number ? read_double(text.substr(i, end - i)) : std::nullopt) {
      out += fmt::format("{:.6g}", *value);
      i = end;
    } else {
      out += text[i++];
    }
  }
  return out;
}

std::string summary_text(const Reduction& reduction) {
  const Summary& summary = reduction.fit.summary;
  const ism::Certificate& certificate = reduction.fit.certificate;
  const Index q = reduction.fit.W.cols();
  const std::string guided_by = reduction.clusters ? fmt::format("{} clusters", reduction.clusters->labels.classes())
                                : reduction.classes.size() > 0 ? fmt::format("{} classes", reduction.classes.classes())
                                                               : "numeric targets";
  std::string text = fmt::format("{} samples, {} features, {} -> {} dimension{}\n", reduction.n, reduction.d, guided_by,
                                 q, q == 1 ? "" : "s");
  const auto line = [&](std::string_view name, const std::string& value) {
    text += fmt::format("  {:<12} {}\n", name, value);
  };
  line("kernel", short_kernel_text(reduction.kernel));
  line(
      summary.converged() ? "converged" : "NOT CONVERGED",
      fmt::format("{} iterations, {} (residual {:.1e})", summary.iterations, summary.message, certificate.first_order));
  line("objective", fmt::format("{:.10g}", summary.objective));
  line("certificate", certificate_text(certificate));
  if (reduction.clusters) text += clusters_text(*reduction.clusters);
  if (std::isfinite(reduction.holdout.accuracy_before))
    line(fmt::format("{}-NN", reduction.holdout.neighbours),
         fmt::format("{:.1f} % right with all {} features -> {:.1f} % with {} ({} samples held out of the fit)",
                     100 * reduction.holdout.accuracy_before, reduction.d, 100 * reduction.holdout.accuracy_after, q,
                     reduction.holdout.test));
  for (const std::string& note : summary.notes) line("note", note);
  text += "strongest features per axis (loading, name)\n";
  for (Index a = 0; a < std::min<Index>(q, 10); ++a) text += axis_text(reduction, a);
  if (q > 10) text += fmt::format("  … {} more axes, see --save-projection\n", q - 10);
  return text;
}

}  // namespace ritz::cli
