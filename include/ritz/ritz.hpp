// SPDX-License-Identifier: MIT
// The tasks, data and context: all that a program which uses the library needs, and the only umbrella.
#pragma once

#include "ritz/algorithms/ism.hpp"
#include "ritz/base/random.hpp"
#include "ritz/base/version.hpp"
#include "ritz/data/io.hpp"
#include "ritz/data/synthetic.hpp"
#include "ritz/tasks/center.hpp"
#include "ritz/tasks/depend.hpp"
#include "ritz/tasks/isometry.hpp"
#include "ritz/tasks/kernel.hpp"
#include "ritz/tasks/model.hpp"
#include "ritz/tasks/recluster.hpp"
#include "ritz/tasks/reduce.hpp"
#include "ritz/tasks/task.hpp"
#include "ritz/tasks/unfold.hpp"
