// SPDX-License-Identifier: MIT
#pragma once

#include "report/json.hpp"
#include "ritz/tasks/recluster.hpp"

namespace ritz {

Json reclustering_json(const Reclustering& found, const ReclusterOptions& options, const kdac::Options& how);

}  // namespace ritz
