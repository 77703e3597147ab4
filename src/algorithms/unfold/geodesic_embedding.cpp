// SPDX-License-Identifier: MIT
// How wide an unfolding can become: vertices placed by the lengths of shortest paths to a few landmarks (landmark
// Isomap), which overrate the distances of every embedding.
#include <cmath>

#include "algorithms/unfold/parts.hpp"
#include "graph/shortest_paths.hpp"
#include "linalg/dense/dense.hpp"

namespace ritz::unfold {

namespace {

constexpr Index kLandmarks = 100;

}  // namespace

RowMatrix geodesic_embedding(const Graph& graph, const Vector& squared, Index columns, const RunContext& context) {
  const Index n = graph.vertices, landmarks = std::min(n, kLandmarks);
  const ShortestPaths paths(graph, squared.cwiseMax(0.0).cwiseSqrt());
  // Each landmark is the vertex farthest from those before it.
  Matrix far(n, landmarks);  // squared
  std::vector<Index> at;
  Vector nearest = Vector::Constant(n, std::numeric_limits<double>::infinity());
  for (Index l = 0; l < landmarks; ++l) {
    context.agree();
    Index next = 0;
    if (l > 0) nearest.maxCoeff(&next);
    at.push_back(next);
    far.col(l) = paths.from(next).cwiseAbs2();
    nearest = nearest.cwiseMin(far.col(l));
  }
  // Classical scaling of the landmarks, −½·H·D·H = QΛQᵀ; the others by their distances to them.
  Matrix D(landmarks, landmarks);
  for (Index l = 0; l < landmarks; ++l) D.row(l) = far.row(at[std::size_t(l)]);
  const Vector means = D.colwise().mean();
  Matrix gram = -0.5 * D;
  gram.rowwise() += 0.5 * means.transpose();
  gram.colwise() += 0.5 * means;
  gram.array() -= 0.5 * means.mean();
  const auto [values, Q] = symmetric_eigen(std::move(gram));
  const Index positive = (values.array() > 1e-9 * std::max(values(0), 1e-300)).count();
  const Index kept = std::min(columns, positive);
  const Matrix pull = Q.leftCols(kept) * values.head(kept).cwiseSqrt().cwiseInverse().asDiagonal();
  return -0.5 * (far.rowwise() - means.transpose()) * pull;
}

}  // namespace ritz::unfold
