// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>

#include "reproduce/ism_kdac/ism_kdac.hpp"
#include "ritz/base/error.hpp"

namespace ritz::reproduce {

KdacOptions settled(KdacOptions asked) {
  asked.parts = expanded(asked.parts, kKdacParts, "only");
  asked.sets = expanded(asked.sets, kKdacSets, "sets");
  asked.solvers = expanded(asked.solvers, kKdacSolvers, "solvers");
  return asked;
}

}  // namespace ritz::reproduce
