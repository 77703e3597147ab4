// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>

#include "reproduce/ism_ikdr/ism_ikdr.hpp"
#include "ritz/base/error.hpp"

namespace ritz::reproduce {

IkdrOptions settled(IkdrOptions asked) {
  const bool figure_alone = asked.parts == std::vector<std::string>{"figure1b"};
  asked.parts = expanded(asked.parts, kParts, "only");
  asked.sets = expanded(asked.sets, kSets, "sets");
  asked.solvers = expanded(asked.solvers, kSolvers, "solvers");
  if (!asked.quick) return asked;
  asked.budget = std::min(asked.budget, 2.0);
  std::erase_if(asked.sets, [](const std::string& name) { return name == "face" || name == "mnist"; });
  if (asked.sets.empty() && !figure_alone)
    throw Error(ErrorCode::bad_option,
                "reproduce.quick leaves out face and mnist: name wine or cancer in reproduce.sets");
  return asked;
}

}  // namespace ritz::reproduce
