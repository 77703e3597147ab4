// SPDX-License-Identifier: MIT
#include "oracles/csdp/forms.hpp"

namespace ritz {

namespace {

// maximise <C, X>: costs enter C with a minus. Block 0 is K, block 1 the non-negative numbers, then a 2 × 2 block each
// square.
struct MatrixProgram {
  void reward(Index row, Index column, double value) { program.objective.push_back({0, row, column, value}); }
  std::vector<SdpEntry>& constraint(double right) {
    program.right.push_back(right);
    return program.constraints.emplace_back();
  }
  SdpEntry non_negative(double cost, double coefficient) {
    const Index place = -program.blocks[1]--;
    if (cost != 0) program.objective.push_back({1, place, place, -cost});
    return {1, place, place, coefficient};
  }
  // A free number r whose square costs: [1 r; r s] ⪰ 0 says s >= r².
  SdpEntry squared(double cost) {
    const Index block = Index(program.blocks.size());
    program.blocks.push_back(2);
    program.objective.push_back({block, 1, 1, -cost});
    constraint(1).push_back({block, 0, 0, 1});
    return {block, 0, 1, 0.5};
  }

  SdpProblem program;
};

}  // namespace

ConicForm kernel_as_matrix(const ConicKernelProblem& problem) {
  const Index n = problem.base.rows(), size = problem.centred ? n - 1 : n;
  const double C = problem.penalty;
  ConicForm form;
  MatrixProgram program{{.blocks = {size, 0}}};
  for (Index j = 0; j < size; ++j)
    for (Index i = 0; i <= j; ++i)
      if (problem.base(i, j) != 0) program.reward(i, j, problem.base(i, j));

  SdpEntry shared{};
  if (problem.slack == ConicSlack::shared) shared = program.non_negative(C, 1);
  for (const ConicMeasurement& measurement : problem.measurements) {
    const double w = measurement.weight;
    // What stands beside <M, K> so that the sum is the target.
    std::vector<SdpEntry> rest;
    if (problem.slack == ConicSlack::shared) {
      rest = {shared, program.non_negative(0, -1)};
    } else if (problem.slack == ConicSlack::each) {
      switch (problem.loss) {
        case ConicLoss::linear:
          form.constant += w * C * measurement.target;
          for (const auto& [row, column, value] : measurement.entries)
            if (row < size && column < size) program.reward(row, column, w * C * value);
          continue;
        case ConicLoss::hinge:
          rest = {program.non_negative(w * C, 1), program.non_negative(0, -1)};
          break;
        case ConicLoss::square_hinge:
          rest = {program.squared(w * C / 2), program.non_negative(0, -1)};
          break;
        case ConicLoss::square:
          rest = {program.squared(w * C / 2)};
          break;
        case ConicLoss::none:
          break;  // refused before
      }
    }
    std::vector<SdpEntry>& constraint = program.constraint(measurement.target);
    for (const auto& [row, column, value] : measurement.entries)
      if (row < size && column < size) constraint.push_back({0, row, column, value});
    constraint.insert(constraint.end(), rest.begin(), rest.end());
  }

  if (problem.regulariser == ConicRegulariser::trace) {
    std::vector<SdpEntry>& budget = program.constraint(problem.strength);
    for (Index j = 0; j < size; ++j)
      for (Index i = 0; i <= j; ++i)
        if (i == j || problem.centred) budget.push_back({0, i, j, (i == j) - (problem.centred ? 1 / double(n) : 0)});
    budget.push_back(program.non_negative(0, 1));
  }
  form.program = std::move(program.program);
  return form;
}

}  // namespace ritz
