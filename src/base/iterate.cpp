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

}  // namespace ritz
