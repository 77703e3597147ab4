// SPDX-License-Identifier: MIT
// Kernels and widths chosen by the program: candidates are fitted, scored, and the choice is explained.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "ritz/model/kernel_sum.hpp"
#include "ritz/tasks/reduce.hpp"

namespace ritz::reduce {

// Judges a kernel, given as text. Any other criterion (an error of regression, negated) is another such function.
using Scorer = std::function<Score(const std::string& kernel, RunContext& context)>;
// They borrow the data, which must have labels.
Scorer alignment_scorer(const Dataset& data, const ReduceOptions& options);
Scorer accuracy_scorer(const Dataset& data, const ReduceOptions& options, Index folds, std::uint64_t seed);
Scorer make_scorer(const Dataset& data, const ReduceOptions& options, std::uint64_t seed);

struct ScoreText {   // how a score is said
  std::string name;  // "5-NN right", "alignment"
  bool percent = false;
};
ScoreText score_text(const ReduceOptions& options);

// The widths of all Gaussian terms set to `sigma`; throws bad_option when there is none.
std::string with_sigma(const std::string& kernel, const Bandwidth& sigma);

// Multiples of the median from 0.05 to 4 in equal ratios, then twice between the best and its neighbours. The best
// score wins; within one standard error of it the wider kernel, which is the smoother.
Choice choose_sigma(const std::string& kernel, const Scorer& score, const ScoreText& say, RunContext& context);
// Linear, polynomials of degree 2 and 3, Gaussians of several widths, multiquadric, Gaussian + polynomial. Within one
// standard error of the best the simpler kernel wins.
Choice choose_kernel(const Scorer& score, const ScoreText& say, RunContext& context);
// Where the kernel or its width is left open: tries some, and puts the choice into the options. Throws bad_option where
// there are no labels to judge by. Nothing: neither is open.
std::optional<Choice> choose(const Dataset& data, ReduceOptions& options, RunContext& context);
bool leaves_kernel_open(const ReduceOptions& options);
// The kernel, or of those that would be tried the one that needs most memory.
KernelSum widest_kernel(const ReduceOptions& options);
// Any list.
Choice choose_among(std::vector<Tried> candidates, const Scorer& score, const ScoreText& say, RunContext& context);

}  // namespace ritz::reduce
