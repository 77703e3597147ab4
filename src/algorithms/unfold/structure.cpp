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
#include "ritz/base/parallel.hpp"
#include "ritz/linalg/tall_products.hpp"

namespace ritz::unfold {

namespace {

constexpr Index kRowsPerTile = 64;
constexpr Index kStrangers = 4, kNeighbours = 2;  // of a vertex that join a round: the nearest and the farthest
constexpr Index kSmall = 600;                     // the full spectrum is cheap

struct Triple {
  Index i, stranger, neighbour;
  auto operator<=>(const Triple&) const = default;
};

struct Sweep {
  double slack = 0;  // ξ
  std::vector<Triple> violated;
};

std::vector<std::vector<Index>> adjacency(const Graph& graph) {
  std::vector<std::vector<Index>> lists(std::size_t(graph.vertices));
  for (const Edge& edge : graph.edges) {
    lists[std::size_t(edge.i)].push_back(edge.j);
    lists[std::size_t(edge.j)].push_back(edge.i);
  }
  for (auto& list : lists) std::sort(list.begin(), list.end());
  return lists;
}

// All pairs, in tiles: n² distances are looked at, none is kept.
Sweep sweep(const RowMatrix& F, const std::vector<std::vector<Index>>& neighbours, const RunContext& context) {
  const Index n = F.rows(), r = F.cols();
  const Vector squares = F.rowwise().squaredNorm();
  std::vector<Sweep> parts(std::size_t(tile_count(n, kRowsPerTile)));
  for_each_tile(Index(parts.size()), context, [&](Index t) {
    const Range rows = tile_range(n, kRowsPerTile, t);
    RowMatrix products(rows.size(), n);
    row_gemm(rows.size(), n, r, 1, {F.data() + rows.begin * r, r}, Transpose::no, {F.data(), r}, Transpose::yes, 0,
             {products.data(), n});
    Sweep& part = parts[std::size_t(t)];
    std::vector<std::pair<double, Index>> far, near;
    for (Index i = rows.begin; i < rows.end; ++i) {
      const auto& mine = neighbours[std::size_t(i)];
      if (mine.empty()) continue;
      const auto distance = [&](Index j) { return squares(i) + squares(j) - 2 * products(i - rows.begin, j); };
      far.clear();
      for (const Index k : mine) far.emplace_back(distance(k), k);
      std::sort(far.rbegin(), far.rend());
      near.clear();
      for (Index j = 0; j < n; ++j) {
        if (j == i || std::binary_search(mine.begin(), mine.end(), j)) continue;
        const double d = distance(j);
        if (d >= far[0].first) continue;
        near.emplace_back(d, j);
      }
      if (near.empty()) continue;
      const auto kept = std::min(near.size(), std::size_t(kStrangers));
      std::partial_sort(near.begin(), near.begin() + std::ptrdiff_t(kept), near.end());
      part.slack = std::max(part.slack, far[0].first - near[0].first);
      for (std::size_t a = 0; a < kept; ++a)
        for (std::size_t b = 0; b < std::min(far.size(), std::size_t(kNeighbours)); ++b)
          if (near[a].first < far[b].first) part.violated.push_back({i, near[a].second, far[b].second});
    }
  });
  Sweep all;
  for (Sweep& part : parts) {
    all.slack = std::max(all.slack, part.slack);
    all.violated.insert(all.violated.end(), part.violated.begin(), part.violated.end());
  }
  return all;
}

std::vector<EntryTerm> terms(const Triple& triple) {  // D_ij − D_ik
  const auto [i, j, k] = triple;
  return {{j, j, 1}, {i, j, -2}, {k, k, -1}, {i, k, 2}};
}

// New triples enter with α = 0; the list stays sorted.
void join(std::vector<Triple>& active, Vector& alpha, const std::vector<Triple>& violated) {
  std::vector<std::pair<Triple, double>> all;
  for (std::size_t a = 0; a < active.size(); ++a) all.emplace_back(active[a], alpha(Index(a)));
  for (const Triple& triple : violated)
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
  const auto neighbours = adjacency(graph);
  const double budget = options.budget > 0 ? options.budget : double(n);
  const double penalty = options.penalty > 0 ? options.penalty : 1.0;
  const bool small = n <= kSmall;

  kernel_dual::Problem dual;
  dual.base = structure_base(graph);
  dual.loss = Hinge{penalty};
  dual.capacity = {kernel_dual::Capacity::Form::budget, budget, 2};
  if (options.ridge > 0) dual.capacity = {kernel_dual::Capacity::Form::ridge, options.ridge, 2};

  std::vector<Triple> active;
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
    for (const Triple& triple : active) rows.push_back(terms(triple));
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
      for (const Triple& triple : active) result.triples.push_back({triple.i, triple.stranger, triple.neighbour});
    }
    const auto [value, F] = objective_part(fit);
    Sweep found = sweep(F, neighbours, context);
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
