// SPDX-License-Identifier: MIT
// With a ridge or budget, and spe, which has one: the kernel is c·A(α)₊.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "linalg/eigen.hpp"
#include "tasks/model/access.hpp"
#include "tasks/unfold/check.hpp"

namespace ritz::unfold::second_look {

using namespace model_access;

namespace {

constexpr double kFeasible = 1e-9;  // relative: signs and the sum of spe's α

struct Whole {
  Matrix F;            // K = c·A₊ = FFᵀ
  double support = 0;  // capacity*(A)
  double cost = 0;     // G/2·tr K²
  Index positive = 0;
};

Whole whole_spectrum(const Pulled& pulled, const Stored& stored, const RunContext& context) {
  const Index n = pulled.pull.n;
  EigenRequest request;
  request.pick = Count{n};
  const DenseOperator A{filled(pulled.sum())};
  const EigenPairs all =
      require_complete(EigenSolver(EigenMethod::dense)(A, request, context), "the spectrum of A(alpha)");
  Whole whole;
  whole.positive = (all.values.array() > 0).count();
  const Vector values = all.values.head(whole.positive);
  const double squares = values.squaredNorm();
  const double scale = stored.budget > 0 ? (squares > 0 ? std::sqrt(stored.budget / squares) : 0.0) : 1 / stored.ridge;
  whole.F = all.vectors.leftCols(whole.positive) * (scale * values).cwiseSqrt().asDiagonal();
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

}  // namespace

void check_capacity(const Stored& stored, const Problem& problem, const Matrix& drawn_to, double penalty,
                    KernelCheck& check, const RunContext& context) {
  const auto spectrum = [&](const Pulled& pull) { return whole_spectrum(pull, stored, context); };
  const auto at = [&](const Vector& alpha) {
    return Pulled{laplacian_of(problem.graph, alpha), pull_of(stored.method, problem, drawn_to)};
  };
  const Pulled pull = at(stored.kernel_alpha);
  const Whole kernel = spectrum(pull);
  const Vector residual = problem.squared - distances_in(kernel.F, problem.graph);
  check.primal = -pulled(pull.pull, kernel.F) + 0.5 * penalty * residual.squaredNorm() + kernel.cost;
  const double support = stored.alpha == stored.kernel_alpha ? kernel.support : spectrum(at(stored.alpha)).support;
  check.dual = edge_dual(stored.alpha, problem.squared, penalty) - support;
  check.positive = kernel.positive;
  check.spectrum = "LAPACK";
}

void check_structure(const Stored& stored, const Problem& problem, double penalty, double stored_slack,
                     KernelCheck& check, const RunContext& context) {
  const Index n = problem.graph.vertices;
  const Pulled pull{triple_stress(stored, n), pull_of(stored.method, problem, {})};
  const Whole whole = whole_spectrum(pull, stored, context);
  const double slack = largest_violation(whole.F, problem.graph, context);
  check.primal = -pulled(pull.pull, whole.F) + penalty * slack + whole.cost;
  check.dual = -whole.support;
  check.positive = whole.positive;
  check.spectrum = "LAPACK";
  check.notes.push_back(fmt::format("slack {:.3g} over all triples, the model says {:.3g}", slack, stored_slack));
  if (stored.alpha.size() > 0 && (stored.alpha.minCoeff() < 0 || stored.alpha.sum() > penalty * (1 + kFeasible))) {
    check.feasible = false;
    check.notes.push_back("alpha is not a share of the price of the slack");
  }
}

}  // namespace ritz::unfold::second_look
