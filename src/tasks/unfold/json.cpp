// SPDX-License-Identifier: MIT
#include "tasks/unfold/json.hpp"

#include "base/machine.hpp"
#include "tasks/kernel/json.hpp"
#include "tasks/unfold/parts.hpp"

namespace ritz {

Json unfold_json(const Unfolding& found, const UnfoldOptions& options, const unfold::Options& how) {
  const unfold::Result& fit = found.fit;
  Json json = head_json("unfold", TextForm<UnfoldMethod>::print(found.method));
  json.update(summary_json(fit.summary));
  json["objective"] = number_json(fit.objective);
  json["certificate"] = bounds_json(fit.objective, fit.dual, fit.gap, fit.relative_gap);
  unfold::Options resolved = how;
  resolved.method = unfold_method(found.method);
  json["options"] = options_json(resolved);
  json["options"].update(options_json(options));
  json["options"]["neighbours"] = found.neighbours;
  json["options"]["tolerance"] = unfold::resolved_tolerance(resolved);
  if (!is_baseline(found.method)) {
    json["options"]["penalty"] = number_json(found.penalties[0]);
    if (found.method == UnfoldMethod::spe && how.ridge == 0 && how.budget == 0) json["options"]["budget"] = found.n;
  }
  json["given"] = {{"neighbours", options.neighbours},
                   {"penalty", how.penalty},
                   {"budget", how.budget},
                   {"tolerance", how.tolerance}};
  json["used"] = fit.summary.used;
  json["notes"] = fit.summary.notes;
  json["data"] = {{"n", found.n}, {"d", found.d}, {"hash", found.data_hash}};
  Json result = {{"dimension", fit.embedding.cols()},
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
  result["accuracy"] = {{"embedding", number_json(found.accuracy.embedding)},
                        {"pca", number_json(found.accuracy.pca)},
                        {"all_features", number_json(found.accuracy.all)}};
  json["result"] = std::move(result);
  json["trace"] = trace_json(fit.summary.trace);
  json["files"] = Json::object();
  json["seconds"] = fit.summary.seconds;
  json["peak_memory_bytes"] = peak_memory_bytes();
  return json;
}

}  // namespace ritz
