// SPDX-License-Identifier: MIT
#pragma once

#include "report/json.hpp"
#include "ritz/tasks/reduce.hpp"

namespace ritz {

Json reduction_json(const Reduction& reduction, const ReduceOptions& options, const ism::Options& how);

}  // namespace ritz
