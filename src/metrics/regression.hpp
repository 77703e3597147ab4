// SPDX-License-Identifier: MIT
// How well numbers are predicted: the share of their variance that is explained, and simple predictors to compare with.
#pragma once

#include "ritz/base/context.hpp"
#include "ritz/base/types.hpp"

namespace ritz {

// 1 − Σ(y − ŷ)² / Σ(y − mean y)², a column each, and the mean over the columns that vary; NaN where none does.
double explained_variance(const RowMatrix& truth, const RowMatrix& predicted);

// The mean of the values of the k nearest training rows, for each test row.
RowMatrix knn_means(DataView train, const RowMatrix& values, DataView test, Index k, const RunContext& context);
// Least squares with a constant; directions without variance are left out.
RowMatrix least_squares(DataView train, const RowMatrix& values, DataView test);
// Partial least squares with `components` directions of largest covariance with the values (de Jong's SIMPLS), fewer
// where the data have none left.
RowMatrix partial_least_squares(DataView train, const RowMatrix& values, DataView test, Index components);

}  // namespace ritz
