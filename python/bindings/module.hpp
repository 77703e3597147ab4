// SPDX-License-Identifier: MIT
// The parts of the module `_core`.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "bindings/arrays.hpp"
#include "bindings/session.hpp"
#include "ritz/base/error.hpp"
#include "ritz/tasks/task.hpp"

namespace ritz::python {

void bind_tasks(py::module_& m);
void bind_data(py::module_& m);
void bind_metrics(py::module_& m);

}  // namespace ritz::python
