// SPDX-License-Identifier: MIT
#include "report/json.hpp"

#include <cmath>

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
  Json json = Json::object();
  for (std::size_t c = 0; c < trace.columns.size(); ++c) {
    Json column = Json::array();
    for (std::size_t r = 0; r < trace.rows(); ++r) column.push_back(number_json(trace.at(r, c)));
    json[trace.columns[c]] = std::move(column);
  }
  return json;
}

}  // namespace ritz
