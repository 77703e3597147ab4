// SPDX-License-Identifier: MIT
// The values of a second look. Nothing here is shared with the solvers.

#include <Eigen/SparseCholesky>

#include <limits>

#include "linalg/dense/dense.hpp"
#include "linalg/eigen.hpp"
#include "ritz/linalg/operator.hpp"
#include "tasks/bounds/bounds.hpp"
#include "tasks/model/access.hpp"
#include "tasks/unfold/task.hpp"

namespace ritz::unfold::second_look {

using namespace model_access;

namespace {

// --- A(α) and its parts, built from the edges one by one
// --------------------------------------------------------------

// A(α) = A₀ + Σ α·M as a product. `pull` is A₀'s.
struct Pulled {
  Sparse stress;  // Σ α·M
  MatrixFreeOperator pull;
  MatrixFreeOperator sum() const {
    return {pull.n, [this](BlockIn in, BlockOut out) {
              pull.apply(in, out);
              out += stress * in;
            }};
  }
};

void centre(Matrix& block) { block.rowwise() -= block.colwise().mean().eval(); }

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

// ⟨A₀, FFᵀ⟩
double pulled(const MatrixFreeOperator& pull, const Matrix& F) {
  if (F.cols() == 0) return 0;
  Matrix image(F.rows(), F.cols());
  pull.apply(F, image);
  return image.cwiseProduct(F).sum();
}

// Squared, of each edge.
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

// --- with a ridge or budget, and spe, which has one: the kernel is c·A(α)₊
// ---------------------------------------------

constexpr double kFeasible = 1e-9;  // relative: signs and the sum of spe's α

struct Whole {
  Matrix F;            // K = c·A₊ = FFᵀ
  double support = 0;  // capacity*(A)
  double cost = 0;     // G/2·tr K²
  Index positive = 0;
};

// UᵀAU, symmetric.
Matrix within(const MatrixFreeOperator& A, const Matrix& U) {
  Matrix image(U.rows(), U.cols());
  A.apply(U, image);
  const Matrix inner = U.transpose() * image;
  return 0.5 * (inner + inner.transpose());
}

Whole whole_spectrum(const Pulled& pulled, const Stored& stored, const RunContext& context) {
  const bool bound = stored.smooth.cols() > 0;
  const Index n = bound ? stored.smooth.cols() : pulled.pull.n;
  EigenRequest request;
  request.pick = Count{n};
  const DenseOperator A{bound ? within(pulled.sum(), stored.smooth) : filled(pulled.sum())};
  const EigenPairs all =
      require_complete(EigenSolver(EigenMethod::dense)(A, request, context), "the spectrum of A(alpha)");
  Whole whole;
  whole.positive = (all.values.array() > 0).count();
  const Vector values = all.values.head(whole.positive);
  const double squares = values.squaredNorm();
  const double scale = stored.budget > 0 ? (squares > 0 ? std::sqrt(stored.budget / squares) : 0.0) : 1 / stored.ridge;
  whole.F = all.vectors.leftCols(whole.positive) * (scale * values).cwiseSqrt().asDiagonal();
  if (bound) whole.F = stored.smooth * whole.F;
  whole.support = stored.budget > 0 ? std::sqrt(stored.budget * squares) : squares / (2 * stored.ridge);
  whole.cost = stored.budget > 0 ? 0.0 : 0.5 * stored.ridge * scale * scale * squares;
  return whole;
}

// The largest D_ik − D_ij over all vertices i, neighbours k and strangers j, one by one; 0 where none is positive.
double largest_violation(const Matrix& F, const Graph& graph, const RunContext& context) {
  const Index n = graph.vertices;
  const Matrix K = F * F.transpose();
  std::vector<std::vector<char>> joined(std::size_t(n), std::vector<char>(std::size_t(n), 0));
  for (const Edge& edge : graph.edges)
    joined[std::size_t(edge.i)][std::size_t(edge.j)] = joined[std::size_t(edge.j)][std::size_t(edge.i)] = 1;
  double most = 0;
  for (Index i = 0; i < n; ++i) {
    context.poll();
    double farthest = -1, nearest = std::numeric_limits<double>::infinity();
    for (Index j = 0; j < n; ++j) {
      if (j == i) continue;
      const double distance = K(i, i) + K(j, j) - 2 * K(i, j);
      if (joined[std::size_t(i)][std::size_t(j)])
        farthest = std::max(farthest, distance);
      else
        nearest = std::min(nearest, distance);
    }
    if (farthest >= 0) most = std::max(most, farthest - nearest);
  }
  return most;
}

Sparse triple_stress(const Stored& stored, Index n) {  // Σ α·(T_ij − T_ik)
  std::vector<Eigen::Triplet<double>> entries;
  const auto add = [&](Index a, Index b, double value) {
    entries.emplace_back(int(a), int(a), value);
    entries.emplace_back(int(b), int(b), value);
    entries.emplace_back(int(a), int(b), -value);
    entries.emplace_back(int(b), int(a), -value);
  };
  if (stored.alpha.size() > 0) {
    const std::vector<Index> i = numbers(stored.triples.col(0), n), j = numbers(stored.triples.col(1), n),
                             k = numbers(stored.triples.col(2), n);
    for (std::size_t t = 0; t < i.size(); ++t) {
      add(i[t], j[t], stored.alpha(Index(t)));
      add(i[t], k[t], -stored.alpha(Index(t)));
    }
  }
  Sparse sum(n, n);
  sum.setFromTriplets(entries.begin(), entries.end());
  return sum;
}

bool are_leading(const Matrix& E, const Matrix& F) {
  constexpr double kNear = 1e-4;  // parts of the largest eigenvalue: the solvers' eigenvectors
  const Index rank = std::min(E.cols(), F.cols());
  if (rank == 0) return E.squaredNorm() == 0;
  const Vector values = symmetric_eigen(F.transpose() * F).values.head(rank);  // decreasing
  const double largest = std::max(values(0), 0.0), size = kNear * (largest + E.squaredNorm());
  if (E.rightCols(E.cols() - rank).squaredNorm() > size) return false;
  const Matrix leading = E.leftCols(rank);
  if ((leading.transpose() * leading - Matrix(values.asDiagonal())).cwiseAbs().maxCoeff() > size) return false;
  const Matrix image = F * (F.transpose() * leading);
  return (image - leading * values.asDiagonal()).norm() <= size * std::sqrt(largest);
}

}  // namespace

void look_at_embedding(const Matrix& E, const Matrix& F, KernelCheck& check) {
  if (are_leading(E, F)) return;
  check.kept = false;
  check.notes.emplace_back("the embedding in the model is not that of the kernel");
}

void check_capacity(const Stored& stored, const Problem& problem, const Matrix& drawn_to, double penalty,
                    const Matrix& E, KernelCheck& check, const RunContext& context) {
  const auto spectrum = [&](const Pulled& pull) { return whole_spectrum(pull, stored, context); };
  const auto at = [&](const Vector& alpha) {
    return Pulled{laplacian_of(problem.graph, alpha), pull_of(stored.method, problem, drawn_to)};
  };
  const Pulled pull = at(stored.kernel_alpha);
  const Whole kernel = spectrum(pull);
  look_at_embedding(E, kernel.F, check);
  const Vector residual = problem.squared - distances_in(kernel.F, problem.graph);
  check.primal = -pulled(pull.pull, kernel.F) + 0.5 * penalty * residual.squaredNorm() + kernel.cost;
  const double support = stored.alpha == stored.kernel_alpha ? kernel.support : spectrum(at(stored.alpha)).support;
  check.dual = edge_dual(stored.alpha, problem.squared, penalty) - support;
  check.positive = kernel.positive;
  check.spectrum = "LAPACK";
}

void check_structure(const Stored& stored, const Problem& problem, double penalty, double stored_slack, const Matrix& E,
                     KernelCheck& check, const RunContext& context) {
  const Index n = problem.graph.vertices;
  const Pulled pull{triple_stress(stored, n), pull_of(stored.method, problem, {})};
  const Whole whole = whole_spectrum(pull, stored, context);
  look_at_embedding(E, whole.F, check);
  const double slack = largest_violation(whole.F, problem.graph, context);
  check.primal = -pulled(pull.pull, whole.F) + penalty * slack + whole.cost;
  check.dual = -whole.support;
  check.positive = whole.positive;
  check.spectrum = "LAPACK";
  note(check.notes, "slack {:.3g} over all triples, the model says {:.3g}", slack, stored_slack);
  if (stored.alpha.size() > 0 && (stored.alpha.minCoeff() < 0 || stored.alpha.sum() > penalty * (1 + kFeasible))) {
    check.feasible = false;
    check.notes.push_back("alpha is not a share of the price of the slack");
  }
}

namespace {

// By how much α is to be lowered on every edge, L the graph's Laplacian: the least t with A(α) ⪯ t·L, both without the
// first vertex, for A does not see where the origin is. `allowed`: what t may be too large by.
double excess_over(const Pulled& pull, const Sparse& L, double allowed, const RunContext& context) {
  const Index n = L.rows();
  const Eigen::SimplicialLLT<Sparse> cholesky(Sparse(L.bottomRightCorner(n - 1, n - 1)));
  const MatrixFreeOperator sum = pull.sum();
  const MatrixFreeOperator pencil{n - 1, [&](BlockIn in, BlockOut out) {
                                    Matrix block = Matrix::Zero(n, in.cols()), image(n, in.cols());
                                    block.bottomRows(n - 1) =
                                        cholesky.permutationPinv() * Matrix(cholesky.matrixU().solve(Matrix(in)));
                                    centre(block);
                                    sum.apply(block, image);
                                    centre(image);
                                    const Matrix turned = cholesky.permutationP() * Matrix(image.bottomRows(n - 1));
                                    out = cholesky.matrixL().solve(turned);
                                  }};
  constexpr Index kVectors = 300;
  const LargestPair top = largest_pair(pencil, allowed, kVectors, {}, context);
  return std::max(0.0, top.value + top.residual);
}

// The same from λmax(A(α)) and the softest direction of the graph: dearer by far where the former is not rounding.
double excess_by_norms(const Pulled& pull, const Sparse& L, const RunContext& context) {
  EigenRequest low;
  low.pick = Count{2};
  low.end = End::smallest;
  low.tolerance = 1e-8;
  const EigenPairs stiffness = require_complete(EigenSolver(EigenMethod::dense)(DenseOperator{Matrix(L)}, low, context),
                                                "the graph's stiffness");
  EigenRequest high;
  high.tolerance = 1e-8;
  const EigenPairs top =
      require_complete(EigenSolver(EigenMethod::dense)(DenseOperator{filled(pull.sum())}, high, context),
                       "the largest eigenvalue of A(alpha)");
  return std::max(0.0, top.values(0) + top.residual) / (stiffness.values(1) - stiffness.residual);
}

// The same among the vectors U·x, exactly.
double excess_within(const Pulled& pull, const Sparse& L, const Matrix& U) {
  const SymmetricEigen stiffness = symmetric_eigen(U.transpose() * (L * U));
  const Matrix root = stiffness.vectors * stiffness.values.cwiseSqrt().cwiseInverse().asDiagonal();
  return std::max(0.0, symmetric_values(root.transpose() * within(pull.sum(), U) * root)(0));
}

}  // namespace

void look_at_smooth(const Matrix& U, const Matrix& F, const Graph& graph, KernelCheck& check) {
  constexpr double kOrthonormal = 1e-8, kEigen = 1e-3, kSpanned = 1e-6;
  const Sparse L = laplacian_of(graph, Vector::Ones(Index(graph.edges.size())));
  const Matrix image = L * U, inner = U.transpose() * image;
  const bool orthonormal =
      (U.transpose() * U - Matrix::Identity(U.cols(), U.cols())).cwiseAbs().maxCoeff() <= kOrthonormal;
  const bool eigen = (image - U * inner).norm() <= kEigen * inner.norm();
  const bool spanned = (F - U * (U.transpose() * F)).norm() <= kSpanned * F.norm();
  if (orthonormal && eigen && spanned) return;
  check.kept = false;
  check.notes.emplace_back(orthonormal && eigen ? "the kernel in the model is not within its smooth vectors"
                                                : "the smooth vectors in the model are not eigenvectors of the graph");
}

// The stored factor, and α lowered until it is feasible; as it is stored only rounding is missing.
void check_free(UnfoldMethod method, const ProblemPart& part, const Vector& alpha, const Matrix& F,
                const Matrix& drawn_to, const Matrix& smooth, double penalty, KernelCheck& check,
                const RunContext& context) {
  const Problem& problem = part.problem;
  const Pulled pull{laplacian_of(problem.graph, alpha), pull_of(method, problem, drawn_to)};
  const Vector residual = problem.squared - distances_in(F, problem.graph);
  const double primal = -pulled(pull.pull, F) + 0.5 * penalty * residual.squaredNorm();
  check.primal += primal;
  const Sparse L = laplacian_of(problem.graph, Vector::Ones(Index(problem.graph.edges.size())));
  const bool bound = smooth.cols() > 0, small = bound || problem.graph.vertices <= kDenseCheck;
  if (bound) look_at_smooth(smooth, F, problem.graph, check);
  const double allowed = 0.01 * check.tolerance * std::abs(primal) / problem.squared.sum();
  const double above = bound   ? excess_within(pull, L, smooth)
                       : small ? excess_by_norms(pull, L, context)
                               : excess_over(pull, L, allowed, context);
  check.dual += edge_dual(Vector(alpha.array() - above), problem.squared, penalty);
  check.positive += above > 0 ? 1 : 0;
  check.spectrum = small ? "LAPACK" : "Lanczos against the graph's Laplacian";
}

}  // namespace ritz::unfold::second_look
