// SPDX-License-Identifier: MIT
#pragma once

#include "reproduce/gmeb/gmeb.hpp"

namespace ritz::reproduce {

struct GmebRun {
  const GmebOptions& options;
  RunContext& context;
  const Tell& tell;
  Reproduction found{};
};

double median_of(std::vector<double> values);  // NaN without values

void gmeb_accuracy(GmebRun& run, bool arc);  // Figures 5 and 6
void gmeb_warm_starts(GmebRun& run);         // Figure 7
void gmeb_orders(GmebRun& run, int figure);  // Figures 8, 9 and 10

}  // namespace ritz::reproduce
