// SPDX-License-Identifier: MIT
#include "app/report_json.hpp"

#include <cmath>

#include "ritz/app/machine.hpp"
#include "ritz/base/version.hpp"

namespace ritz {

Json number_json(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

std::string json_text(const Json& json, int indent) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

Json vector_json(const Vector& values) {
  Json json = Json::array();
  for (Index i = 0; i < values.size(); ++i) json.push_back(number_json(values[i]));
  return json;
}

Json head_json(std::string_view verb, std::string_view method, std::string_view status) {
  return {{"ritz", version()}, {"verb", verb}, {"method", method}, {"status", status}};
}

Json certificate_json(const ism::Certificate& certificate) {
  return {{"first_order", number_json(certificate.first_order)},
          {"eigengap", number_json(certificate.eigengap)},
          {"dominance", number_json(certificate.dominance)},
          {"curvature", number_json(certificate.curvature)},
          {"curvature_note", certificate.curvature_note},
          {"inequality_gap", number_json(certificate.inequality_gap)},
          {"inequality_bound", number_json(certificate.inequality_bound)},
          {"inequality_holds", certificate.inequality_holds ? Json(*certificate.inequality_holds) : Json(nullptr)},
          {"orthonormality", number_json(certificate.orthonormality)},
          {"phi_norm", number_json(certificate.phi_norm)},
          {"precision_error", number_json(certificate.precision_error)},
          {"approximation",
           {{"objective_error", number_json(certificate.approximation.objective)},
            {"phi_error", number_json(certificate.approximation.phi)},
            {"first_order_bound", number_json(certificate.first_order_bound)}}}};
}

Json summary_json(const Summary& summary) {
  Json json;
  json["status"] = summary.converged() ? "converged" : summary.usable() ? "not_converged" : "failed";
  json["stop_reason"] = to_string(summary.termination);
  json["message"] = summary.message;
  json["iterations"] = summary.iterations;
  json["objective"] = number_json(summary.objective);
  return json;
}

Json trace_json(const Trace& trace) {
  Json json;
  for (std::size_t c = 0; c < trace.columns.size(); ++c) {
    Json column = Json::array();
    for (std::size_t r = 0; r < trace.rows(); ++r) column.push_back(number_json(trace.at(r, c)));
    json[trace.columns[c]] = std::move(column);
  }
  return json;
}

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
