// SPDX-License-Identifier: MIT
// A(α) and its parts, built from the edges one by one.
#include <algorithm>

#include "tasks/unfold/check.hpp"

namespace ritz::unfold::second_look {

namespace {

void centre(Matrix& block) { block.rowwise() -= block.colwise().mean().eval(); }

}  // namespace

Matrix filled(const MatrixFreeOperator& op) {
  Matrix dense(op.n, op.n);
  op.apply(Matrix::Identity(op.n, op.n), dense);
  return 0.5 * (dense + dense.transpose());
}

Sparse laplacian_of(const Graph& graph, const Vector& weights) {
  std::vector<Eigen::Triplet<double>> entries;
  for (Index e = 0; e < weights.size(); ++e) {
    const auto [i, j] = graph.edges[std::size_t(e)];
    entries.emplace_back(int(i), int(i), weights(e));
    entries.emplace_back(int(j), int(j), weights(e));
    entries.emplace_back(int(i), int(j), -weights(e));
    entries.emplace_back(int(j), int(i), -weights(e));
  }
  Sparse L(graph.vertices, graph.vertices);
  L.setFromTriplets(entries.begin(), entries.end());
  return L;
}

MatrixFreeOperator pull_of(UnfoldMethod method, const Problem& problem, const Matrix& drawn_to) {
  const Index n = problem.graph.vertices;
  if (method == UnfoldMethod::mve)
    return {n, [drawn_to](BlockIn in, BlockOut out) { out = 2 * drawn_to * (drawn_to.transpose() * in) - in; }};
  if (method == UnfoldMethod::spe) {
    Sparse W = -laplacian_of(problem.graph, Vector::Ones(Index(problem.graph.edges.size())));
    for (Index i = 0; i < n; ++i) W.coeffRef(i, i) = 0;
    return {n, [W](BlockIn in, BlockOut out) {
              Matrix block = in;
              centre(block);
              block = W * block;
              centre(block);
              out = block;
            }};
  }
  if (method == UnfoldMethod::mvu)
    return {n, [](BlockIn in, BlockOut out) {
              Matrix block = in;
              centre(block);
              out = block;
            }};
  const int classes = 1 + *std::ranges::max_element(problem.labels);
  Matrix Y = Matrix::Zero(n, std::max(classes, 1));
  for (Index i = 0; i < n; ++i)
    if (problem.labels[std::size_t(i)] >= 0) Y(i, problem.labels[std::size_t(i)]) = 1;
  centre(Y);
  return {n, [Y](BlockIn in, BlockOut out) { out = Y * (Y.transpose() * in); }};
}

double pulled(const MatrixFreeOperator& pull, const Matrix& F) {
  if (F.cols() == 0) return 0;
  Matrix image(F.rows(), F.cols());
  pull.apply(F, image);
  return image.cwiseProduct(F).sum();
}

Vector distances_in(const Matrix& F, const Graph& graph) {
  Vector squared(Index(graph.edges.size()));
  for (Index e = 0; e < squared.size(); ++e) {
    const auto [i, j] = graph.edges[std::size_t(e)];
    squared(e) = (F.row(i) - F.row(j)).squaredNorm();
  }
  return squared;
}

double edge_dual(const Vector& alpha, const Vector& squared, double penalty) {
  return alpha.dot(squared) - alpha.squaredNorm() / (2 * penalty);
}

}  // namespace ritz::unfold::second_look
