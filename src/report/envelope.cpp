// SPDX-License-Identifier: MIT
#include "report/envelope.hpp"

#include "base/machine.hpp"

namespace ritz {

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

namespace {

void erase_seconds(Json& json) {
  if (json.is_object()) json.erase("seconds");
  for (Json& part : json)
    if (part.is_structured()) erase_seconds(part);
}

}  // namespace

std::string info_text(Json envelope) {
  for (const char* passing : {"trace", "files", "peak_memory_bytes"}) envelope.erase(passing);
  erase_seconds(envelope);
  return json_text(envelope);
}

}  // namespace ritz
