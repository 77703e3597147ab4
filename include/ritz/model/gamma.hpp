// SPDX-License-Identifier: MIT
// The weight Γ of the pairs in Tr(ΓK), as a factor.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "ritz/base/context.hpp"
#include "ritz/base/text.hpp"
#include "ritz/data/dataset.hpp"
#include "ritz/linalg/products.hpp"
#include "ritz/model/kernel.hpp"

namespace ritz {

// A sample of the pairs. Samples are cut into tiles of kRows; of each tile the pairs with itself are in, and those with
// the tiles that are a chosen number of steps ahead or behind, round the end: every sample is in as many pairs as any
// other.
struct TileSample {
  static constexpr Index kRows = 256;
  std::vector<bool> ahead;      // by the steps from one tile to another, 0 … tiles − 1; symmetric
  double own = 1, between = 1;  // weights of the pairs of a tile, and of those between two
  bool has(Index a, Index b) const { return ahead[std::size_t(a >= b ? a - b : b - a)]; }
  double weight(Index a, Index b) const { return a == b ? own : between; }
};

struct Gamma {
  SymFactor factor;          // n × r
  std::vector<int> classes;  // where Γ = HYYᵀH of one-hot labels Y: the labels, for routes that sum by class
  int class_count = 0;
  std::shared_ptr<const TileSample> pairs{};  // null: all; otherwise the others have weight 0
  Index size() const { return factor.size(); }
  // Γ·1, exactly 0 where it is 0 up to rounding: centred factors are common and save a d × d sum.
  Vector row_sums() const;
};

// Γ = HYYᵀH, H = I − 11ᵀ/n, Y one-hot: basis column c is 1[y = c] − n_c/n. Throws bad_data when there is one class
// only.
Gamma supervised_gamma(const Labels& labels);
// Γ from any factor (expert scores, spectral embeddings, differences of two).
Gamma factored_gamma(SymFactor factor);

// --- from numeric targets: regression, several targets at once

// K_Y: yᵢᵀyⱼ sees linear dependence on the targets, the Gaussian every kind of it.
enum class TargetKernel { linear, gaussian };
constexpr auto names_of(TargetKernel) { return std::array{"linear", "gaussian"}; }

struct TargetOptions {
  static constexpr std::string_view name = "targets";
  TargetKernel kernel = TargetKernel::linear;
  Bandwidth sigma;          // of the Gaussian: a number, or a multiple of the median distance of the targets
  double tolerance = 1e-6;  // low rank is enough when Tr(K_Y − LLᵀ) <= tolerance·Tr K_Y
  int max_rank = 300;
  static constexpr auto fields() {
    return std::tuple{
        field("kernel", &TargetOptions::kernel, "of the targets: linear, or gaussian for nonlinear dependence"),
        field("sigma", &TargetOptions::sigma, "width of the targets' gaussian: a number, 'median' or a multiple of it"),
        field("tolerance", &TargetOptions::tolerance, 0.0, 1.0, "part of the targets' kernel that a low rank may miss"),
        field("max_rank", &TargetOptions::max_rank, 1, 1'000'000, "at most this rank of the targets' kernel")};
  }
};

struct TargetGamma {
  Gamma gamma;       // HLLᵀH, n × r
  double error = 0;  // Tr(K_Y − LLᵀ) / Tr K_Y; 0 for linear
  std::string text;  // for Summary::used: "gaussian(sigma=1.2) of 2 targets, rank 17, error 3e-07"
  std::vector<std::string> notes;
};

// Target columns with mean 0 and deviation 1, so that their units do not matter. Throws bad_data naming a column that
// is constant, not_finite naming the place of a value that is not finite, bad_shape without rows or columns.
RowMatrix standardised_targets(const RowMatrix& targets);
// Γ = HK_YH, H = I − 11ᵀ/n, of standardised targets: a Gaussian width counts in deviations. It is a number: see
// resolved_width in ritz/pairs/bandwidth.hpp.
TargetGamma target_gamma(const RowMatrix& standardised, const TargetOptions& options, const RunContext& context);

}  // namespace ritz
