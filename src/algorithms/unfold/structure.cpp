// SPDX-License-Identifier: MIT
// SPE: maximise ⟨HWH, K⟩ − C·ξ over K ⪰ 0, tr K² <= B, where every stranger j of i is at least as far as every
// neighbour k, up to one shared slack: D_ij >= D_ik − ξ. Of the n²·k triples only those that some kernel violated enter
// the dual, whose α then is feasible for all of them; the sweep that looks for them also gives ξ, and with it a primal
// value.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "algorithms/unfold/parts.hpp"
#include "oracles/csdp/kernel_program.hpp"
#include "ritz/base/error.hpp"
#include "ritz/pairs/backend.hpp"

namespace ritz::unfold {

namespace {

constexpr OrderRequest kJoining{.strangers = 4, .neighbours = 2};  // of a vertex, a round: nearest and farthest
constexpr Index kSmall = 600;                                      // the full spectrum is cheap

std::vector<std::vector<Index>> adjacency(const Graph& graph) {
  std::vector<std::vector<Index>> lists(std::size_t(graph.vertices));
  for (const Edge& edge : graph.edges) {
    lists[std::size_t(edge.i)].push_back(edge.j);
    lists[std::size_t(edge.j)].push_back(edge.i);
  }
  for (auto& list : lists) std::sort(list.begin(), list.end());
  return lists;
}

std::vector<EntryTerm> terms(const OrderTriple& triple) {  // D_ij − D_ik
  const auto [i, j, k] = triple;
  return {{j, j, 1}, {i, j, -2}, {k, k, -1}, {i, k, 2}};
}

// New triples enter with α = 0; the list stays sorted.
void join(std::vector<OrderTriple>& active, Vector& alpha, const std::vector<OrderTriple>& violated) {
  std::vector<std::pair<OrderTriple, double>> all;
  for (std::size_t a = 0; a < active.size(); ++a) all.emplace_back(active[a], alpha(Index(a)));
  for (const OrderTriple& triple : violated)
    if (!std::binary_search(active.begin(), active.end(), triple)) all.emplace_back(triple, 0.0);
  std::sort(all.begin(), all.end());
  active.clear();
  alpha.resize(Index(all.size()));
  for (std::size_t a = 0; a < all.size(); ++a) {
    active.push_back(all[a].first);
    alpha(Index(a)) = all[a].second;
  }
}

}  // namespace

Result solve_structure(const Problem& problem, const Options& options, RunContext& context) {
  if (options.solver == Solver::csdp) return solve_structure_by_csdp(problem, options, context);
  const Graph& graph = problem.graph;
  const Index n = graph.vertices;
  const auto order = backend_or_cpu(context).order_sweep(adjacency(graph));
  const double budget = options.budget > 0 ? options.budget : double(n);
  const double penalty = options.penalty > 0 ? options.penalty : 1.0;
  const bool small = n <= kSmall;

  kernel_dual::Problem dual;
  dual.base = structure_base(graph);
  dual.loss = Hinge{penalty};
  dual.capacity = {kernel_dual::Capacity::Form::budget, budget, 2};
  if (options.ridge > 0) dual.capacity = {kernel_dual::Capacity::Form::ridge, options.ridge, 2};

  std::vector<OrderTriple> active;
  Vector alpha(0);
  double lowest_slack = 0;  // ν: where the shared slack is priced in, the strangers may come this much nearer
  double best_primal = std::numeric_limits<double>::infinity(), best_dual = -best_primal;
  Result result;
  result.penalty = penalty;
  kernel_dual::Result fit;
  double allowed_low = 0, allowed_high = -1;  // bracket of ν

  const auto rebuild = [&](double slack) {
    std::vector<std::vector<EntryTerm>> rows;
    rows.reserve(active.size());
    for (const OrderTriple& triple : active) rows.push_back(terms(triple));
    dual.measurements = Measurements(n, rows);
    dual.targets = Vector::Constant(Index(active.size()), -slack);
  };
  const auto step = [&](int round) {
    kernel_dual::Options how;
    how.solver =
        options.solver == Solver::automatic && !small ? kernel_dual::Solver::lbfgsb : dual_solver(options.solver);
    how.tolerance = 1e-9;
    how.max_iterations = small ? std::min(options.max_iterations, 200) : 6;
    RunContext inner = context.nested("fit");
    rebuild(lowest_slack);
    if (active.empty()) how.max_iterations = 1;
    fit = kernel_dual::solve(dual, how, inner, alpha);
    if (fit.summary.termination == Termination::interrupted) throw Interrupted{Interrupted::Why::cancelled};
    alpha = fit.best.alpha;
    result.evaluations += fit.evaluations;

    // The dual bound of the shared slack: α >= 0 with Σα <= C, and no price for the slack.
    const double total = alpha.sum();
    const auto objective_part = [&](const kernel_dual::Result& at) {
      const RowMatrix F = at.kernel.root();
      RowMatrix image;
      dual.base.apply_rows(F, image, context);
      double value = -image.cwiseProduct(F).sum();
      if (options.ridge > 0) value += 0.5 * options.ridge * at.kernel.weights.squaredNorm();
      return std::pair{value, F};
    };
    const double bound = fit.best.dual + lowest_slack * total;  // −capacity*(A(α))
    if (total <= penalty * (1 + 1e-12) && bound > best_dual) {
      best_dual = bound;
      result.alpha = alpha;
      result.triples.clear();
      for (const OrderTriple& triple : active) result.triples.push_back({triple.i, triple.stranger, triple.neighbour});
    }
    const auto [value, F] = objective_part(fit);
    OrderFacts found = order->sweep(F, kJoining, context);
    const double primal = value + penalty * found.slack;
    if (primal < best_primal) {
      best_primal = primal;
      result.slack = found.slack;
      result.objective = primal;
      take_kernel(result, fit, options, context);
    }
    result.rounds = round;
    result.constraints = Index(active.size());
    const double size = std::max({std::abs(best_primal), std::abs(best_dual), 1e-300});
    const double gap = std::isfinite(best_dual) ? std::max(0.0, best_primal - best_dual) / size : 1.0;

    // Is the slack worth its price? Σα falls as ν grows; at the optimum Σα = C, or ν = 0.
    if (total > penalty * (1 + 1e-9)) {
      allowed_low = lowest_slack;
      lowest_slack = allowed_high > 0 ? 0.5 * (allowed_low + allowed_high)
                                      : std::max(2 * lowest_slack, std::max(0.5 * found.slack, 1e-3));
    } else if (lowest_slack > 0 && total < 0.999 * penalty) {
      allowed_high = lowest_slack;
      lowest_slack = 0.5 * (allowed_low + allowed_high);
    }
    join(active, alpha, found.violated);

    StepReport report;
    report.objective = best_primal;
    report.measure = gap;
    report.extra = {double(result.constraints), result.slack};
    return report;
  };
  StopRule stop;
  stop.tolerance = resolved_tolerance(options);
  stop.max_iterations = options.rounds;
  result.summary = iterate(step, stop, {"triples", "slack"}, context);
  require_embedding(result);
  result.dual = best_dual;
  result.gap = best_primal - best_dual;
  result.relative_gap = result.summary.measure;
  result.summary.used["solver"] = fit.summary.used["solver"];
  return result;
}

}  // namespace ritz::unfold
