// SPDX-License-Identifier: MIT
#include "ritz/base/version.hpp"

namespace ritz {

std::string_view version() { return RITZ_VERSION; }

}  // namespace ritz
