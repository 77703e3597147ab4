// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "ritz/base/context.hpp"

namespace ritz {

// Throws ErrorCode::memory when `bytes` exceed context.max_memory: "WHAT needs about 3 GiB, but run.max_memory allows
// 1 GiB".
void require_memory(double bytes, const RunContext& context, std::string_view what);

}  // namespace ritz
