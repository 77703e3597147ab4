// SPDX-License-Identifier: MIT
#pragma once

#include "app/report_json.hpp"
#include "ritz/app/unfold.hpp"

namespace ritz {

Json unfold_json(const Unfolding& found, const UnfoldOptions& options, const unfold::Options& how);

}  // namespace ritz
