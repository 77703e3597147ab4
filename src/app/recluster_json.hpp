// SPDX-License-Identifier: MIT
#pragma once

#include "app/report_json.hpp"
#include "ritz/app/recluster.hpp"

namespace ritz {

Json reclustering_json(const Reclustering& found, const ReclusterOptions& options, const kdac::Options& how);

}  // namespace ritz
