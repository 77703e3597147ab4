// SPDX-License-Identifier: MIT
#pragma once

#include "data/streams/byte_source.hpp"
#include "ritz/base/context.hpp"
#include "ritz/base/types.hpp"

namespace ritz::detail {

// Also what an NPZ archive holds.
RowMatrix read_npy(ByteSource& source, const RunContext& context);

}  // namespace ritz::detail
