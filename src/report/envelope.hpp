// SPDX-License-Identifier: MIT
// The one JSON object that every task prints and every model file keeps: the same keys, whatever the task.
#pragma once

#include <string>
#include <string_view>

#include "report/json.hpp"
#include "ritz/base/iterate.hpp"

namespace ritz {

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
