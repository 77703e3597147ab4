// SPDX-License-Identifier: MIT
// Numbers that stand for many.
#pragma once

#include <span>
#include <vector>

namespace ritz {

double mean(std::span<const double> values);       // NaN without values
double deviation(std::span<const double> values);  // of the population; NaN without values
std::vector<double> finite(std::span<const double> values);

// Interpolated between the two nearest of the sorted values (numpy's default); there is at least one.
double quantile(std::span<const double> sorted, double share);

}  // namespace ritz
