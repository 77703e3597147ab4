// SPDX-License-Identifier: MIT
// The one JSON object that every task prints and every model file keeps: the same keys, whatever the task.
#pragma once

#include <string>
#include <string_view>

#include "report/json.hpp"
#include "ritz/base/iterate.hpp"

namespace ritz {

struct Facts {
  std::string_view verb, method;
  Json certificate = Json::object();
  Json options = Json::object();  // as used
  Json given = Json::object();    // as asked for, where that differs: "auto"
  Json data = Json::object();     // n, d, hash
  Json result = Json::object();
};

// ritz, verb, method, status, stop_reason, message, iterations, objective, certificate, options, given, used, notes,
// data, result, trace, files, seconds, peak_memory_bytes.
Json envelope(const Summary& summary, Facts facts);

// What a model keeps of it: not what passes with the run (trace, files, seconds, memory).
std::string info_text(Json envelope);

}  // namespace ritz
