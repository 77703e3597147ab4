// SPDX-License-Identifier: MIT
// The page of `kernel`.
#include "tasks/kernel/task.hpp"
#include "tasks/model/access.hpp"
#include "tasks/model/samples.hpp"

namespace ritz::kernel {

namespace {

using page::at, page::number, page::percent, page::words;

void tell_heading(const Json& facts, page::Page& page) {
  const double met = number(facts, "result.pairs.satisfied"), rand = number(facts, "result.adjusted_rand");
  page.question = "Which samples belong together, given what is known of some pairs?";
  page.answer = fmt::format(
      "{} clusters of {} samples; {} of the {} pairs are met{}.", at(facts, "result.clusters.sizes").size(),
      words(facts, "result.clusters.sizes"), percent(met), words(facts, "result.pairs.used"),
      std::isfinite(rand) ? fmt::format(", and the agreement with the truth is {:.3f} (adjusted Rand)", rand) : "");
  const Json* best = nullptr;
  for (const Json& each : at(facts, "result.baselines"))
    if (!best || number(each, "adjusted_rand") > number(*best, "adjusted_rand")) best = &each;
  constexpr double kWorthSaying = 0.005;
  if (best && number(*best, "adjusted_rand") > rand + kWorthSaying)
    page.answer += fmt::format(" Better is {}: {:.3f}.", words(*best, "name"), number(*best, "adjusted_rand"));
  page.verdict = page::bounded(facts, number(facts, "certificate.primal"), number(facts, "certificate.dual"),
                               number(facts, "options.tolerance"), "this kernel");
  page.figures = {{"samples", words(facts, "data.n")},
                  {"clusters", std::to_string(at(facts, "result.clusters.sizes").size())},
                  {"must-links", words(facts, "result.pairs.must")},
                  {"cannot-links", words(facts, "result.pairs.cannot")},
                  {"pairs met", percent(met)},
                  {"rank", words(facts, "result.rank")}};
}

// K's entry of each pair, and whether it has the sign that was asked for.
void tell_pairs(const page::Source& from, const RowMatrix& F, const Matrix& pairs, page::Page& page) {
  TextTable counts;
  counts.columns = {"", "met", "violated"};
  page::PairTable broken(from, {"asked for", "the kernel says"});
  std::array<std::array<Index, 2>, 2> count{};  // must or cannot, met or not
  std::vector<std::pair<double, Index>> worst;
  for (Index k = 0; k < pairs.rows(); ++k) {
    const double value = F.row(Index(pairs(k, 0))).dot(F.row(Index(pairs(k, 1)))), sign = pairs(k, 2);
    const bool met = sign * value > 0;
    ++count[sign > 0 ? 0 : 1][met ? 0 : 1];
    if (!met) worst.emplace_back(sign * value, k);
  }
  std::ranges::stable_sort(worst, {}, [](const auto& each) { return each.first; });
  for (std::size_t w = 0; w < std::min<std::size_t>(worst.size(), 200); ++w) {
    const Index k = worst[w].second;
    broken.add(Index(pairs(k, 0)), Index(pairs(k, 1)),
               {pairs(k, 2) > 0 ? "together" : "apart",
                fmt::format("{} ({:.3g})", pairs(k, 2) > 0 ? "apart" : "together", pairs(k, 2) * worst[w].first)});
  }
  counts.rows = {{"must-links", std::to_string(count[0][0]), std::to_string(count[0][1])},
                 {"cannot-links", std::to_string(count[1][0]), std::to_string(count[1][1])}};
  page.table("Pairs that are met, and those that are not",
             "A must-link is met where the kernel of the two is positive, a cannot-link where it is negative.", counts);
  page.table("Violated pairs", "The worst first: mistakes among the pairs, or samples that do not fit the picture.",
             broken.table, broken.points);
}

void tell_suggestions(const page::Source& from, const RowMatrix& F, const ModelFile& model, page::Page& page) {
  constexpr Index kSuggested = 10;
  using namespace model_access;
  const Matrix &pairs = array(model, "pairs"), &centers = array(model, "centers");
  PairSet known;
  known.points = F.rows();
  for (Index k = 0; k < pairs.rows(); ++k)
    known.pairs.push_back({Index(pairs(k, 0)), Index(pairs(k, 1)), pairs(k, 2) > 0 ? 1 : -1});
  std::vector<int> labels;
  for (const Index c : numbers(array(model, "labels"), centers.rows())) labels.push_back(int(c));
  const bool unit = at(from.facts, "options.normalise_rows") == Json(true);
  const Blend blend = stored_blend(info_of(model));
  const auto fitted = stored_samples(model, array(model, "mean").rows());
  const RowMatrix* const samples = std::get_if<RowMatrix>(&fitted);
  if (blend.samples > 0 && !samples) return;
  const RowMatrix points = clustered_points(blend, samples ? *samples : RowMatrix(), unit ? unit_rows(F) : F);
  if (centers.rows() < 2 || centers.cols() != points.cols()) return;
  page::PairTable asked(from, {"their clusters"});
  for (const Edge& pair : suggested_pairs(points, labels, RowMatrix(centers), known, kSuggested))
    asked.add(pair.i, pair.j,
              {fmt::format("{} and {}", labels[std::size_t(pair.i)] + 1, labels[std::size_t(pair.j)] + 1)});
  page.table("Worth asking about next",
             "Do these belong together? Of these samples the clusters are least certain. An answer is a line of a file "
             "of pairs: two names, or numbers from 0, and must or cannot.",
             asked.table, asked.points);
}

}  // namespace

std::vector<page::Grouping> KernelTask::groups(const F& fit) {
  std::vector<page::Grouping> all{{"found cluster", fit.result.labels}};
  if (fit.known.truth.size() > 0) all.push_back({"truth", fit.known.truth});
  return all;
}

void KernelTask::tell(const page::Source& given, page::Page& page, const RunContext& context) {
  page::Source from = given;
  tell_heading(from.facts, page);
  page::BarGroup spectrum;
  for (const double value : page::numbers(from.facts, "result.weights"))
    if (spectrum.bars.size() < 15)
      spectrum.bars.push_back({fmt::format("dimension {}", spectrum.bars.size() + 1), value});
  if (!from.models.empty()) {
    const ModelFile& model = from.models[0];
    const Matrix& basis = model_access::array(model, "basis");
    const RowMatrix F = basis * model_access::array(model, "weights").cwiseMax(0).cwiseSqrt().col(0).asDiagonal();
    const RowMatrix Z = from.data ? transform(model, *from.data, context) : F;
    if (from.groups.empty() && !from.data) {
      Labels found{{}, numbered_names("", std::max<Index>(1, model_access::array(model, "centers").rows()))};
      for (const Index c : model_access::numbers(model_access::array(model, "labels"), found.classes()))
        found.of.push_back(int(c));
      from.groups.push_back({"found cluster", std::move(found)});
    } else if (from.groups.empty()) {
      from.groups.push_back({"found cluster", kernel::predict(model, *from.data, context).labels});
    }
    page::Scatter scatter = page::placed(from, Z, "dimension", {});
    scatter.title = "The samples as the kernel sees them";
    scatter.note = "Left the leading dimensions of the kernel, right features as they were measured.";
    page.scatter(std::move(scatter));
    tell_pairs(from, F, model_access::array(model, "pairs"), page);
    tell_suggestions(from, F, model, page);
  }
  page.table("Compared with other clusterings",
             "Agreement with the truth: 1 is perfect, an adjusted value of 0 is chance.",
             page::table_of(at(from.facts, "result.baselines"),
                            {{"name", ""}, {"rand", "Rand"}, {"adjusted_rand", "adjusted"}}));
  page.bars("Dimensions of the kernel", "Its eigenvalues: few large ones mean a simple picture.", {spectrum});
}

}  // namespace ritz::kernel
