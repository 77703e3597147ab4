// SPDX-License-Identifier: MIT
// What the paper "Solving Interpretable Kernel Dimension Reduction" prints, to stand beside our numbers.
#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace ritz::reproduce {

enum class Paradigm { supervised, unsupervised };

struct PaperCell {
  Paradigm paradigm;
  std::string_view set, kernel, solver;
  std::string_view time;
  std::string_view cost;   // −F; empty in Table 5
  std::string_view score;  // accuracy in percent, or NMI
};

std::span<const PaperCell> table4();
std::span<const PaperCell> table5();
const PaperCell* find(std::span<const PaperCell> cells, Paradigm paradigm, std::string_view set,
                      std::string_view kernel, std::string_view solver);

}  // namespace ritz::reproduce
