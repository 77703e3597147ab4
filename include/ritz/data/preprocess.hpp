// SPDX-License-Identifier: MIT
// Centring and scaling as a recorded, repeatable step.
#pragma once

#include <array>
#include <vector>

#include "ritz/base/text.hpp"
#include "ritz/data/dataset.hpp"

namespace ritz {

// whiten: columns of mean 0 and deviation 1, then decorrelated. `auto` is for the task to settle.
enum class Scaling { standard, center, none, whiten, automatic };
constexpr auto names_of(Scaling) { return std::array{"standard", "center", "none", "whiten", "auto"}; }

// A column is constant when max x − min x <= kConstantTolerance · max|x|: what is left of it is rounding of the last
// digits, and scaling it up to unit variance would turn that into data.
inline constexpr double kConstantTolerance = 0x1p-49;

// Coordinates of scaled samples: x ↦ x·basis. Empty: the columns as they are.
struct Frame {
  Matrix basis{};            // d × r
  Matrix inverse{};          // r × d, inverse·basis = I; empty where it is not known
  bool orthonormal = false;  // basisᵀ·basis = I
  bool empty() const { return basis.size() == 0; }
};
// An orthonormal basis that holds the rows of X, n of them for n × d samples with n < d: with B = X·basis,
// X = B·basisᵀ, so that whatever depends on products or differences of rows is the same in n coordinates as in d.
Frame row_space(DataView X);
// V·diag(c)^(−½), with the eigenpairs of C = (1 − s)·XᵀX/n + s·μ·I, μ the mean of the diagonal of XᵀX/n: with s = 0 the
// samples have covariance I, with s = 1 nothing changes but axes and unit. Directions without variance, below 1e-12 of
// the largest, are left out.
Frame whitening(DataView X, double shrinkage);
Frame whitening_by(Matrix covariance, double shrinkage);  // C with s = 0
inline constexpr double kUsualShrinkage = 0.1;

// x ↦ (x − mean) ∘ factor, and then the frame. Constant columns have factor 0 under `standard` and `whiten` (they
// become 0); population deviation. `none` is mean 0 and factor 1.
struct ColumnScaling {
  Vector mean;                          // d
  Vector factor;                        // d
  std::vector<Index> constant_columns;  // of the data it was learned from, whatever the kind
  Frame frame{};
};
// One pass; sparse data stays sparse. No frame is learned: `whiten` is `standard` here. Throws not_finite when a
// column's deviation overflows.
ColumnScaling learn_scaling(const Dataset& data, Scaling kind);
void apply_scaling(const ColumnScaling& scaling, RowMatrix& X);  // in place; not the frame

}  // namespace ritz
