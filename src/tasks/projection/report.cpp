// SPDX-License-Identifier: MIT

#include <cctype>
#include <numeric>

#include "tasks/loadings.hpp"
#include "tasks/projection/report.hpp"

namespace ritz {

std::vector<Index> strongest_features(const Vector& loadings, Index most) {
  std::vector<Index> order(std::size_t(loadings.size()));
  std::iota(order.begin(), order.end(), Index(0));
  std::ranges::stable_sort(order, [&](Index a, Index b) { return std::abs(loadings[a]) > std::abs(loadings[b]); });
  std::erase_if(order, [&](Index i) { return std::abs(loadings[i]) < 1e-12; });
  if (Index(order.size()) > most) order.resize(std::size_t(most));
  return order;
}

namespace projection {

std::string short_kernel_text(const KernelSum& kernel) {
  const std::string text = kernel_text(kernel);
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t end = std::min(text.find_first_not_of("0123456789.", i), text.size());
    const bool number = end > i && (i == 0 || !std::isalpha(static_cast<unsigned char>(text[i - 1])));
    if (const auto value = number ? read_double(text.substr(i, end - i)) : std::nullopt) {
      out += fmt::format("{:.4g}", *value);
      i = end;
    } else {
      out += text[i++];
    }
  }
  return out;
}

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

std::string sampling_text(const ism::Sampling& sampling) {
  std::string text =
      fmt::format("{:.2g} % of the pairs, of {} samples; F over all pairs is ", 100 * sampling.share, sampling.rows);
  if (std::isfinite(sampling.exact))
    text += fmt::format("{:.7g}, exact", sampling.exact);
  else if (std::isfinite(sampling.estimate))
    text += fmt::format("{:.5g} to {:.5g} with {:.0f} %, estimated", sampling.low, sampling.high,
                        100 * ism::Sampling::kConfidence);
  else
    text += fmt::format("not known; these pairs say {:.5g}, which is too large", sampling.fitted);
  if (std::isfinite(sampling.exact_first_order))
    text += fmt::format(", residual over all pairs {:.1e}", sampling.exact_first_order);
  return text;
}

std::string sureness_text(const Projection& found, std::string_view step) {
  const ism::Certificate& certificate = found.fit.certificate;
  std::string text = settled_text(found.fit.summary, step);
  if (std::isfinite(certificate.curvature))
    text += certificate.curvature <= 1e-6 * certificate.phi_norm ? ", at a local best" : ", where it can still climb";
  if (certificate.sampling) text += ", all of the sampled pairs";
  return text;
}

void add_axes(Lines& lines, const Projection& found, std::string_view verb) {
  constexpr Index kAxesShown = 4;
  const Index q = found.fit.W.cols();
  for (Index a = 0; a < q; ++a) {
    const std::string text = loadings_line(found.fit.W.col(a), found.feature_names, std::size_t(kLoadingsShown));
    const std::string name = fmt::format("axis {}", a + 1);
    a < kAxesShown ? lines.add(name, text) : lines.detail(name, text);
  }
  if (q > kAxesShown) lines.add("axes", "{} more: {}.save_projection", q - kAxesShown, verb);
}

Json data_json(const Projection& found) { return {{"n", found.n}, {"d", found.d}, {"hash", found.data_hash}}; }

Json loadings_json(const Projection& found) {
  Json axes = Json::array();
  for (Index a = 0; a < found.fit.W.cols(); ++a) {
    Json axis = Json::array();
    for (const Index i : strongest_features(found.fit.W.col(a), kLoadingsShown))
      axis.push_back({{"feature", found.feature_names[std::size_t(i)]}, {"loading", found.fit.W(i, a)}});
    axes.push_back(std::move(axis));
  }
  return axes;
}

ScatterPlot embedding_plot(const Projection& found, const Labels& colours, const std::string& title,
                           const std::string& subtitle) {
  ScatterPlot plot;
  const Index q = std::min<Index>(2, found.embedding.cols());
  plot.points = found.embedding.leftCols(q);
  plot.classes = colours.of;
  plot.class_names = colours.names;
  plot.title = title;
  plot.subtitle = subtitle;
  const auto label = [&](Index axis) {
    std::string text = fmt::format("axis {}:", axis + 1);
    for (const Index i : strongest_features(found.fit.W.col(axis), 2))
      text += fmt::format(" {:+.2f} {}", found.fit.W(i, axis), shortened(found.feature_names[std::size_t(i)]));
    return text;
  };
  plot.x_label = label(0);
  if (q > 1) plot.y_label = label(1);
  return plot;
}

NamedColumns embedding_content(const Projection& found) {
  return {found.embedding, numbered_names("axis", found.embedding.cols()), RowKind::sample};
}

NamedColumns loadings_content(const Matrix& W, const Projection& found) {
  return {RowMatrix(W), numbered_names("axis", W.cols()), RowKind::feature, found.feature_names};
}

}  // namespace projection
}  // namespace ritz
