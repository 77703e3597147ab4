// SPDX-License-Identifier: MIT
// Scaling of many rows by several threads, with the bits of one.
#pragma once

#include "ritz/base/context.hpp"
#include "ritz/data/preprocess.hpp"

namespace ritz {

ColumnScaling learn_scaling(const Dataset& data, Scaling kind, const RunContext& context);
RowMatrix scaled_rows(const ColumnScaling& scaling, const RowsView& X, const RunContext& context);  // not the frame

}  // namespace ritz
