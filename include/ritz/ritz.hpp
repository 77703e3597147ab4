// SPDX-License-Identifier: MIT
// Everything a program that uses the library needs; the only umbrella.
#pragma once

#include "ritz/algorithms/ism.hpp"
#include "ritz/app/choose.hpp"
#include "ritz/app/folds.hpp"
#include "ritz/app/interpret.hpp"
#include "ritz/app/kernel.hpp"
#include "ritz/app/kernel_model.hpp"
#include "ritz/app/line_plot.hpp"
#include "ritz/app/model_file.hpp"
#include "ritz/app/reduce.hpp"
#include "ritz/app/reduce_model.hpp"
#include "ritz/app/scatter_plot.hpp"
#include "ritz/base/random.hpp"
#include "ritz/base/version.hpp"
#include "ritz/data/io.hpp"
#include "ritz/data/synthetic.hpp"
#include "ritz/metrics/clustering.hpp"
#include "ritz/metrics/neighbours.hpp"
#include "ritz/metrics/svm.hpp"
#include "ritz/model/alignment.hpp"
#include "ritz/model/bandwidth.hpp"
