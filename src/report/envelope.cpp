// SPDX-License-Identifier: MIT
#include "report/envelope.hpp"

#include <cmath>

#include "base/machine.hpp"
#include "ritz/base/version.hpp"

namespace ritz {

namespace {

void erase_seconds(Json& json) {
  if (json.is_object()) json.erase("seconds");
  for (Json& part : json)
    if (part.is_structured()) erase_seconds(part);
}

}  // namespace

std::string json_text(const Json& json, int indent) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

Json vector_json(const Vector& values) {
  Json json = Json::array();
  for (Index i = 0; i < values.size(); ++i) json.push_back(values[i]);
  return json;
}

Json head_json(std::string_view verb, std::string_view method, std::string_view status) {
  return {{"ritz", version()}, {"verb", verb}, {"method", method}, {"status", status}};
}

Json certificate_json(const ism::Certificate& certificate) {
  Json json = {{"first_order", certificate.first_order},
               {"kept_order", certificate.kept_order},
               {"eigengap", certificate.eigengap},
               {"dominance", certificate.dominance},
               {"curvature", certificate.curvature},
               {"curvature_note", certificate.curvature_note},
               {"inequality_gap", certificate.inequality_gap},
               {"inequality_bound", certificate.inequality_bound},
               {"inequality_holds", certificate.inequality_holds ? Json(*certificate.inequality_holds) : Json(nullptr)},
               {"orthonormality", certificate.orthonormality},
               {"phi_norm", certificate.phi_norm},
               {"precision_error", certificate.precision_error},
               {"approximation",
                {{"objective_error", certificate.approximation.objective},
                 {"phi_error", certificate.approximation.phi},
                 {"first_order_bound", certificate.first_order_bound}}}};
  if (const auto& sampling = certificate.sampling)
    json["sampling"] = {{"share", sampling->share},
                        {"rows", sampling->rows},
                        {"objective_fitted", sampling->fitted},
                        {"objective_estimate", sampling->estimate},
                        {"objective_low", sampling->low},
                        {"objective_high", sampling->high},
                        {"confidence", ism::Sampling::kConfidence},
                        {"objective_exact", sampling->exact},
                        {"corrected", sampling->corrected},
                        {"exact_first_order", sampling->exact_first_order}};
  return json;
}

Json summary_json(const Summary& summary) {
  Json json = Json::object();  // where null becomes one and memory is refused, the library's destructor crashes
  json["status"] = summary.converged() ? "converged" : summary.usable() ? "not_converged" : "failed";
  json["stop_reason"] = to_string(summary.termination);
  json["message"] = summary.message;
  json["iterations"] = summary.iterations;
  json["objective"] = summary.objective;
  return json;
}

Json trace_json(const Trace& trace) {
  Json json = Json::object();
  for (std::size_t c = 0; c < trace.columns.size(); ++c) {
    Json column = Json::array();
    for (std::size_t r = 0; r < trace.rows(); ++r) column.push_back(trace.at(r, c));
    json[trace.columns[c]] = std::move(column);
  }
  return json;
}

Json envelope(const Summary& summary, Facts facts) {
  Json json = head_json(facts.verb, facts.method);
  json.update(summary_json(summary));
  json["certificate"] = std::move(facts.certificate);
  json["options"] = std::move(facts.options);
  json["given"] = std::move(facts.given);
  json["used"] = summary.used;
  json["notes"] = summary.notes;
  json["data"] = std::move(facts.data);
  json["result"] = std::move(facts.result);
  json["trace"] = trace_json(summary.trace);
  json["files"] = Json::object();
  json["seconds"] = summary.seconds;
  json["peak_memory_bytes"] = peak_memory_bytes();
  return json;
}

std::string info_text(Json envelope) {
  for (const char* passing : {"trace", "files", "peak_memory_bytes"}) envelope.erase(passing);
  erase_seconds(envelope);
  return json_text(envelope);
}

}  // namespace ritz
