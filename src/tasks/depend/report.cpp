// SPDX-License-Identifier: MIT
// What `depend` says: to people, programs and eyes.
#include <numeric>

#include "report/plot/line_plot.hpp"
#include "tasks/depend/task.hpp"

namespace ritz::depend {

namespace {

constexpr std::size_t kShown = 10;
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

std::string features_text(const DependResult& found, double level) {
  if (found.features.empty()) return "";
  const auto called = std::ranges::count_if(found.features, [&](const auto& each) { return each.rate <= level; });
  std::string text =
      fmt::format("  features     {} of {} at a false discovery rate of {:g}\n", called, found.features.size(), level);
  const std::vector<std::size_t> order = by_evidence(found.features);
  for (std::size_t k = 0; k < std::min(kShown, order.size()); ++k) {
    const FeatureDependence& each = found.features[order[k]];
    text += fmt::format("    {:<24} CKA {:.3f}  p {:.4g}{}\n", each.name, each.cka, each.p,
                        each.rate <= level ? "" : "  (no evidence)");
  }
  if (order.size() > kShown) text += fmt::format("    ... and {} more\n", order.size() - kShown);
  return text;
}

}  // namespace

std::string DependTask::text(const F& fit) {
  const DependResult& found = fit.result;
  const double level = fit.options.level;
  Lines lines;
  lines.raw("{} and {}, {}: {}\n", counted(found.d, "feature"), found.against, counted(found.n, "sample"),
            found.p <= level ? "they depend on each other" : "no evidence that they depend on each other");
  lines.add("p", "{:.4g}: {} of {} shuffled pairings are as dependent", found.p,
            std::llround(found.p * double(1 + found.null.size())) - 1, found.null.size());
  lines.add("strength", "CKA {:.3f} (0 none, 1 the same up to scale); HSIC {:.4g}, {:.4g} when shuffled", found.cka,
            found.hsic, found.null_mean);
  if (!found.exact)
    lines.add("note", "CKA and HSIC are of {:.1f} % of the kernel, by rank {}; p is exact", 100 * (1 - found.missed),
              found.rank);
  lines.raw(features_text(found, level));
  if (!found.summary.converged()) lines.ending(found.summary, "{}", found.summary.message);
  return lines.notes(found.summary.notes).time(found.summary).text();
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
