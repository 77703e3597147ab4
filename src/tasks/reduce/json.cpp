// SPDX-License-Identifier: MIT
#include "tasks/reduce/json.hpp"

#include "base/machine.hpp"

namespace ritz {

namespace {

Json loadings_json(const Reduction& reduction) {
  Json axes = Json::array();
  for (Index a = 0; a < reduction.fit.W.cols(); ++a) {
    Json axis = Json::array();
    for (const Index i : strongest_features(reduction.fit.W.col(a), kLoadingsShown))
      axis.push_back({{"feature", reduction.feature_names[std::size_t(i)]}, {"loading", reduction.fit.W(i, a)}});
    axes.push_back(std::move(axis));
  }
  return axes;
}

}  // namespace

Json reduction_json(const Reduction& reduction, const ReduceOptions& options, const ism::Options& how) {
  Json json = head_json("reduce", "ism");
  json.update(summary_json(reduction.fit.summary));
  json["certificate"] = certificate_json(reduction.fit.certificate);
  json["options"] = options_json(options);
  json["options"].update(options_json(how));
  json["options"]["mode"] = TextForm<Mode>::print(reduction.mode);
  json["options"]["dim"] = reduction.fit.W.cols();
  json["options"]["kernel"] = kernel_text(reduction.kernel);
  json["options"].erase("dimension");
  json["given"] = {{"dim", TextForm<Dimension>::print(options.dim)}, {"kernel", options.kernel}};
  json["used"] = reduction.fit.summary.used;
  json["notes"] = reduction.fit.summary.notes;
  json["data"] = {{"n", reduction.n}, {"d", reduction.d}, {"hash", reduction.data_hash}};
  Json result = {{"dimension", reduction.fit.W.cols()},
                 {"eigenvalues", vector_json(reduction.fit.certificate.eigenvalues)},
                 {"start_objective", number_json(reduction.fit.start_objective)},
                 {"gamma_trace", number_json(reduction.gamma_trace)},
                 {"classes", reduction.classes.names},
                 {"class_counts", reduction.classes.counts()},
                 {"top_loadings", loadings_json(reduction)}};
  if (reduction.holdout.test > 0)
    result["holdout"] = {{"train", reduction.holdout.train},
                         {"test", reduction.holdout.test},
                         {"neighbours", reduction.holdout.neighbours},
                         {"accuracy_before", number_json(reduction.holdout.accuracy_before)},
                         {"accuracy_after", number_json(reduction.holdout.accuracy_after)}};
  if (reduction.clusters) {
    const ClusterReport& clusters = *reduction.clusters;
    result["clusters"] = {{"sizes", clusters.labels.counts()},
                          {"quality", number_json(clusters.quality)},
                          {"gap", number_json(clusters.gap)},
                          {"labelled_by", clusters.labelled_by},
                          {"nmi", number_json(clusters.nmi)},
                          {"nmi_spectral", number_json(clusters.nmi_spectral)},
                          {"nmi_kmeans", number_json(clusters.nmi_kmeans)}};
  }
  json["result"] = std::move(result);
  json["trace"] = trace_json(reduction.fit.summary.trace);
  json["files"] = Json::object();
  json["seconds"] = reduction.fit.summary.seconds;
  json["peak_memory_bytes"] = peak_memory_bytes();
  return json;
}

}  // namespace ritz
