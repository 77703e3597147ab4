// SPDX-License-Identifier: MIT
// How long a fit may take: formulas in operations, divided by what a thread of this machine does just now.
#pragma once

#include "linalg/products/dgemm_rate.hpp"
#include "tasks/row.hpp"

namespace ritz {

// Operations a second of one thread: most of what a small fit does is not shared.
inline double thread_rate(const RunContext& context) {
  RunContext one = context;
  one.threads = 1;
  return dgemm_rate(one);
}

// The line "time" and result.seconds. Steps that a loop needs are not known before, and the formulas rest on few runs:
// the range says so, it is not measured.
inline void add_seconds(ForecastReport& report, double seconds) {
  report.lines.add("time", "about {}, perhaps {} to {}", seconds_text(seconds), seconds_text(seconds / 3),
                   seconds_text(3 * seconds));
  report.result["seconds"] = seconds;
}

}  // namespace ritz
