// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>

#include "reproduce/gmeb/gmeb.hpp"
#include "ritz/base/error.hpp"

namespace ritz::reproduce {

GmebOptions settled(GmebOptions asked) {
  asked.parts = expanded(asked.parts, kGmebParts, "only");
  if (asked.quick) asked.trials = std::min(asked.trials, 3);
  return asked;
}

}  // namespace ritz::reproduce
