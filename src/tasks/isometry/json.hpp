// SPDX-License-Identifier: MIT
#pragma once

#include "report/json.hpp"
#include "ritz/tasks/isometry.hpp"

namespace ritz {

Json isometry_json(const Isometry& found, const IsometryOptions& options, const isometry::Options& how);
Json sweep_json(const isometry::Sweep& sweep);

}  // namespace ritz
