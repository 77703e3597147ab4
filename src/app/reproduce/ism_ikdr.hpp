// SPDX-License-Identifier: MIT
// The tables and the timing figure of "Solving Interpretable Kernel Dimension Reduction", measured here and now, next
// to what the paper prints.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/report_json.hpp"
#include "ritz/app/line_plot.hpp"
#include "ritz/app/table.hpp"

namespace ritz::reproduce {

inline constexpr std::array<std::string_view, 5> kParts = {"table4-supervised", "table4-unsupervised",
                                                           "table5-supervised", "table5-unsupervised", "figure1b"};
inline constexpr std::array<std::string_view, 4> kSets = {"wine", "cancer", "face", "mnist"};
inline constexpr std::array<std::string_view, 4> kSolvers = {"ism", "dg", "sm", "gm"};

struct IkdrOptions {
  std::vector<std::string> parts, sets, solvers;  // of the lists above; table4 and table5 stand for both of their parts
  double budget = 20;  // seconds for a fit; a solver that needs more is reported as "> budget"
  Index folds = 10;
  bool quick = false;  // two folds' worth of budget, small sets, few samples in the figure
};

struct Figure {
  std::string name;
  LinePlot plot;
};
struct Reproduction {
  std::vector<TextTable> tables;
  std::vector<Figure> figures;
  Json rows = Json::array();  // one object a measured cell, with the paper's
  std::string ended;          // why it is incomplete; empty: it is not
};

// `tell` is called with a line before every measurement. Ctrl-C: what is finished so far.
Reproduction ism_ikdr(const IkdrOptions& options, RunContext& context,
                      const std::function<void(const std::string&)>& tell);

}  // namespace ritz::reproduce
