// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>

#include "reproduce/simplenpkl/simplenpkl.hpp"
#include "ritz/base/error.hpp"

namespace ritz::reproduce {

SimplenpklOptions settled(SimplenpklOptions asked) {
  asked.parts = expanded(asked.parts, kSimplenpklParts, "only");
  asked.sets = expanded(asked.sets, kSimplenpklSets, "sets");
  if (asked.quick)
    std::erase_if(asked.sets, [](const std::string& name) {
      return name == "a2a" || name == "a3a" || name == "a4a" || name == "a5a_like" || name == "usps";
    });
  std::vector<std::string> known;
  for (const std::string& part : asked.parts)
    for (std::string& name : simplenpkl_sets_of(part))
      if (!contains(known, name)) known.push_back(std::move(name));
  if (std::ranges::none_of(known, [&](const std::string& name) { return contains(asked.sets, name); }))
    throw Error(ErrorCode::bad_option,
                fmt::format("reproduce.sets leaves nothing to measure{}: {} is about {}",
                            asked.quick ? " (reproduce.quick leaves out a2a to a5a_like and usps)" : "",
                            fmt::join(asked.parts, ", "), fmt::join(known, ", ")));
  return asked;
}

}  // namespace ritz::reproduce
