// SPDX-License-Identifier: MIT
// The page of `recluster`.
#include "tasks/projection/report.hpp"
#include "tasks/recluster/task.hpp"

namespace ritz::recluster {

namespace {

using page::at, page::number, page::words;

// The object of a view; the first is the whole one.
const Json& view_of(const Json& facts, std::size_t v) {
  if (v == 0) return facts;
  const Json& views = at(facts, "views");
  return views.is_array() && v - 1 < views.size() ? views[v - 1] : facts;
}

void tell_heading(const Json& facts, std::size_t views, page::Page& page) {
  const double novelty = number(facts, "result.novelty");
  page.question = "Is there another way to group these samples?";
  const std::string degenerate = words(facts, "result.degenerate");
  const std::string found = fmt::format(
      "{} clusters of {} samples, which share {:.3f} of the information of the given ones (0: wholly new, 1: the same)",
      at(facts, "result.sizes").size(), words(facts, "result.sizes"), novelty);
  page.answer = !degenerate.empty()    ? fmt::format("Nothing that can be relied on: {}.", degenerate)
                : novelty <= kLeastNew ? fmt::format("Yes: {}.", found)
                                       : fmt::format("Hardly. What comes nearest are {}.", found);
  page.verdict = projection::verdict_of(facts);
  if (degenerate.empty() && projection::nothing_found(facts)) {
    page.answer = fmt::format("Nothing says so. The clearest are {}.", found);
    if (page::converged(facts)) page.verdict = projection::chance_verdict(facts, "the columns", "clusters as clear");
  }
  if (!degenerate.empty())
    page.verdict = {page::Light::bad, "Degenerate", "The clusters say nothing: " + degenerate + "."};
  page.figures = {{"samples", words(facts, "data.n")},
                  {"features", fmt::format("{} → {}", number(facts, "data.d"), number(facts, "result.dimension"))},
                  {"clusters", std::to_string(at(facts, "result.sizes").size())},
                  {"novelty (NMI)", fmt::format("{:.3f}", novelty)},
                  {"quality", page::short_number(number(facts, "result.quality"))}};
  if (std::isfinite(number(facts, "result.null.p")))
    page.figures.emplace_back("chance (p)", page::short_number(number(facts, "result.null.p")));
  if (views > 1) page.figures.emplace_back("views", std::to_string(views));
}

// How many samples are in each of the given and each of the found clusters.
void tell_crossing(const page::Grouping& given, const page::Grouping& found, const std::string& title,
                   page::Page& page) {
  constexpr std::size_t kMost = 20;
  const auto &rows = given.labels, &columns = found.labels;
  if (rows.names.size() > kMost || columns.names.size() > kMost) return;
  std::vector<std::vector<Index>> count(rows.names.size(), std::vector<Index>(columns.names.size()));
  for (std::size_t i = 0; i < rows.of.size(); ++i) ++count[std::size_t(rows.of[i])][std::size_t(columns.of[i])];
  TextTable table;
  table.columns = {given.name};
  for (const std::string& name : columns.names) table.columns.push_back("found " + name);
  for (std::size_t r = 0; r < count.size(); ++r) {
    std::vector<std::string>& cells = table.rows.emplace_back(std::vector<std::string>{rows.names[r]});
    for (const Index each : count[r]) cells.push_back(std::to_string(each));
  }
  page.table(title, "Samples of each given cluster in each found one: rows that look alike mean that it is new.",
             table);
}

void tell_views(const Json& facts, std::size_t views, page::Page& page) {
  TextTable table;
  table.columns = {
      "view", "cluster sizes", "quality", "separation", "NMI with what it differs from", "NMI with the truth"};
  for (std::size_t v = 0; v < views; ++v) {
    const Json& view = view_of(facts, v);
    std::string novelty;
    for (const Json& each : at(view, "result.given"))
      novelty += fmt::format("{}{:.3f}", novelty.empty() ? "" : ", ", number(each, "novelty"));
    table.rows.push_back({std::to_string(v + 1), words(view, "result.sizes"),
                          page::short_number(number(view, "result.quality")),
                          page::short_number(number(view, "result.separation")), novelty,
                          page::short_number(number(view, "result.nmi"))});
  }
  page.table("Views, one after the other",
             "Each view must differ from the given clusterings and from all views before it: 0 is new, 1 the same.",
             table);
  page.table("Further clusterings that the search came across", "Good and new, too; more views would fit them.",
             page::table_of(at(facts, "result.alternatives"), {{"sizes", "cluster sizes"},
                                                               {"quality", "quality"},
                                                               {"separation", "separation"},
                                                               {"novelty", "novelty (NMI)"},
                                                               {"stability", "stability"},
                                                               {"score", "score"}}));
  page.table("Settings that were tried", words(facts, "result.tuning.reason"),
             page::table_of(at(facts, "result.tuning.path"), {{"multiple", "width, in medians"},
                                                              {"lambda", "lambda"},
                                                              {"dimension", "dimensions"},
                                                              {"quality", "quality"},
                                                              {"novelty", "novelty (NMI)"},
                                                              {"stability", "stability"},
                                                              {"score", "score"}}));
}

}  // namespace

std::vector<page::Grouping> ReclusterTask::groups(const F& fit) {
  std::vector<page::Grouping> all;
  for (std::size_t g = 0; g < fit.known.clusterings.size(); ++g)
    all.push_back({fit.known.clusterings.size() == 1 ? "given cluster" : fmt::format("given cluster {}", g + 1),
                   fit.known.clusterings[g]});
  if (fit.known.truth.size() > 0) all.push_back({"truth", fit.known.truth});
  for (std::size_t v = 0; v < fit.result.views.size(); ++v)
    all.push_back({v == 0 ? "found cluster" : fmt::format("found cluster, view {}", v + 1),
                   fit.result.views[v].clusters->labels});
  return all;
}

void ReclusterTask::tell(const page::Source& given, page::Page& page, const RunContext& context) {
  page::Source from = given;
  const std::size_t views = std::max<std::size_t>(1, from.models.size());
  tell_heading(from.facts, views, page);
  for (std::size_t v = 0; v < from.models.size(); ++v) {
    const ModelFile& model = from.models[v];
    const RowMatrix Z = projection::shown_samples(from, model, context);
    page::Scatter scatter = page::placed(from, Z, "axis", projection::feature_weight(model));
    const std::string found = v == 0 ? "found cluster" : fmt::format("found cluster, view {}", v + 1);
    int place = 0;
    for (std::size_t g = 0; g < scatter.groups.size(); ++g)
      if (scatter.groups[g].name == found) place = int(g);
    const int up = Z.cols() > 1 ? 1 : scatter.columns.size() > 1 ? 1 : 0;
    scatter.views = {{0, up, 0}, {0, up, place}};
    scatter.title = views == 1 ? "Given and found" : fmt::format("View {}: given and found", v + 1);
    scatter.note =
        place == 0
            ? "The samples in the new subspace, coloured by the found clusters."
            : "The same samples in the new subspace, coloured left by the given and right by the found clusters.";
    const page::Grouping first = scatter.groups.empty() ? page::Grouping{} : scatter.groups[0],
                         last = scatter.groups.empty() ? page::Grouping{} : scatter.groups[std::size_t(place)];
    page.scatter(std::move(scatter));
    const std::string which = views == 1 ? "" : fmt::format("View {}: ", v + 1);
    if (place > 0) tell_crossing(first, last, which + "How the two cross", page);
    projection::tell_loadings(from, model, page, which);
  }
  tell_views(from.facts, views, page);
}

}  // namespace ritz::recluster
