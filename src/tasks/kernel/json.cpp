// SPDX-License-Identifier: MIT
#include "tasks/kernel/json.hpp"

#include "base/machine.hpp"

namespace ritz {

namespace {

Json pairs_json(const LearnedKernel& learned) {
  const SettledPairs& settled = learned.settled;
  const Index used = Index(learned.pairs.pairs.size()), must = must_links(learned.pairs);
  return {{"source", learned.drawn ? "drawn" : "given"},
          {"given", learned.given},
          {"used", used},
          {"must", must},
          {"cannot", used - must},
          {"derived", settled.derived},
          {"repeated", settled.repeated},
          {"contradicted", settled.contradicted},
          {"dropped", settled.dropped.size()},
          {"satisfied", number_json(learned.fit.satisfied)}};
}

Json baselines_json(const LearnedKernel& learned) {
  Json all = Json::array();
  for (const Agreement& each : learned.baselines) {
    Json one = {{"name", each.name}, {"rand", number_json(each.rand)}, {"adjusted_rand", number_json(each.adjusted)}};
    if (!each.left_out.empty()) one["left_out"] = each.left_out;
    all.push_back(std::move(one));
  }
  return all;
}

Json suggestions_json(const LearnedKernel& learned) {
  Json all = Json::array();
  for (const Edge& pair : learned.suggestions)
    all.push_back(learned.ids.empty()
                      ? Json::array({pair.i, pair.j})
                      : Json::array({learned.ids[std::size_t(pair.i)], learned.ids[std::size_t(pair.j)]}));
  return all;
}

}  // namespace

Json bounds_json(double primal, double dual, double gap, double relative_gap) {
  return {{"gap", number_json(gap)},
          {"relative_gap", number_json(relative_gap)},
          {"primal", number_json(primal)},
          {"dual", number_json(dual)}};
}

Json graph_json(const Graph& graph, bool given, Index neighbours) {
  return {{"source", given ? "given" : "neighbours"},
          {"neighbours", given ? Json(nullptr) : Json(neighbours)},
          {"edges", graph.edges.size()},
          {"isolated", isolated_vertices(graph).size()},
          {"components", connected_components(graph).count}};
}

Json kernel_json(const LearnedKernel& learned, const KernelOptions& options, const npkl::Options& how) {
  const npkl::Result& fit = learned.fit;
  Json json = head_json("kernel", kKernelMethod);
  json.update(summary_json(fit.summary));
  json["certificate"] = bounds_json(fit.primal, fit.dual, fit.gap, fit.relative_gap);
  json["options"] = options_json(options);
  json["options"].update(options_json(how));
  json["options"]["clusters"] = learned.labels.classes();
  json["options"]["neighbours"] = learned.neighbours;
  if (how.ridge == 0 && how.budget == 0) json["options"]["ridge"] = npkl::default_ridge(learned.n);
  json["given"] = {{"clusters", options.clusters}, {"neighbours", options.neighbours}, {"ridge", how.ridge}};
  json["used"] = fit.summary.used;
  json["notes"] = fit.summary.notes;
  json["data"] = {{"n", learned.n}, {"d", learned.d}, {"hash", learned.data_hash}};
  Json result = {{"rank", fit.kernel.weights.size()},
                 {"positive_eigenvalues", fit.positive},
                 {"evaluations", fit.evaluations},
                 {"trace", number_json(fit.kernel.weights.sum())},
                 {"weights", vector_json(fit.kernel.weights)},
                 {"pairs", pairs_json(learned)},
                 {"graph", graph_json(learned.graph, learned.graph_given, learned.neighbours)},
                 {"clusters", {{"sizes", learned.labels.counts()}}},
                 {"rand", number_json(learned.rand)},
                 {"adjusted_rand", number_json(learned.adjusted_rand)},
                 {"baselines", baselines_json(learned)}};
  if (options.suggest > 0) result["suggestions"] = suggestions_json(learned);
  json["result"] = std::move(result);
  json["trace"] = trace_json(fit.summary.trace);
  json["files"] = Json::object();
  json["seconds"] = fit.summary.seconds;
  json["peak_memory_bytes"] = peak_memory_bytes();
  return json;
}

Json kernel_check_json(const KernelCheck& check) {
  Json json;
  json["objective"] = number_json(check.primal);
  json["certificate"] = bounds_json(check.primal, check.dual, check.gap, check.relative_gap);
  json["used"] = {{"spectrum", check.spectrum}};
  json["notes"] = check.notes;
  json["result"] = {{"stored_primal", number_json(check.stored_primal)},
                    {"stored_dual", number_json(check.stored_dual)},
                    {"values_agree", check.values_agree()},
                    {"tolerance", number_json(check.tolerance)},
                    {"within_tolerance", check.within_tolerance()},
                    {"feasible", check.feasible},
                    {"positive_eigenvalues", check.positive},
                    {"edges", check.edges}};
  return json;
}

}  // namespace ritz
