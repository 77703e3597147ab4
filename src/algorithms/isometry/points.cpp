// SPDX-License-Identifier: MIT
// Points before the search, and measurements to begin with or to compare with.
#include <algorithm>
#include <cmath>

#include "algorithms/isometry/parts.hpp"
#include "linalg/dense/dense.hpp"
#include "linalg/eigen.hpp"
#include "linalg/power_scale.hpp"
#include "linalg/tall_products.hpp"
#include "ritz/base/random.hpp"
#include "ritz/linalg/products.hpp"

namespace ritz::isometry {

namespace {

constexpr double kSpanTolerance = 1e-10;  // of the largest eigenvalue: directions below it are not part of the span

std::vector<Index> points_of(const Problem& problem) {
  std::vector<char> used(std::size_t(problem.X.rows()), problem.pairs.empty());
  for (const WeightedPair& pair : problem.pairs) used[std::size_t(pair.a)] = used[std::size_t(pair.b)] = 1;
  std::vector<Index> rows;
  for (Index i = 0; i < problem.X.rows(); ++i)
    if (used[std::size_t(i)]) rows.push_back(i);
  return rows;
}

}  // namespace

Matrix Reduced::back(const Matrix& psi) const {
  return basis.size() == 0 ? psi : product(psi, Matrix(basis.transpose()));
}

Reduced reduced(const Problem& problem, const RunContext& context) {
  Reduced out;
  const std::vector<Index> rows = points_of(problem);
  const std::vector<Index> order = Rng(context.seed, "isometry order").permutation(Index(rows.size()));
  out.rows.resize(rows.size());
  out.X.resize(Index(rows.size()), problem.X.cols());
  const double scale = problem.X.size() > 0 ? plain_scale(problem.X.cwiseAbs().maxCoeff()) : 1;
  Eigen::RowVectorXd centre = Eigen::RowVectorXd::Zero(problem.X.cols());
  for (const Index row : rows) centre += scale * problem.X.row(row);
  centre /= double(rows.size());
  double size = 0;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const Index row = rows[std::size_t(order[k])];
    out.rows[k] = row;
    out.X.row(Index(k)) = scale * problem.X.row(row) - centre;
    size = std::max(size, out.X.row(Index(k)).norm());
  }
  if (size > 0) out.X /= size;
  // The span, from the smaller of the two Gram matrices.
  const Index n = out.X.rows(), d = out.X.cols();
  if (n - 1 >= d && d <= 64) return out;
  const bool wide = n < d;
  DenseOperator gram;
  if (wide) {
    gram.matrix.resize(n, n);
    const RowMatrix T = tall_product(out.X, Matrix(out.X.transpose()), context);
    gram.matrix = 0.5 * (T + T.transpose());
  } else {
    gram.matrix = tall_weighted_gram(out.X, Vector::Ones(n), context);
  }
  const EigenPairs pairs =
      require_complete(EigenSolver(EigenMethod::dense)(gram, {.pick = Count{std::min(n, d)}}, context), "the span");
  Index rank = 0;
  while (rank < pairs.values.size() && pairs.values(rank) > kSpanTolerance * pairs.values(0)) ++rank;
  if (rank == d) return out;
  const Matrix leading = pairs.vectors.leftCols(rank);
  out.basis = wide ? Matrix(tall_transposed_product(out.X, RowMatrix(leading), context) *
                            pairs.values.head(rank).cwiseSqrt().cwiseInverse().asDiagonal())
                   : leading;
  out.X = tall_product(out.X, out.basis, context);
  return out;
}

Matrix leading_rows(const Matrix& psi, Index rank) {
  // ΨΨᵀ = UΣ²Uᵀ: UᵀΨ has orthogonal rows.
  if (psi.rows() == 0) return psi;
  const Matrix U = symmetric_eigen(psi * psi.transpose()).vectors;
  return transposed_product(U.leftCols(std::min(rank, psi.rows())), psi);
}

Matrix principal_measurements(DataView X, Index rank, const RunContext& context) {
  const Eigen::RowVectorXd centre = X.colwise().mean();
  const RowMatrix centred = X.rowwise() - centre;
  if (rank <= X.rows() && X.rows() < X.cols()) {  // in the span of the samples: no matrix of columns by columns
    const Matrix span = spanning_basis(centred.transpose());
    const Matrix inside = tall_product(centred, span, context);
    const Matrix leading = symmetric_eigen(transposed_product(inside, inside)).vectors.leftCols(rank);
    return transposed_product(leading, span.transpose());
  }
  const DenseOperator covariance{tall_weighted_gram(centred, Vector::Ones(X.rows()), context)};
  const EigenRequest leading{.pick = Count{std::min(rank, X.cols())}};
  return require_complete(EigenSolver()(covariance, leading, context), "the principal components").vectors.transpose();
}

Matrix random_measurements(Index columns, Index rank, const RunContext& context) {
  return Rng(context.seed, "isometry random").normal_matrix(rank, columns) / std::sqrt(double(rank));
}

void centre_ratios(Matrix& psi, const Sweep& measured) {
  const double sum = measured.lowest + measured.highest;
  if (sum > 0) psi *= std::sqrt(2 / sum);
}

}  // namespace ritz::isometry
