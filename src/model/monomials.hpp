// SPDX-License-Identifier: MIT
// The exact feature map of (scale·zᵢᵀzⱼ + offset)^p: weighted monomials.
#pragma once

#include <vector>

#include "ritz/base/types.hpp"

namespace ritz {

// C(q + p, p) with an offset (which acts as one more, constant variable), C(q + p − 1, p) without. A double: it may be
// huge.
double monomial_count(Index q, int degree, bool with_offset);

class Monomials {
 public:
  Monomials(Index q, int degree, double offset, double scale);
  Index count() const { return weight_.size(); }
  // Rows φ(zᵢ) with φ(zᵢ)ᵀφ(zⱼ) = (scale·zᵢᵀzⱼ + offset)^degree.
  void evaluate(const Eigen::Ref<const RowMatrix>& Z, RowMatrix& features) const;

 private:
  // A monomial of degree p is one of degree p − 1 times a variable: one multiplication each.
  struct Step {
    Index parent;
    int variable;
  };
  Index q_ = 0;
  double scale_ = 1;               // √scale, multiplies every z
  std::vector<double> constants_;  // value of the variables that are not coordinates of z (the last one: √offset)
  std::vector<std::vector<Step>> steps_;
  Vector weight_;  // √ of the multinomial coefficient
};

}  // namespace ritz
