// SPDX-License-Identifier: MIT
#pragma once

#include "report/json.hpp"
#include "ritz/tasks/center.hpp"

namespace ritz {

Json center_json(const CenterFit& found, const CenterOptions& options, const SubspaceOptions& reading,
                 const center::Options& how);
Json center_check_json(const CenterCheck& check);

}  // namespace ritz
