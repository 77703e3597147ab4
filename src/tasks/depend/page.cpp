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

// The samples along the features that depend most, beside what they are compared with.
void tell_samples(const page::Source& from, page::Page& page) {
  if (!from.data || from.data->rows() == 0) return;
  Vector strength = Vector::Zero(from.data->cols());
  const Json& features = at(from.facts, "result.features");
  if (features.is_array() && Index(features.size()) == strength.size())
    for (Index j = 0; j < strength.size(); ++j) strength[j] = number(features[std::size_t(j)], "cka");
  page::Scatter scatter = page::placed(from, RowMatrix(from.data->rows(), 0), "", strength);
  if (scatter.columns.size() < 2) return;
  const int others = int(from.columns.size()), first_other = int(scatter.columns.size()) - others,
            groups = int(scatter.groups.size());
  scatter.title = "The samples";
  scatter.note = others > 0 ? "The two features that depend most, each against what they are compared with."
                            : "The features that depend most, coloured by class.";
  const int second = std::min(1, first_other - 1);
  if (others > 0)
    scatter.views = {{0, first_other, groups + second}, {second, first_other, groups}};
  else
    scatter.views = {{0, second, groups > 0 ? 0 : -1}, {std::min(2, first_other - 1), second, groups > 0 ? 0 : -1}};
  page.scatter(std::move(scatter));
}

}  // namespace

std::vector<page::Grouping> DependTask::groups(const F& fit) {
  if (fit.known.labels.size() == 0) return {};
  return {{"class", fit.known.labels}};
}

std::vector<page::Column> DependTask::columns(const F& fit) {
  constexpr Index kMost = 4;
  std::vector<page::Column> all;
  const Other& other = fit.known;
  for (Index j = 0; j < std::min(kMost, other.numbers.cols()); ++j)
    all.push_back({std::size_t(j) < other.names.size() ? other.names[std::size_t(j)] : fmt::format("number {}", j + 1),
                   Vector(other.numbers.col(j))});
  return all;
}

void DependTask::tell(const page::Source& from, page::Page& page, const RunContext&) {
  constexpr std::size_t kBins = 40;
  const Json& facts = from.facts;
  const bool dependent = at(facts, "result.dependent") == Json(true);
  const double p = number(facts, "certificate.p"), hsic = number(facts, "certificate.hsic");
  const std::string against = words(facts, "data.against");  // "3 classes", or a name
  const bool counts = against.find_first_of("0123456789") == 0;
  page.question = fmt::format("Do the features tell anything about {}{}?", counts ? "the " : "", against);
  page.objective.title = page.measure.title = "";  // permutations are drawn: nothing settles
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
  tell_samples(from, page);
}

}  // namespace ritz::depend
