// SPDX-License-Identifier: MIT
#include "ritz/base/iterate.hpp"

namespace ritz {

Termination termination_of(const Interrupted& interrupted) {
  return interrupted.why == Interrupted::Why::cancelled ? Termination::interrupted : Termination::time_limit;
}

void keep(Archive& archive, Trace& trace) {
  auto& [columns, values] = trace;
  archive(columns, values);
}

void keep(Archive& archive, Summary& summary) {
  auto& [termination, message, iterations, objective, measure, trace, seconds, used, notes] = summary;
  archive(termination, message, iterations, objective, measure, trace, seconds, used, notes);
}

void throw_if_interrupted(Termination why) {
  if (why == Termination::interrupted) throw Interrupted{Interrupted::Why::cancelled};
  if (why == Termination::time_limit) throw Interrupted{Interrupted::Why::time_limit};
}

}  // namespace ritz
