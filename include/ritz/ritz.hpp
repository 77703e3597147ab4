// SPDX-License-Identifier: MIT
// Everything a program that uses the library needs; the only umbrella.
#pragma once

#include "ritz/algorithms/ism.hpp"
#include "ritz/base/random.hpp"
#include "ritz/base/version.hpp"
#include "ritz/data/io.hpp"
#include "ritz/data/synthetic.hpp"
#include "ritz/metrics/clustering.hpp"
#include "ritz/metrics/neighbours.hpp"
#include "ritz/metrics/svm.hpp"
#include "ritz/model/alignment.hpp"
#include "ritz/pairs/bandwidth.hpp"
#include "ritz/tasks/center.hpp"
#include "ritz/tasks/isometry.hpp"
#include "ritz/tasks/kernel.hpp"
#include "ritz/tasks/model.hpp"
#include "ritz/tasks/recluster.hpp"
#include "ritz/tasks/reduce.hpp"
#include "ritz/tasks/unfold.hpp"
