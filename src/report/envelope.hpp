// SPDX-License-Identifier: MIT
// The one JSON object that every task prints and every model file keeps: the same keys, whatever the task.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "ritz/algorithms/ism.hpp"
#include "ritz/base/iterate.hpp"
#include "ritz/base/options.hpp"

namespace ritz {

using Json = nlohmann::ordered_json;  // prints NaN and infinities, which JSON has not, as null

Json vector_json(const Vector& values);
// Names come from files and need not be UTF-8: what is not becomes U+FFFD.
std::string json_text(const Json& json, int indent = -1);
// How the object of every verb begins.
Json head_json(std::string_view verb, std::string_view method, std::string_view status = "fine");
Json certificate_json(const ism::Certificate& certificate);
Json trace_json(const Trace& trace);        // columns by name
Json summary_json(const Summary& summary);  // status, stop_reason, message, iterations, objective

// Values of a field table, numbers as numbers.
template <OptionTable O>
Json options_json(const O& options) {
  Json json = Json::object();
  for (const auto& [name, text] : text_values(options)) {
    const auto number = read_double(text);
    if (number && std::isfinite(*number))
      json[name] =
          *number == std::floor(*number) && std::abs(*number) < 1e15 ? Json((long long)*number) : Json(*number);
    else if (text == "true" || text == "false")
      json[name] = text == "true";
    else
      json[name] = text;
  }
  return json;
}

struct Facts {
  Facts(std::string_view task, std::string_view by) : verb(task), method(by) {}
  std::string verb, method;
  Json certificate = Json::object();
  Json options = Json::object();  // as used
  Json given = Json::object();    // as asked for, where that differs: "auto"
  Json data = Json::object();     // n, d, hash
  Json result = Json::object();
};

// Its keys, in this order (the reference pages take them from here):
//   ritz               version of the program
//   verb               the task
//   method             the algorithm that solved it
//   status             `converged`, `not_converged` or `failed`
//   stop_reason        why the loop ended: `converged`, `stalled`, `max_iterations`, `time_limit`, `interrupted`, …
//   message            the same in words
//   iterations         how many steps it took
//   objective          what was made large or small, at the end
//   certificate        numbers that tell how good the result is, whatever found it
//   options            all options as they were used
//   given              options as asked for, where they were left to the program: `auto`, 0
//   used               what was chosen on the way, with the reason; the backend
//   notes              what the user should know
//   data               sizes of the data, and a hash of the values
//   result             what was found
//   trace              one list a column, an entry an iteration: iteration, objective, measure, seconds, …
//   files              what was written, by kind
//   seconds            time by phase
//   peak_memory_bytes  of the whole process
Json envelope(const Summary& summary, Facts facts);

// What a model keeps of it: not what passes with the run (trace, files, memory, and seconds wherever they stand).
std::string info_text(Json envelope);

}  // namespace ritz
