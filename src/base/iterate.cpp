// SPDX-License-Identifier: MIT
#include "ritz/base/iterate.hpp"

namespace ritz {

std::string_view to_string(Termination why) {
  switch (why) {
    case Termination::converged:
      return "converged";
    case Termination::stalled:
      return "stalled";
    case Termination::max_iterations:
      return "max_iterations";
    case Termination::time_limit:
      return "time_limit";
    case Termination::stopped_by_observer:
      return "stopped_by_observer";
    case Termination::interrupted:
      return "interrupted";
    case Termination::numerical_failure:
      return "numerical_failure";
  }
  return "unknown";
}

Termination termination_of(const Interrupted& interrupted) {
  return interrupted.why == Interrupted::Why::cancelled ? Termination::interrupted : Termination::time_limit;
}

void throw_if_interrupted(Termination why) {
  if (why == Termination::interrupted) throw Interrupted{Interrupted::Why::cancelled};
  if (why == Termination::time_limit) throw Interrupted{Interrupted::Why::time_limit};
}

}  // namespace ritz
