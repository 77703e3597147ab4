// SPDX-License-Identifier: MIT
#include <cmath>

#include "oracles/csdp/forms.hpp"

namespace ritz {

namespace {

// minimise bᵀy with Σ yᵢ Aᵢ − C ⪰ 0: a constant enters C with a minus. Block 0 is K, block 1 the inequalities.
struct VariableProgram {
  Index variable(double cost) {
    program.right.push_back(cost);
    program.constraints.emplace_back();
    return Index(program.right.size()) - 1;
  }
  void add_cost(Index variable, double cost) { program.right[std::size_t(variable)] += cost; }
  Index block(Index size) {
    program.blocks.push_back(size);
    return Index(program.blocks.size()) - 1;
  }
  Index inequality() { return -program.blocks[1]--; }
  void term(Index variable, SdpEntry entry) { program.constraints[std::size_t(variable)].push_back(entry); }
  void constant(SdpEntry entry) {
    entry.value = -entry.value;
    program.objective.push_back(entry);
  }

  SdpProblem program;
};

Index place_of(Index row, Index column) {
  const Index low = std::min(row, column), high = std::max(row, column);
  return high * (high + 1) / 2 + low;
}

// + scale · <M, K> at one place of a block.
void add_measured(VariableProgram& program, const ConicMeasurement& measurement, SdpEntry at) {
  for (const auto& [row, column, value] : measurement.entries)
    program.term(place_of(row, column), {at.block, at.row, at.column, at.value * (row == column ? 1 : 2) * value});
}

// tⱼ >= the squares of column j's upper part, those off the diagonal twice, so that Σ tⱼ >= tr K². One arrow
// [I v; vᵀ tⱼ] ⪰ 0 a column: a single one for all of K would be a block of n²/2 rows.
std::vector<Index> add_column_squares(VariableProgram& program, Index n, double cost) {
  std::vector<Index> sums;
  for (Index j = 0; j < n; ++j) {
    const Index arrow = program.block(j + 2), tip = j + 1;
    for (Index i = 0; i <= j; ++i) {
      program.constant({arrow, i, i, 1});
      program.term(place_of(i, j), {arrow, i, tip, i == j ? 1 : std::sqrt(2.0)});
    }
    sums.push_back(program.variable(cost));
    program.term(sums.back(), {arrow, tip, tip, 1});
  }
  return sums;
}

// `slack` + <M, K> − target >= 0.
void add_shortfall(VariableProgram& program, const ConicMeasurement& measurement, Index slack) {
  const Index row = program.inequality();
  program.term(slack, {1, row, row, 1});
  add_measured(program, measurement, {1, row, row, 1});
  program.constant({1, row, row, -measurement.target});
}

void add_non_negative(VariableProgram& program, Index variable) {
  const Index row = program.inequality();
  program.term(variable, {1, row, row, 1});
}

// A variable that costs the square of the number whose place is returned: [1 r; r s] ⪰ 0 says s >= r².
SdpEntry add_square(VariableProgram& program, double cost) {
  const Index block = program.block(2), square = program.variable(cost);
  program.constant({block, 0, 0, 1});
  program.term(square, {block, 1, 1, 1});
  return {block, 0, 1, 1};
}

// The loss of one measurement with a slack of its own; returns the constant of the objective.
double add_loss(VariableProgram& program, const ConicMeasurement& measurement, ConicLoss loss, double cost) {
  switch (loss) {
    case ConicLoss::linear:
      for (const auto& [row, column, value] : measurement.entries)
        program.add_cost(place_of(row, column), -cost * (row == column ? 1 : 2) * value);
      return cost * measurement.target;
    case ConicLoss::hinge: {
      const Index slack = program.variable(cost);
      add_non_negative(program, slack);
      add_shortfall(program, measurement, slack);
      return 0;
    }
    case ConicLoss::square_hinge: {
      const SdpEntry root = add_square(program, cost / 2);
      const Index slack = program.variable(0);
      program.term(slack, root);
      add_shortfall(program, measurement, slack);
      return 0;
    }
    case ConicLoss::square: {
      SdpEntry root = add_square(program, cost / 2);
      root.value = measurement.target;
      program.constant(root);
      root.value = -1;
      add_measured(program, measurement, root);
      return 0;
    }
    case ConicLoss::none:
      return 0;  // refused before
  }
  return 0;
}

}  // namespace

ConicForm kernel_as_variables(const ConicKernelProblem& problem) {
  const Index n = problem.base.rows();
  ConicForm form;
  VariableProgram program{{.blocks = {n, 0}}};
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i <= j; ++i) {
      const Index entry = program.variable(-(i == j ? 1 : 2) * problem.base(i, j));
      program.term(entry, {0, i, j, 1});
    }

  if (problem.slack == ConicSlack::shared) {
    const Index slack = program.variable(problem.penalty);
    add_non_negative(program, slack);
    for (const ConicMeasurement& measurement : problem.measurements) add_shortfall(program, measurement, slack);
  } else {
    for (const ConicMeasurement& measurement : problem.measurements)
      form.constant += add_loss(program, measurement, problem.loss, measurement.weight * problem.penalty);
  }

  if (problem.regulariser == ConicRegulariser::ridge) {
    add_column_squares(program, n, problem.strength / 2);
  } else if (problem.regulariser == ConicRegulariser::square_trace) {
    const Index row = program.inequality();
    program.constant({1, row, row, problem.strength});
    for (const Index sum : add_column_squares(program, n, 0)) program.term(sum, {1, row, row, -1});
  }
  form.program = std::move(program.program);
  return form;
}

}  // namespace ritz
