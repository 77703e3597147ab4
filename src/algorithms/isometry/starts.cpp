// SPDX-License-Identifier: MIT
// Where a rank is tried from.
#include <cmath>

#include "algorithms/isometry/search.hpp"
#include "ritz/base/random.hpp"

namespace ritz::isometry {

namespace {

constexpr double kDisturbance = 0.3;  // of the size of an entry

}  // namespace

void ColumnGeneration::centre(Matrix& psi) const {
  if (set_.size() == 0) return;
  const Vector ratio = set_.measured(psi, context_).cwiseQuotient(set_.target());
  const double sum = ratio.minCoeff() + ratio.maxCoeff();
  if (sum > 0) psi *= std::sqrt(2 / sum);
}

Matrix ColumnGeneration::principal(Index rank) const {
  Matrix psi = principal_measurements(reduced_.X, rank, context_);
  centre(psi);
  return psi;
}

Matrix ColumnGeneration::truncated(const Matrix& from, Index rank) const {
  Matrix psi = leading_rows(from, rank);
  if (psi.rows() < rank) psi = principal(rank);
  centre(psi);
  return psi;
}

Matrix ColumnGeneration::disturbed(const Matrix& from, Index rank, int number) const {
  Matrix psi = number % 2 == 0 ? principal(rank) : truncated(from, rank);
  Rng draw(context_.seed, "isometry starts", std::uint64_t(number));
  const double size = psi.norm() / std::sqrt(double(psi.size()));
  psi += kDisturbance * size * draw.normal_matrix(psi.rows(), psi.cols());
  centre(psi);
  return psi;
}

Matrix ColumnGeneration::with_more_rows(Matrix psi, Index count, double delta) const {
  const Index d = columns();
  count = std::min(count, d - psi.rows());
  for (Index k = 0; k < count; ++k) {
    Vector row = growth_direction(set_, psi, delta, context_);
    if (row.size() == 0) row = Vector::Unit(d, psi.rows() % d) * 1e-3;
    psi.conservativeResize(psi.rows() + 1, Eigen::NoChange);
    psi.bottomRows(1) = row.transpose();
  }
  if (psi.rows() == d) psi.setIdentity();  // no search is needed any more
  return psi;
}

}  // namespace ritz::isometry
