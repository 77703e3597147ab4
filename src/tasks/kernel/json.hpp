// SPDX-License-Identifier: MIT
#pragma once

#include "report/json.hpp"
#include "ritz/tasks/kernel.hpp"
#include "tasks/kernel/model.hpp"

namespace ritz {

Json bounds_json(double primal, double dual, double gap, double relative_gap);
Json graph_json(const Graph& graph, bool given, Index neighbours);
Json kernel_json(const LearnedKernel& learned, const KernelOptions& options, const npkl::Options& how);
Json kernel_check_json(const KernelCheck& check);  // certificate, result, notes and data of `ritz check`

}  // namespace ritz
