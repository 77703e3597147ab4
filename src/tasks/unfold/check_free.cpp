// SPDX-License-Identifier: MIT
// Without a limit: the stored factor, and α lowered until it is feasible.
#include <algorithm>

#include "linalg/eigen.hpp"
#include "tasks/bounds/bounds.hpp"
#include "tasks/unfold/check.hpp"

namespace ritz::unfold::second_look {

void check_free(UnfoldMethod method, const ProblemPart& part, const Vector& alpha, const Matrix& F,
                const Matrix& drawn_to, double penalty, KernelCheck& check, const RunContext& context) {
  const Problem& problem = part.problem;
  const Pulled pull{laplacian_of(problem.graph, alpha), pull_of(method, problem, drawn_to)};
  const Vector residual = problem.squared - distances_in(F, problem.graph);
  check.primal += -pulled(pull.pull, F) + 0.5 * penalty * residual.squaredNorm();

  EigenRequest low;
  low.pick = Count{2};
  low.end = End::smallest;
  low.tolerance = 1e-8;
  const SparseOperator L{laplacian_of(problem.graph, Vector::Ones(Index(problem.graph.edges.size())))};
  const EigenPairs stiffness = require_complete(EigenSolver()(L, low, context), "the graph's stiffness");
  EigenRequest high;
  high.tolerance = 1e-8;
  EigenSolver solver;
  const bool small = problem.graph.vertices <= kDenseCheck;
  const EigenPairs top = require_complete(
      small ? solver(DenseOperator{filled(pull.sum())}, high, context) : solver(pull.sum(), high, context),
      "the largest eigenvalue of A(alpha)");
  const double above = std::max(0.0, top.values(0) + top.residual);
  const double softest = stiffness.values(1) - stiffness.residual;
  const Vector repaired = alpha.array() - above / softest;
  check.dual += edge_dual(repaired, problem.squared, penalty);
  check.positive += above > 0 ? 1 : 0;
  check.spectrum = solver.last_plan().reason;
}

}  // namespace ritz::unfold::second_look
