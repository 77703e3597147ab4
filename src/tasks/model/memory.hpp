// SPDX-License-Identifier: MIT
// What samples take, and whether a task may begin.
#pragma once

#include <string>
#include <string_view>

#include "ritz/base/context.hpp"
#include "ritz/data/dataset.hpp"

namespace ritz {

double data_bytes(const Dataset& data);  // of the samples

// Throws ErrorCode::memory when `bytes` are more than the context allows.
void require_memory(double bytes, const RunContext& context, std::string_view what);

// Sparse samples as dense rows; nothing for dense data, nor, with the reason, where they would take too much.
RowMatrix filled_in(const Dataset& data, const RunContext& context, std::string& left_out);

}  // namespace ritz
