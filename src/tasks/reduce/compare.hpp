// SPDX-License-Identifier: MIT
// Several solvers on one problem, under one time budget.
#pragma once

#include <string>
#include <vector>

#include "report/plot/line_plot.hpp"
#include "report/table.hpp"
#include "ritz/algorithms/ism.hpp"

namespace ritz {

struct SolverRun {
  Solver solver;
  ism::Result result;
  double seconds = kUnknown;  // of the whole run, its certificate included
};

// Each solver gets `budget` seconds and the same start; one that uses them up keeps its best W. `how` gives tolerance
// and dimension. Interrupted by the user: the runs finished so far.
std::vector<SolverRun> compare_solvers(const ism::Problem& problem, const ism::Options& how,
                                       const std::vector<Solver>& solvers, double budget, RunContext& context);

// Objective, what is missing to the best one, time, iterations, first-order residual and how it ended.
TextTable comparison_table(const std::vector<SolverRun>& runs);
// Objective against time; where all runs climb to nearly the same value, what is missing to the best, on a log scale.
LinePlot comparison_plot(const std::vector<SolverRun>& runs, const std::string& subtitle);

}  // namespace ritz
