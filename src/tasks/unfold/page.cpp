// SPDX-License-Identifier: MIT
// The page of `unfold`.
#include "tasks/model/access.hpp"
#include "tasks/unfold/task.hpp"

namespace ritz::unfold {

namespace {

using page::at, page::number, page::percent, page::words;

bool baseline_named(const std::string& method) { return method == "pca" || method == "kpca"; }

page::Verdict verdict_of(const Json& facts) {
  const std::string method = words(facts, "method");
  if (baseline_named(method))
    return {page::Light::good, "Proven",
            "Principal components have a closed form: no other directions hold more variance."};
  page::Verdict verdict = page::bounded(facts, number(facts, "certificate.primal"), number(facts, "certificate.dual"),
                                        number(facts, "options.tolerance"), "this embedding's kernel");
  const double smooth = number(facts, "result.smooth");
  if (smooth > 0 && verdict.light == page::Light::good)
    verdict = {page::Light::good, "Proven among smooth embeddings",
               fmt::format("No embedding within the {} smoothest vectors of the graph is better by more than {}. What "
                           "less smooth ones could gain is not known: so many samples are not embedded freely.",
                           smooth, percent(number(facts, "certificate.relative_gap")))};
  if (method == "mve" && verdict.light == page::Light::good)
    return {page::Light::fair, "Local optimum",
            "Each of its fits is solved to a proven optimum; their sequence has settled, but another start could end "
            "elsewhere."};
  return verdict;
}

void tell_fidelity(const Json& facts, page::Page& page) {
  TextTable table;
  table.columns = {"what should be kept", "how well"};
  const auto row = [&](const char* name, double value, bool share) {
    if (std::isfinite(value)) table.rows.push_back({name, share ? percent(value) : page::short_number(value)});
  };
  row("squared distances of neighbours, mean change", number(facts, "result.stretch"), true);
  row("squared distances of neighbours, largest change", number(facts, "result.max_stretch"), true);
  row("a stranger is nearer than a neighbour by at most", number(facts, "result.slack"), false);
  row("neighbours that are still the nearest", number(facts, "result.kept_neighbours"), true);
  row("the same in all dimensions of the kernel", number(facts, "result.kept_neighbours_kernel"), true);
  row("variance that the shown dimensions hold", number(facts, "result.held"), true);
  page.table("Fidelity",
             "What the picture keeps of the data; it is drawn in few dimensions, and what does not fit is lost.",
             table);
  TextTable accuracy;
  accuracy.columns = {"5 nearest neighbours, leave one out", "right"};
  const auto right = [&](const char* name, const char* path) {
    if (std::isfinite(number(facts, path))) accuracy.rows.push_back({name, percent(number(facts, path))});
  };
  right("in this embedding", "result.accuracy.embedding");
  right("in as many principal components", "result.accuracy.pca");
  right("with all features", "result.accuracy.all_features");
  page.table("Compared with principal components", "Do samples of one class still lie together?", accuracy);
  page::BarGroup spectrum;
  for (const double value : page::numbers(facts, "result.spectrum"))
    if (spectrum.bars.size() < 12)
      spectrum.bars.push_back({fmt::format("dimension {}", spectrum.bars.size() + 1), value});
  page.bars("How many dimensions there are",
            "Variance along each dimension: where it falls to nothing, no more are needed.", {spectrum});
}

}  // namespace

void UnfoldTask::tell(const page::Source& from, page::Page& page, const RunContext& context) {
  constexpr std::size_t kMostEdges = 20'000;
  const Json& facts = from.facts;
  const Index q = page::whole(facts, "result.dimension");
  page.question = "What shape do the samples have when they are unfolded?";
  page.answer =
      fmt::format("{} hold {} of the variance; {} of the neighbours stay neighbours{}.", counted(q, "dimension"),
                  percent(number(facts, "result.held")), percent(number(facts, "result.kept_neighbours")),
                  std::isfinite(number(facts, "result.stretch"))
                      ? fmt::format(", and squared distances between them change by {} on average",
                                    percent(number(facts, "result.stretch")))
                      : "");
  page.verdict = verdict_of(facts);
  page.figures = {{"samples", words(facts, "data.n")},
                  {"dimensions", number(facts, "data.d") > 0 ? fmt::format("{} → {}", number(facts, "data.d"), q)
                                                             : std::to_string(q)},
                  {"neighbours kept", percent(number(facts, "result.kept_neighbours"))},
                  {"variance held", percent(number(facts, "result.held"))},
                  {"method", words(facts, "method")}};
  if (!from.models.empty()) {
    const ModelFile& model = from.models[0];
    const bool placed = from.data && from.data->cols() > 0;
    const RowMatrix Z =
        placed ? transform(model, *from.data, context) : RowMatrix(model_access::array(model, "embedding"));
    page::Scatter scatter = page::placed(from, Z, "dimension", {});
    scatter.title = "The unfolded samples";
    scatter.note = placed ? "Left the new dimensions, with the neighbours joined; right features as they were measured."
                          : "The new dimensions, with the neighbours joined.";
    scatter.equal_scale = !placed;
    const Matrix& edges = model_access::array(model, "edges");
    if (Z.rows() == model_access::array(model, "embedding").rows() && std::size_t(edges.rows()) <= kMostEdges)
      for (Index e = 0; e < edges.rows(); ++e) scatter.edges.push_back({Index(edges(e, 0)), Index(edges(e, 1))});
    page.scatter(std::move(scatter));
  }
  tell_fidelity(facts, page);
}

}  // namespace ritz::unfold
