// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>

#include "reproduce/near_isometric/near_isometric.hpp"
#include "ritz/base/error.hpp"

namespace ritz::reproduce {

NearIsometricOptions settled(NearIsometricOptions asked) {
  asked.parts = expanded(asked.parts, kIsometryParts, "only");
  asked.methods = expanded(asked.methods, kIsometryMethods, "methods");
  return asked;
}

}  // namespace ritz::reproduce
