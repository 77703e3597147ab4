// SPDX-License-Identifier: MIT
#include "base/memory.hpp"

#include <fmt/format.h>

#include "ritz/base/error.hpp"
#include "ritz/base/text.hpp"

namespace ritz {

void require_memory(double bytes, const RunContext& context, std::string_view what) {
  if (bytes <= double(context.max_memory)) return;
  throw Error(ErrorCode::memory, fmt::format("{} needs about {}, but run.max_memory allows {}", what, bytes_text(bytes),
                                             bytes_text(double(context.max_memory))));
}

}  // namespace ritz
