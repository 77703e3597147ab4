// SPDX-License-Identifier: MIT
#include "ritz/model/gamma.hpp"

#include <fmt/format.h>

#include "ritz/base/error.hpp"

namespace ritz {

Vector Gamma::row_sums() const {
  const Vector column_sums = factor.basis.colwise().sum().transpose();
  // A sum of n entries carries an error of about n·ε times their size.
  const Vector scale = factor.basis.cwiseAbs().colwise().sum().transpose();
  constexpr double kRounding = 1e-12;
  if ((column_sums.cwiseAbs().array() <= kRounding * scale.array()).all()) return Vector::Zero(size());
  return factor.basis * factor.weights.cwiseProduct(column_sums);
}

Gamma supervised_gamma(const Labels& labels) {
  if (labels.classes() < 2)
    throw Error(ErrorCode::bad_data, labels.classes() == 0
                                         ? std::string("there are no labels")
                                         : fmt::format("all {} labels are '{}'; at least two classes are needed",
                                                       labels.size(), labels.names[0]));
  const Index n = labels.size();
  const std::vector<Index> counts = labels.counts();
  Gamma gamma;
  gamma.classes = labels.of;
  gamma.class_count = labels.classes();
  gamma.factor.basis.resize(n, labels.classes());
  for (int c = 0; c < labels.classes(); ++c)
    gamma.factor.basis.col(c).setConstant(-double(counts[std::size_t(c)]) / double(n));
  for (Index i = 0; i < n; ++i) gamma.factor.basis(i, labels.of[std::size_t(i)]) += 1;
  gamma.factor.weights = Vector::Ones(labels.classes());
  return gamma;
}

Gamma factored_gamma(SymFactor factor) {
  Gamma gamma;
  gamma.factor = std::move(factor);
  return gamma;
}

}  // namespace ritz
