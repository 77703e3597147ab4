// SPDX-License-Identifier: MIT
// Kernels and widths chosen by the program: candidates are fitted, scored, and the choice is explained.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "ritz/tasks/reduce.hpp"

namespace ritz {

// alignment: the cosine between the centred kernel of the reduced samples and Γ, F/(‖HKH‖_F‖Γ‖_F). F itself grows with
// the scale of the kernel (without bound for a polynomial, and with the width for a Gaussian) and cannot be compared;
// the cosine can, and costs one fit a candidate. It looks at the fitted samples only.
// accuracy: share of the samples that k-NN in the reduced space finds in a cross-validation; one fit a fold.
enum class Criterion { alignment, accuracy };
template <>
struct EnumNames<Criterion> {
  static constexpr std::array<std::string_view, 2> names = {"alignment", "accuracy"};
};

struct ChooseOptions {
  static constexpr std::string_view name = "choose";
  Criterion choose_by = Criterion::accuracy;
  Index choose_folds = 5;
  static constexpr auto fields() {
    return std::tuple{field("choose_by", &ChooseOptions::choose_by,
                            "what a kernel or width that the program chooses is judged by: accuracy (k-NN, "
                            "cross-validated) or alignment (of kernel and labels, one fit each)"),
                      field("choose_folds", &ChooseOptions::choose_folds, 2, 1000, "folds of that accuracy")};
  }
};

struct Score {
  double value = kUnknown;           // the larger the better; NaN: it could not be fitted
  double standard_error = kUnknown;  // NaN: not known
};
// Judges a kernel, given as text. Any other criterion (an error of regression, negated) is another such function.
using Scorer = std::function<Score(const std::string& kernel, RunContext& context)>;
// Both borrow the data, which must have labels, and fit copies of it.
Scorer alignment_scorer(const Dataset& data, const ReduceOptions& options, const ism::Options& how);
Scorer accuracy_scorer(const Dataset& data, const ReduceOptions& options, const ism::Options& how, Index folds,
                       std::uint64_t seed);
Scorer make_scorer(const Dataset& data, const ReduceOptions& options, const ism::Options& how,
                   const ChooseOptions& choose, std::uint64_t seed);

struct Tried {
  std::string kernel;
  int complexity = 0;  // of two that are as good, the one with the smaller number is taken
  Score score;
  double seconds = 0;
};
struct Choice {
  std::string kernel;
  std::vector<Tried> tried;  // in the order tried
  std::string reason;        // one sentence
  std::vector<std::string> notes;
};
struct ScoreText {   // how a score is said
  std::string name;  // "5-NN right", "alignment"
  bool percent = false;
};
ScoreText score_text(const ChooseOptions& choose, const ReduceOptions& options);

// The widths of all Gaussian terms set to `sigma`; throws bad_option when there is none.
std::string with_sigma(const std::string& kernel, const Bandwidth& sigma);

// Multiples of the median from 0.05 to 4 in equal ratios, then twice between the best and its neighbours. The best
// score wins; within one standard error of it the wider kernel, which is the smoother.
Choice choose_sigma(const std::string& kernel, const Scorer& score, const ScoreText& say, RunContext& context);
// Linear, polynomials of degree 2 and 3, Gaussians of several widths, multiquadric, Gaussian + polynomial. Within one
// standard error of the best the simpler kernel wins.
Choice choose_kernel(const Scorer& score, const ScoreText& say, RunContext& context);
// Any list.
Choice choose_among(std::vector<Tried> candidates, const Scorer& score, const ScoreText& say, RunContext& context);

}  // namespace ritz
