// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "algorithms/unfold/parts.hpp"

namespace ritz::unfold {

namespace {

SparseSum empty_sum(Index n) {
  SparseSum sum;
  sum.sparse = SparseRows(n, n);
  sum.factor = {Matrix(n, 0), Vector(0)};
  return sum;
}

}  // namespace

SparseSum variance_base(Index n) {
  SparseSum sum = empty_sum(n);
  sum.identity = 1;
  sum.factor = {Matrix::Constant(n, 1, 1 / std::sqrt(double(n))), Vector::Constant(1, -1.0)};
  return sum;
}

SparseSum colour_base(const std::vector<int>& labels) {
  const Index n = Index(labels.size()), classes = 1 + *std::max_element(labels.begin(), labels.end());
  SparseSum sum = empty_sum(n);
  Matrix Y = Matrix::Zero(n, classes);
  for (Index i = 0; i < n; ++i)
    if (labels[std::size_t(i)] >= 0) Y(i, labels[std::size_t(i)]) = 1;
  Y.rowwise() -= Y.colwise().mean().eval();
  sum.factor = {std::move(Y), Vector::Ones(classes)};
  return sum;
}

SparseSum volume_base(Index n, const Matrix& leading) {
  SparseSum sum = empty_sum(n);
  sum.identity = -1;
  sum.factor = {leading, Vector::Constant(leading.cols(), 2.0)};
  return sum;
}

SparseSum structure_base(const Graph& graph) {
  const Index n = graph.vertices;
  SparseSum sum = empty_sum(n);
  std::vector<Eigen::Triplet<double>> entries;
  for (const Edge& edge : graph.edges) {
    entries.emplace_back(int(edge.i), int(edge.j), 1.0);
    entries.emplace_back(int(edge.j), int(edge.i), 1.0);
  }
  sum.sparse.setFromTriplets(entries.begin(), entries.end());
  // HWH = W − (1·gᵀ + g·1ᵀ), g = deg/n − Σdeg/(2n²); and 1·gᵀ + g·1ᵀ = ½[(e + g)(e + g)ᵀ − (e − g)(e − g)ᵀ] with 1 and
  // g scaled to the same length.
  Vector g = degrees(graph) / double(n);
  g.array() -= 0.5 * g.mean();
  const double length = g.norm();
  if (length == 0) return sum;
  const Vector e = Vector::Constant(n, std::sqrt(length) / std::pow(double(n), 0.25));
  g *= std::pow(double(n), 0.25) / std::sqrt(length);
  Matrix basis(n, 2);
  basis.col(0) = e + g;
  basis.col(1) = e - g;
  sum.factor.basis = std::move(basis);
  sum.factor.weights = Vector(2);
  sum.factor.weights << -0.5, 0.5;
  return sum;
}

}  // namespace ritz::unfold
