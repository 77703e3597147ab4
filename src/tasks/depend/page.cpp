// SPDX-License-Identifier: MIT
// The page of `depend`.
#include "tasks/depend/task.hpp"
#include "tasks/model/access.hpp"

namespace ritz::depend {

namespace {

using page::at, page::number, page::words;

void tell_features(const Json& facts, page::Page& page) {
  constexpr std::size_t kBars = 24;
  const Json& features = at(facts, "result.features");
  if (!features.is_array() || features.empty()) return;
  std::vector<std::size_t> order(features.size());
  for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
  std::ranges::stable_sort(
      order, [&](std::size_t a, std::size_t b) { return number(features[a], "cka") > number(features[b], "cka"); });
  page::BarGroup strength;
  Json sorted = Json::array();
  for (const std::size_t k : order) {
    if (strength.bars.size() < kBars) strength.bars.push_back({words(features[k], "name"), number(features[k], "cka")});
    sorted.push_back(features[k]);
  }
  page.bars("Which features depend on it", "CKA of each feature by itself: 0 none, 1 the same up to scale.", {strength})
      .table("All features",
             fmt::format("A false discovery rate up to {:g} counts as evidence.", number(facts, "options.level")),
             page::table_of(
                 sorted,
                 {{"name", "feature"}, {"cka", "CKA"}, {"p", "p"}, {"false_discovery_rate", "false discovery rate"}}));
}

}  // namespace

void DependTask::tell(const page::Source& from, page::Page& page, const RunContext&) {
  constexpr std::size_t kBins = 40;
  const Json& facts = from.facts;
  const bool dependent = at(facts, "result.dependent") == Json(true);
  const double p = number(facts, "certificate.p"), hsic = number(facts, "certificate.hsic");
  page.question = fmt::format("Do the features tell anything about the {}?", words(facts, "data.against"));
  page.answer =
      dependent ? fmt::format("Yes (p = {:.4g}): shuffled pairings are almost never as dependent; strength CKA {:.3f}.",
                              p, number(facts, "certificate.cka"))
                : fmt::format("There is no evidence that they do (p = {:.4g}).", p);
  page.verdict =
      page::converged(facts)
          ? page::Verdict{page::Light::good, "Exact test",
                          "The p-value is that of a permutation test: it holds for any distribution of the data and "
                          "any number of samples, and nothing was fitted that could overfit."}
          : page::not_converged(facts);
  page.figures = {{"samples", words(facts, "data.n")},
                  {"features", words(facts, "data.d")},
                  {"p", page::short_number(p)},
                  {"CKA", fmt::format("{:.3f}", number(facts, "certificate.cka"))},
                  {"permutations", words(facts, "certificate.permutations")}};
  if (!from.models.empty()) {
    const Matrix& null = model_access::array(from.models[0], "null");
    page::Histogram shuffled;
    shuffled.x_label = "HSIC of shuffled pairings";
    if (null.size() > 0 && null.maxCoeff() > null.minCoeff()) {
      shuffled.low = null.minCoeff();
      shuffled.high = null.maxCoeff();
      shuffled.counts.assign(kBins, 0);
      for (Index i = 0; i < null.rows(); ++i)
        shuffled.counts[std::min(
            kBins - 1, std::size_t(double(kBins) * (null(i, 0) - shuffled.low) / (shuffled.high - shuffled.low)))] += 1;
      shuffled.mark = hsic;
      shuffled.mark_name = "as found";
      page.histogram("What chance gives, and what was found",
                     "The farther the line stands to the right of the bars, the surer the dependence.", shuffled);
    }
  }
  tell_features(facts, page);
}

}  // namespace ritz::depend
