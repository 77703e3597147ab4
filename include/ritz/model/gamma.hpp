// SPDX-License-Identifier: MIT
// The weight Γ of the pairs in Tr(ΓK), as a factor.
#pragma once

#include <vector>

#include "ritz/data/dataset.hpp"
#include "ritz/linalg/sym_factor.hpp"

namespace ritz {

struct Gamma {
  SymFactor factor;          // n × r
  std::vector<int> classes;  // where Γ = HYYᵀH of one-hot labels Y: the labels, for routes that sum by class
  int class_count = 0;
  Index size() const { return factor.size(); }
  // Γ·1, exactly 0 where it is 0 up to rounding: centred factors are common and save a d × d sum.
  Vector row_sums() const;
};

// Γ = HYYᵀH, H = I − 11ᵀ/n, Y one-hot: basis column c is 1[y = c] − n_c/n. Throws bad_data when there is one class
// only.
Gamma supervised_gamma(const Labels& labels);
// Γ from any factor (expert scores, spectral embeddings, differences of two).
Gamma factored_gamma(SymFactor factor);

}  // namespace ritz
