// SPDX-License-Identifier: MIT
// Where ISM starts: read from Φ₀, which needs no W.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "algorithms/ism/parts.hpp"
#include "linalg/subspace.hpp"

namespace ritz::ism {

namespace {

// Leading eigenvectors of PCP: C = XᵀX/n of the centred samples, P the projector away from `found`.
EigenPairs axes_outside(const Samples& X, const Matrix& found, Index count, const RunContext& context) {
  const Index n = X.rows(), d = X.cols();
  const RowMatrix ones = RowMatrix::Ones(n, 1);
  const Vector mean = X.adjoint(ones, context) / double(n);
  const auto outside = [&](Matrix block) { return Matrix(block - found * (found.transpose() * block)); };
  EigenSolver eigen;
  if (d <= kDirectSize) {
    const Matrix covariance = X.weighted_gram(Vector::Constant(n, 1 / double(n)), context) - mean * mean.transpose();
    const Matrix projected = outside(outside(covariance).transpose());
    return eigen(DenseOperator{0.5 * (projected + projected.transpose())}, {.pick = Count{count}}, context);
  }
  const MatrixFreeOperator covariance{d, [&](BlockIn in, BlockOut out) {
                                        const Matrix block = outside(in);
                                        RowMatrix image = X.project(block, context);
                                        image.rowwise() -= (mean.transpose() * block).row(0);
                                        const Eigen::RowVectorXd sums = image.colwise().sum();
                                        out = outside((X.adjoint(image, context) - mean * sums) / double(n));
                                      }};
  return eigen(covariance, {.pick = Count{count}}, context);
}

// `count` orthonormal columns outside the span of `found`: principal axes, then, where the data have no variance left,
// coordinate axes.
Matrix principal_axes_outside(const Samples& X, const Matrix& found, Index count, const RunContext& context) {
  const Index d = X.cols();
  const Matrix axes = require_complete(axes_outside(X, found, count, context), "the covariance").vectors;
  Orthonormalised clean = orthonormalise_against(found, axes, 1e-8);
  if (clean.rank < count) {
    Matrix candidates(d, clean.rank + d);
    candidates << clean.basis, Matrix::Identity(d, d);
    clean = orthonormalise_against(found, candidates, 1e-8);
  }
  return clean.basis.leftCols(count);
}

}  // namespace

std::shared_ptr<PairPass> make_pass(const Problem& problem, const PairAccuracy& accuracy, const RunContext& context) {
  std::shared_ptr<PairPass> pass(problem.pass, [](PairPass*) {});  // the caller's
  if (pass)
    pass->set_gamma(problem.gamma);
  else
    pass = (problem.gamma.pairs ? cpu_backend() : backend_or_cpu(context)).pair_pass(problem.X, problem.gamma);
  pass->set_accuracy(accuracy);
  return pass;
}

Matrix spectral_start(const Problem& problem, PairPass& pass, Index q, const RunContext& context) {
  const PhiMatrix phi = pass.start_phi(problem.kernel, context);
  require_finite(phi, problem.kernel);
  EigenSolver eigen = eigen_solver(phi);
  const EigenPairs top = require_complete(eigen(phi.view(), {.pick = Count{q}}, context), "the start Φ₀");
  const double size = std::max(std::abs(top.values[0]), std::isnan(top.norm) ? 0.0 : top.norm);
  Index informative = 0;
  while (informative < q && top.values[informative] > kTie * size) ++informative;
  // Null vectors are arbitrary only where the cut goes through them. With a Γ that is not positive, negative
  // eigenvalues have directions of their own: W then stays away from what Γ punishes most.
  const bool below = top.values[q - 1] < -kTie * size || top.next < -kTie * size;
  const bool indefinite = problem.gamma.factor.weights.minCoeff() < 0;
  if (informative == q || below || indefinite) return top.vectors;
  Matrix W(problem.X.cols(), q);
  W.leftCols(informative) = top.vectors.leftCols(informative);
  W.rightCols(q - informative) =
      principal_axes_outside(problem.X, top.vectors.leftCols(informative), q - informative, context);
  return W;
}

}  // namespace ritz::ism
