// SPDX-License-Identifier: MIT
// What `depend` says: to people, programs and eyes.
#include <numeric>

#include "report/plot/line_plot.hpp"
#include "tasks/depend/task.hpp"
#include "tasks/loadings.hpp"

namespace ritz::depend {

namespace {

constexpr std::size_t kShown = 8;
constexpr int kBins = 40;

// The least p first; among equals the stronger.
std::vector<std::size_t> by_evidence(const std::vector<FeatureDependence>& features) {
  std::vector<std::size_t> order(features.size());
  std::iota(order.begin(), order.end(), std::size_t(0));
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
    return std::pair(features[a].p, -features[a].cka) < std::pair(features[b].p, -features[b].cka);
  });
  return order;
}

void add_features(Lines& lines, const DependResult& found, double level) {
  if (found.features.empty()) return;
  const auto called = std::ranges::count_if(found.features, [&](const auto& each) { return each.rate <= level; });
  lines.add("features", "{} of {} depend (at most {:g} % of those called so by mistake)", called, found.features.size(),
            100 * level);
  // The levels of a category stand together, in the place of the one with most evidence.
  std::vector<std::string> names;
  for (const FeatureDependence& each : found.features) names.push_back(each.name);
  const std::vector<FeatureGroup> groups = level_groups(names);
  std::vector<std::size_t> group_of(names.size());
  for (std::size_t g = 0; g < groups.size(); ++g)
    for (const Index j : groups[g].features) group_of[std::size_t(j)] = g;
  std::vector<bool> told(groups.size(), false);
  std::size_t shown = 0;
  for (const std::size_t j : by_evidence(found.features)) {
    const FeatureGroup& group = groups[group_of[j]];
    if (told[group_of[j]]) continue;
    told[group_of[j]] = true;
    if (++shown > kShown) continue;
    const FeatureDependence& each = found.features[j];
    const auto depend =
        std::ranges::count_if(group.features, [&](Index k) { return found.features[std::size_t(k)].rate <= level; });
    const std::string levels = group.features.size() == 1
                                   ? ""
                                   : fmt::format("  ({} of {} levels, most of all {})", depend, group.features.size(),
                                                 shortened(each.name.substr(group.name.size() + 1), 16));
    lines.raw("    {:<24} strength {:.3f}  p {:.4g}{}\n", shortened(group.name, 24), each.cka, each.p,
              depend == 0 ? "  (no evidence)" : levels);
  }
  if (groups.size() > kShown) lines.raw("    … and {} more: depend.save_features\n", groups.size() - kShown);
}

}  // namespace

Lines DependTask::text(const F& fit) {
  const DependResult& found = fit.result;
  const double level = fit.options.level;
  Lines lines;
  lines.raw("{} and {}, {}\n", counted(found.d, "feature"), found.against, counted(found.n, "sample"));
  lines.ending(found.summary);
  lines.add("found", "{}; strength {:.3f} (CKA; 0 none, 1 the same up to scale)",
            found.p <= level ? "they depend on each other" : "NO evidence that they depend on each other", found.cka);
  add_features(lines, found, level);
  lines.add("how sure", "p {:.4g}: {} of {} shuffled pairings are as dependent", found.p,
            std::llround(found.p * double(1 + found.null.size())) - 1, found.null.size());
  lines.add("next", found.p <= level
                        ? "'ritz reduce' finds the directions; depend.save_features FILE lists all features"
                        : "more samples, or another depend.kernel; depend.plot FILE draws the test");
  lines.detail("HSIC", "{:.4g}, {:.4g} when shuffled", found.hsic, found.null_mean);
  if (!found.exact)
    lines.detail("rank", "CKA and HSIC are of {:.1f} % of the kernel, by rank {}; p is exact", 100 * (1 - found.missed),
                 found.rank);
  return lines.notes(found.summary.notes);
}

Json depend_json(const DependResult& found, const DependOptions& options) {
  Facts facts{DependTask::verb, DependTask::method};
  facts.certificate = {{"hsic", found.hsic}, {"cka", found.cka},
                       {"p", found.p},       {"permutations", found.null.size()},
                       {"seed", found.seed}, {"whole_kernel", found.exact}};
  facts.options = options_json(options);
  facts.data = {{"n", found.n}, {"d", found.d}, {"hash", found.data_hash}, {"against", found.against}};
  facts.result = {{"dependent", found.p <= options.level}, {"null_mean", found.null_mean},
                  {"null_quantile", found.null_quantile},  {"rank", found.rank},
                  {"other_rank", found.other_rank},        {"missed", found.missed},
                  {"other_missed", found.other_missed}};
  Json features = Json::array();
  for (const FeatureDependence& each : found.features)
    features.push_back({{"name", each.name},
                        {"hsic", each.hsic},
                        {"cka", each.cka},
                        {"p", each.p},
                        {"false_discovery_rate", each.rate}});
  facts.result["features"] = std::move(features);
  Json json = envelope(found.summary, std::move(facts));
  return json;
}

std::string features_csv(const DependResult& found) {
  std::string text = "feature,hsic,cka,p,false_discovery_rate\n";
  for (const FeatureDependence& each : found.features)
    text += fmt::format("{},{},{},{},{}\n", csv_field(each.name), number_text(each.hsic), number_text(each.cka),
                        number_text(each.p), number_text(each.rate));
  return text;
}

std::string plot_svg(const DependResult& found) {
  const auto [low, high] = std::ranges::minmax(found.null);
  const double end = std::max(high, found.hsic), step = (end - low) / kBins;
  std::vector<double> counts(kBins, 0);
  for (const double value : found.null)
    counts[std::size_t(std::clamp(step > 0 ? int((value - low) / step) : 0, 0, kBins - 1))] += 1;
  LinePlot plot;
  plot.title = fmt::format("p = {:.4g}: {}", found.p, found.against);
  plot.subtitle = fmt::format("HSIC of {} shuffled pairings, and as it was found", found.null.size());
  plot.x_label = "HSIC";
  plot.y_label = "shuffled pairings";
  LineSeries shuffled{.name = "shuffled"}, observed{.name = "found"};
  for (int k = 0; k < kBins; ++k) shuffled.add(low + (k + 0.5) * step, counts[std::size_t(k)]);
  observed.add(found.hsic, 0);
  observed.add(found.hsic, *std::ranges::max_element(counts));
  plot.series = {std::move(shuffled), std::move(observed)};
  return line_svg(plot);
}

}  // namespace ritz::depend
