// SPDX-License-Identifier: MIT
// A part of the time that is left, for what comes before the work itself: the rest stays for the latter.
#pragma once

#include <chrono>

#include "ritz/base/context.hpp"

namespace ritz {

// `context` with a deadline at one `part`-th of the time until its own; the same where it has none, or is past it.
inline RunContext part_of_time(const RunContext& context, int part) {
  RunContext hurried = context;
  const auto now = std::chrono::steady_clock::now();
  if (context.deadline != std::chrono::steady_clock::time_point::max() && context.deadline > now)
    hurried.deadline = now + (context.deadline - now) / part;
  return hurried;
}

}  // namespace ritz
