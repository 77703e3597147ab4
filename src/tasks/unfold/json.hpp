// SPDX-License-Identifier: MIT
#pragma once

#include "report/json.hpp"
#include "ritz/tasks/unfold.hpp"

namespace ritz {

Json unfold_json(const Unfolding& found, const UnfoldOptions& options, const unfold::Options& how);

}  // namespace ritz
