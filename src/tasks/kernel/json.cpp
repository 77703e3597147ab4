// SPDX-License-Identifier: MIT
#include "tasks/bounds/bounds.hpp"
#include "tasks/kernel/task.hpp"

namespace ritz::kernel {

namespace {

Json pairs_json(const KernelResult& found) {
  const SettledPairs& settled = found.settled;
  const Index used = Index(found.pairs.pairs.size()), must = must_links(found.pairs);
  return {{"source", found.drawn ? "drawn" : "given"},
          {"given", found.given},
          {"used", used},
          {"must", must},
          {"cannot", used - must},
          {"derived", settled.derived},
          {"repeated", settled.repeated},
          {"contradicted", settled.contradicted},
          {"dropped", settled.dropped.size()},
          {"satisfied", number_json(found.fit.satisfied)}};
}

Json baselines_json(const KernelResult& found) {
  Json all = Json::array();
  for (const Agreement& each : found.baselines) {
    Json one = {{"name", each.name}, {"rand", number_json(each.rand)}, {"adjusted_rand", number_json(each.adjusted)}};
    if (!each.left_out.empty()) one["left_out"] = each.left_out;
    all.push_back(std::move(one));
  }
  return all;
}

Json suggestions_json(const KernelResult& found) {
  Json all = Json::array();
  for (const Edge& pair : found.suggestions)
    all.push_back(found.ids.empty() ? Json::array({pair.i, pair.j})
                                    : Json::array({found.ids[std::size_t(pair.i)], found.ids[std::size_t(pair.j)]}));
  return all;
}

}  // namespace

Json kernel_json(const KernelResult& found, const KernelOptions& options) {
  const npkl::Result& fit = found.fit;
  const npkl::Options& how = options.how;
  Facts facts{KernelTask::verb, KernelTask::method};
  facts.certificate = bounds_json(fit.primal, fit.dual, fit.gap, fit.relative_gap);
  facts.options = options_json(options);
  facts.options["clusters"] = found.labels.classes();
  facts.options["neighbours"] = found.neighbours;
  if (how.ridge == 0 && how.budget == 0) facts.options["ridge"] = npkl::default_ridge(found.n);
  facts.given = {{"clusters", options.clusters}, {"neighbours", options.neighbours}, {"ridge", how.ridge}};
  facts.data = {{"n", found.n}, {"d", found.d}, {"hash", found.data_hash}};
  facts.result = {{"rank", fit.kernel.weights.size()},
                  {"positive_eigenvalues", fit.positive},
                  {"evaluations", fit.evaluations},
                  {"trace", number_json(fit.kernel.weights.sum())},
                  {"weights", vector_json(fit.kernel.weights)},
                  {"pairs", pairs_json(found)},
                  {"graph", graph_json(found.graph, found.graph_given, found.neighbours)},
                  {"clusters", {{"sizes", found.labels.counts()}}},
                  {"rand", number_json(found.rand)},
                  {"adjusted_rand", number_json(found.adjusted_rand)},
                  {"baselines", baselines_json(found)}};
  if (options.suggest > 0) facts.result["suggestions"] = suggestions_json(found);
  return envelope(fit.summary, std::move(facts));
}

Json KernelTask::json(const Fit<KernelTask>& fit) { return kernel_json(fit.result, fit.options); }

}  // namespace ritz::kernel
