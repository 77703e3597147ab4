// SPDX-License-Identifier: MIT
#include "tasks/bounds/bounds.hpp"
#include "tasks/unfold/task.hpp"

namespace ritz::unfold {

Json unfold_json(const UnfoldResult& found, const UnfoldOptions& options) {
  const Result& fit = found.fit;
  const Options& how = options.how;
  const std::string method = TextForm<UnfoldMethod>::print(found.method);
  Facts facts{UnfoldTask::verb, method};
  facts.certificate = bounds_json(fit.objective, fit.dual, fit.gap, fit.relative_gap);
  facts.options = options_json(options);
  facts.options["neighbours"] = found.neighbours;
  facts.options["tolerance"] = resolved_tolerance(resolved(options));
  if (!is_baseline(found.method)) {
    facts.options["penalty"] = number_json(found.penalties[0]);
    if (found.method == UnfoldMethod::spe && how.ridge == 0 && how.budget == 0) facts.options["budget"] = found.n;
  }
  facts.given = {{"neighbours", options.neighbours},
                 {"penalty", how.penalty},
                 {"budget", how.budget},
                 {"tolerance", how.tolerance}};
  facts.data = {{"n", found.n}, {"d", found.d}, {"hash", found.data_hash}};
  facts.result = {{"dimension", fit.embedding.cols()},
                  {"spectrum", vector_json(fit.spectrum)},
                  {"trace", number_json(fit.trace)},
                  {"held", number_json(fit.held)},
                  {"stretch", number_json(fit.stretch)},
                  {"max_stretch", number_json(found.max_stretch)},
                  {"slack", number_json(fit.slack)},
                  {"constraints", fit.constraints},
                  {"rounds", fit.rounds},
                  {"evaluations", fit.evaluations},
                  {"kept_neighbours", number_json(found.kept_neighbours)},
                  {"kept_neighbours_kernel", number_json(found.kept_neighbours_kernel)},
                  {"graph", graph_json(found.graph, found.graph_given, found.neighbours)},
                  {"parts", found.parts}};
  facts.result["accuracy"] = {{"embedding", number_json(found.accuracy.embedding)},
                              {"pca", number_json(found.accuracy.pca)},
                              {"all_features", number_json(found.accuracy.all)}};
  Json json = envelope(fit.summary, std::move(facts));
  json["objective"] = number_json(fit.objective);
  return json;
}

Json UnfoldTask::json(const Fit<UnfoldTask>& fit) { return unfold_json(fit.result, fit.options); }

}  // namespace ritz::unfold
