// SPDX-License-Identifier: MIT
// Euclidean projections onto simple convex sets.
#pragma once

#include "ritz/base/types.hpp"

namespace ritz {

Vector project_simplex(const Vector& v, double total = 1.0);                 // {x >= 0, Σx = total}
Vector project_l1_ball(const Vector& v, double radius = 1.0);                // {Σ|x| <= radius}
Vector project_box(const Vector& v, const Vector& low, const Vector& high);  // entrywise

}  // namespace ritz
