// SPDX-License-Identifier: MIT
#include "model/monomials.hpp"

#include <cmath>
#include <vector>

namespace ritz {

double monomial_count(Index q, int degree, bool with_offset) {
  const double variables = double(q) + (with_offset ? 1 : 0);
  double count = 1;  // C(variables + degree − 1, degree)
  for (int i = 1; i <= degree; ++i) count = count * (variables + i - 1) / i;
  return std::round(count);
}

Monomials::Monomials(Index q, int degree, double offset, double scale) {
  const Index variables = q + (offset > 0 ? 1 : 0);
  // Grow degree by degree; appending a variable not below the last one makes each monomial once.
  struct Node {
    int parent, variable;
    std::vector<int> powers;
  };
  std::vector<Node> level{{-1, 0, std::vector<int>(std::size_t(variables), 0)}};
  for (int p = 0; p < degree; ++p) {
    std::vector<Node> next;
    std::vector<Step> steps;
    for (std::size_t i = 0; i < level.size(); ++i)
      for (int v = level[i].variable; v < int(variables); ++v) {
        Node node{int(i), v, level[i].powers};
        ++node.powers[std::size_t(v)];
        next.push_back(std::move(node));
        steps.push_back({Index(i), v});
      }
    level = std::move(next);
    steps_.push_back(std::move(steps));
  }

  constants_.assign(std::size_t(variables), 0.0);
  scale_ = std::sqrt(scale);
  if (offset > 0) constants_.back() = std::sqrt(offset);
  q_ = q;
  weight_.resize(Index(level.size()));
  for (std::size_t m = 0; m < level.size(); ++m) {
    double log_coefficient = std::lgamma(degree + 1.0);
    for (const int power : level[m].powers) log_coefficient -= std::lgamma(power + 1.0);
    weight_[Index(m)] = std::sqrt(std::round(std::exp(log_coefficient)));
  }
}

void Monomials::evaluate(const Eigen::Ref<const RowMatrix>& Z, RowMatrix& features) const {
  features.resize(Z.rows(), count());
  std::vector<double> variables(constants_), now, next;
  for (Index i = 0; i < Z.rows(); ++i) {
    for (Index v = 0; v < q_; ++v) variables[std::size_t(v)] = scale_ * Z(i, v);
    now.assign(1, 1.0);
    for (const std::vector<Step>& steps : steps_) {
      next.resize(steps.size());
      for (std::size_t m = 0; m < steps.size(); ++m)
        next[m] = now[std::size_t(steps[m].parent)] * variables[std::size_t(steps[m].variable)];
      std::swap(now, next);
    }
    for (Index m = 0; m < count(); ++m) features(i, m) = weight_[m] * now[std::size_t(m)];
  }
}

}  // namespace ritz
