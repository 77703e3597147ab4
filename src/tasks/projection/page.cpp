// SPDX-License-Identifier: MIT
// What the pages of `reduce` and `recluster` have in common.
#include "tasks/model/access.hpp"
#include "tasks/projection/null.hpp"
#include "tasks/projection/report.hpp"

namespace ritz::projection {

page::Verdict verdict_of(const Json& facts) {
  using page::number;
  if (!page::converged(facts)) return page::not_converged(facts);
  if (number(facts, "result.dimension") == number(facts, "data.d") && number(facts, "iterations") == 0)
    return {page::Light::good, "Proven", "There are as many directions as features: nothing is left to choose."};
  const bool clusters = !page::at(facts, "result.clusters").is_null() || !page::at(facts, "result.given").is_null();
  if (page::words(facts, "options.kernel") == "linear" && !clusters)
    return {page::Light::good, "Proven",
            "With a linear kernel the directions are the leading eigenvectors of one fixed matrix: no other choice of "
            "as many "
            "directions does better."};
  const double curvature = number(facts, "certificate.curvature"), scale = number(facts, "certificate.phi_norm");
  if (std::isfinite(curvature) && curvature <= 1e-6 * scale)
    return {page::Light::fair, "Local maximum",
            "No small turn of the directions does better: slope and curvature were computed after the fit, "
            "independently of "
            "the solver. A quite different choice could still be better; other starts or kernels would tell."};
  if (std::isfinite(curvature))
    return {
        page::Light::bad, "Not a maximum",
        "The slope is zero, but some turn of the directions still climbs: another start or solver would do better."};
  return {page::Light::fair, "Stationary",
          "No first-order step improves the directions. Whether it is a maximum was not computed: the curvature takes "
          "longer."};
}

bool nothing_found(const Json& facts) {
  if (page::at(facts, "result.null.held_out_tell") == true) return false;
  return nothing_found(page::number(facts, "result.null.p"), page::number(facts, "result.null.column_p"));
}

page::Verdict chance_verdict(const Json& facts, std::string_view of, std::string_view like) {
  const double shuffles = page::number(facts, "result.null.shuffles");
  const auto reached = std::llround(page::number(facts, "result.null.p") * (shuffles + 1)) - 1;
  return {page::Light::bad, "No more than chance",
          fmt::format("{} of {} shuffles of {} {} {}, though nothing is to be found there.", reached, shuffles, of,
                      reached == 1 ? "has" : "have", like)};
}

Vector feature_weight(const ModelFile& model) { return model_access::array(model, "W").rowwise().squaredNorm(); }

std::vector<std::string> named_features(const Json& facts, Index columns) {
  std::vector<std::string> names;
  const Json& stored = page::at(facts, "feature_names");
  for (Index j = 0; j < columns; ++j)
    names.push_back(stored.is_array() && std::size_t(j) < stored.size() && stored[std::size_t(j)].is_string()
                        ? stored[std::size_t(j)].get<std::string>()
                        : fmt::format("x{}", j + 1));
  return names;
}

RowMatrix shown_samples(page::Source& from, const ModelFile& model, const RunContext& context) {
  const Json info = model_access::info_of(model);
  const RowMatrix Z = from.data ? transform(model, *from.data, context) : RowMatrix(model_access::array(model, "Z"));
  const auto named = [&](std::string_view name) {
    return std::ranges::any_of(from.groups, [&](const page::Grouping& each) { return each.name == name; });
  };
  if (!from.data && model.arrays.contains("classes") && page::at(info, "result.classes").is_array())
    from.groups.push_back({"class", stored_classes(model, info, Z.rows())});
  if (model.arrays.contains("cluster_centers") && !named("found cluster")) {
    const ClusterModel clusters = stored_clusters(model, info);
    from.groups.push_back(
        {"found cluster", {predict_clusters(clusters, Z, context), numbered_names("", clusters.centers.rows())}});
  }
  return Z;
}

void tell_loadings(const page::Source& from, const ModelFile& model, page::Page& page, const std::string& which) {
  constexpr Index kAxes = 6, kBars = 12;
  const Matrix& W = model_access::array(model, "W");
  const std::vector<std::string> names = named_features(model_access::info_of(model), W.rows());
  std::map<std::pair<std::string, Index>, std::array<double, 2>> intervals;
  for (const Json& each : page::at(from.facts, "result.bootstrap.loadings"))
    intervals[{page::words(each, "feature"), Index(page::number(each, "axis"))}] = {page::number(each, "low"),
                                                                                    page::number(each, "high")};
  std::vector<page::BarGroup> groups;
  for (Index a = 0; a < std::min(W.cols(), kAxes); ++a) {
    page::BarGroup& group = groups.emplace_back();
    group.name = fmt::format("axis {}", a + 1);
    for (const Index j : strongest_features(W.col(a), kBars)) {
      page::Bar bar{names[std::size_t(j)], W(j, a)};
      if (const auto found = intervals.find({bar.name, a + 1}); found != intervals.end())
        bar.low = found->second[0], bar.high = found->second[1];
      group.bars.push_back(std::move(bar));
    }
  }
  page.bars(which + "What the axes are made of",
            fmt::format(
                "Loadings of the scaled features, the strongest first: how much one deviation of a feature moves a "
                "sample along the axis. {}",
                !intervals.empty() ? "The thin lines hold nine in ten of the bootstrap resamples."
                : page::at(from.facts, "options.bootstrap").is_null() ? ""
                                                                      : "Intervals come with a bootstrap of the fit."),
            groups);
}

}  // namespace ritz::projection
