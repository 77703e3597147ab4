// SPDX-License-Identifier: MIT
#pragma once

#include <fmt/format.h>

#include <utility>

#include "ritz/base/error.hpp"

namespace ritz {

// Throws an Error whose message is made as by fmt::format.
template <class... Args>
[[noreturn]] void fail(ErrorCode code, fmt::format_string<Args...> message, Args&&... args) {
  throw Error(code, fmt::format(message, std::forward<Args>(args)...));
}

}  // namespace ritz
