// SPDX-License-Identifier: MIT
// Centring and scaling as a recorded, repeatable step.
#pragma once

#include <array>
#include <vector>

#include "ritz/base/text.hpp"
#include "ritz/data/dataset.hpp"

namespace ritz {

enum class Scaling { standard, center, none };
constexpr auto names_of(Scaling) { return std::array{"standard", "center", "none"}; }

// A column is constant when max x − min x <= kConstantTolerance · max|x|: what is left of it is rounding of the last
// digits, and scaling it up to unit variance would turn that into data.
inline constexpr double kConstantTolerance = 0x1p-49;

// x ↦ (x − mean) ∘ factor. Constant columns have factor 0 under `standard` (they become 0); population deviation.
// `none` is mean 0 and factor 1.
struct ColumnScaling {
  Vector mean;                          // d
  Vector factor;                        // d
  std::vector<Index> constant_columns;  // of the data it was learned from, whatever the kind
};
// One pass; sparse data stays sparse. Throws not_finite when a column's deviation overflows.
ColumnScaling learn_scaling(const Dataset& data, Scaling kind);
void apply_scaling(const ColumnScaling& scaling, RowMatrix& X);  // in place

}  // namespace ritz
