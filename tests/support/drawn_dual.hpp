// SPDX-License-Identifier: MIT
// Random problems of kernel learning, and their dual and primal value by definition.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "algorithms/kernel_dual.hpp"
#include "ritz/base/random.hpp"

namespace ritz::test {

using namespace ritz::kernel_dual;

inline Capacity ridge(double G, double p = 2) { return {Capacity::Form::ridge, G, p}; }
inline Capacity budget(double B, double p = 2) { return {Capacity::Form::budget, B, p}; }

// A random graph's −L (or anything symmetric), pairs among few points, so that entries are shared, and some loss.
struct Drawn {
  Index n = 8, pairs = 12;
  double identity = 0;
  bool laplacian = true;
};
inline Problem drawn(const Drawn& how, const AnyLoss& loss, const Capacity& capacity, std::uint64_t seed) {
  Rng random(seed, "test.kernel_dual");
  const Index n = how.n;
  Matrix S = Matrix::Zero(n, n);
  for (Index e = 0; e < 2 * n; ++e) {
    const Index i = random.below(n), j = random.below(n);
    if (i != j) S(i, j) = S(j, i) = 1;
  }
  Matrix L = Matrix(S.rowwise().sum().asDiagonal()) - S;
  L /= 4;
  Problem problem;
  problem.base.sparse = (how.laplacian ? Matrix(-L) : Matrix(S)).sparseView();
  problem.base.identity = how.identity;
  std::vector<SignedPair> list;
  for (Index k = 0; k < how.pairs; ++k) {
    const Index i = random.below(n), j = random.below(n);
    if (i != j) list.push_back({std::min(i, j), std::max(i, j), random.uniform(-1, 1) > 0 ? 1.0 : -1.0});
  }
  problem.measurements = pair_entries(n, list);
  problem.targets = Vector::Ones(Index(list.size()));
  problem.weight = 2;
  problem.loss = loss;
  problem.capacity = capacity;
  return problem;
}

inline std::vector<AnyLoss> every_loss(double penalty) {
  std::vector<AnyLoss> list;
  for (const std::string& name : loss_names()) list.push_back(make_loss(name, penalty));
  return list;
}

// A point inside the dual's domain.
inline Vector inner_alpha(const Problem& problem, Rng& random) {
  const Interval box = std::visit([](const auto& each) { return each.dual_domain(); }, problem.loss);
  Vector alpha(problem.targets.size());
  for (double& a : alpha) a = std::clamp(random.uniform(0.2, 0.9), box.low, box.high);
  return alpha;
}

inline RunContext alone() {
  RunContext context;
  context.threads = 1;
  return context;
}

// A(α)'s eigenvalues by Eigen's own solver.
inline Vector eigenvalues_at(const Problem& problem, const Vector& alpha) {
  Matrix A = problem.base.dense();
  const Vector added = problem.weight * problem.measurements.adjoint(alpha, {});
  for (Index s = 0; s < added.size(); ++s) {
    const auto [i, j] = problem.measurements.slot_list()[std::size_t(s)];
    A(i, j) += added(s);
    if (i != j) A(j, i) += added(s);
  }
  return Eigen::SelfAdjointEigenSolver<Matrix>(A, Eigen::EigenvaluesOnly).eigenvalues();
}

// J by its definition.
inline double dual_by_definition(const Problem& problem, const Vector& alpha, const Vector& values) {
  const double p = problem.capacity.power, q = p / (p - 1), value = problem.capacity.value;
  const double sum = values.cwiseMax(0.0).array().pow(q).sum();
  double conjugates = 0;
  std::visit(
      [&](const auto& each) {
        for (const double a : alpha) conjugates += each.conjugate(a);
      },
      problem.loss);
  return problem.weight * (alpha.dot(problem.targets) - conjugates) -
         (problem.capacity.form == Capacity::Form::ridge ? std::pow(value, 1 - q) / q * sum
                                                         : std::pow(value, 1 / p) * std::pow(sum, 1 / q));
}
inline double dual_by_definition(const Problem& problem, const Vector& alpha) {
  return dual_by_definition(problem, alpha, eigenvalues_at(problem, alpha));
}

// The primal by its definition.
inline double primal_by_definition(const Problem& problem, const SymFactor& kernel) {
  const Matrix K = kernel.dense();
  double value = -problem.base.dense().cwiseProduct(K).sum();
  Vector slots(problem.measurements.slots());
  for (Index s = 0; s < slots.size(); ++s) {
    const auto [i, j] = problem.measurements.slot_list()[std::size_t(s)];
    slots(s) = K(i, j);
  }
  const Vector residual = problem.targets - problem.measurements.measure(slots, {});
  std::visit(
      [&](const auto& each) {
        for (const double r : residual) value += problem.weight * each.value(r);
      },
      problem.loss);
  if (problem.capacity.form == Capacity::Form::ridge)
    value += problem.capacity.value / problem.capacity.power * kernel.weights.array().pow(problem.capacity.power).sum();
  return value;
}

inline const Capacity kCapacities[] = {ridge(0.5, 1.5), ridge(0.5, 2), ridge(0.5, 3),
                                       budget(3, 1.5),  budget(3, 2),  budget(3, 3)};

}  // namespace ritz::test
