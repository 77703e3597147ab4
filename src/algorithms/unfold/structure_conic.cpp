// SPDX-License-Identifier: MIT
// SPE with all its triples, by the general solver: an oracle for small graphs.
#include <fmt/format.h>

#include <algorithm>

#include "algorithms/unfold/parts.hpp"
#include "oracles/csdp/kernel_program.hpp"
#include "ritz/base/error.hpp"

namespace ritz::unfold {

namespace {

// r = D_ik − D_ij for every vertex i, neighbour k and stranger j.
std::vector<ConicMeasurement> all_triples(const Graph& graph) {
  const auto neighbours = adjacency(graph);
  std::vector<ConicMeasurement> rows;
  for (Index i = 0; i < graph.vertices; ++i) {
    const auto& mine = neighbours[std::size_t(i)];
    for (const Index k : mine)
      for (Index j = 0; j < graph.vertices; ++j)
        if (j != i && !std::ranges::binary_search(mine, j))
          rows.push_back(
              {{{j, j, 1}, {std::min(i, j), std::max(i, j), -1}, {k, k, -1}, {std::min(i, k), std::max(i, k), 1}}});
  }
  return rows;
}

}  // namespace

Result solve_structure_by_csdp(const Problem& problem, const Options& options, RunContext& context) {
  const Index n = problem.graph.vertices;
  if (n > kConicSquareLimit)
    throw Error(ErrorCode::unsupported,
                fmt::format("solver csdp takes spe up to {} vertices, and there are {}", kConicSquareLimit, n));
  ConicKernelProblem conic;
  conic.base = structure_base(problem.graph).dense();
  conic.measurements = all_triples(problem.graph);
  conic.slack = ConicSlack::shared;
  conic.penalty = options.penalty > 0 ? options.penalty : structure_penalty(problem.graph, options);
  conic.regulariser = options.ridge > 0 ? ConicRegulariser::ridge : ConicRegulariser::square_trace;
  conic.strength = options.ridge > 0 ? options.ridge : options.budget > 0 ? options.budget : double(n);
  Result result;
  result.penalty = conic.penalty;
  result.constraints = Index(conic.measurements.size());
  const kernel_dual::Result fit = solve_by_csdp(conic, SdpOptions{}.tolerance, context);
  take_kernel(result, fit, options, context.uninterrupted());
  const RowMatrix F = fit.kernel.root();
  result.slack = 0;
  const auto distance = [&](Index a, Index b) { return (F.row(a) - F.row(b)).squaredNorm(); };
  for (const ConicMeasurement& row : conic.measurements) {
    const Index j = row.entries[0].row, k = row.entries[2].row;
    const Index i = row.entries[1].row == j ? row.entries[1].column : row.entries[1].row;
    result.slack = std::max(result.slack, distance(i, k) - distance(i, j));
  }
  result.objective = fit.primal;
  result.dual = fit.dual;
  result.gap = fit.gap;
  result.relative_gap = fit.relative_gap;
  result.alpha = Vector::Zero(0);
  result.rounds = 1;
  result.summary = fit.summary;
  return result;
}

}  // namespace ritz::unfold
