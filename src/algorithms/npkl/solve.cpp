// SPDX-License-Identifier: MIT
#include "ritz/algorithms/npkl.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "linalg/eigen.hpp"
#include "oracles/csdp/kernel_program.hpp"
#include "ritz/base/error.hpp"

namespace ritz::npkl {

namespace {

// The smoothest vectors of the graph: the low end of L.
RowMatrix smoothest(const Sparse& laplacian, Index count, const RunContext& context) {
  EigenRequest request;
  request.pick = Count{count};
  request.end = End::smallest;
  request.tolerance = 1e-8;
  return require_complete(EigenSolver()(SparseOperator{laplacian}, request, context),
                          "the smoothest vectors of the graph")
      .vectors;
}

Result taken(kernel_dual::Result fit) {
  Result result;
  result.kernel = std::move(fit.kernel);
  result.eigenvalues = std::move(fit.eigenvalues);
  result.primal = fit.primal;
  result.dual = fit.dual;
  result.gap = fit.gap;
  result.relative_gap = fit.relative_gap;
  result.positive = fit.best.spectrum.count;
  result.alpha = std::move(fit.best.alpha);
  result.evaluations = fit.evaluations;
  result.summary = std::move(fit.summary);
  return result;
}

Result solved(const kernel_dual::Problem& problem, const Options& options, RunContext& context) {
  if (options.solver == Solver::csdp) {  // an oracle, and for comparisons
    Result result = taken(solve_by_csdp(problem, std::clamp(options.tolerance, 1e-9, 1e-2), context));
    result.alpha.resize(0);
    return result;
  }
  return taken(kernel_dual::solve(
      problem, {.solver = options.solver, .tolerance = options.tolerance, .max_iterations = options.max_iterations},
      context));
}

}  // namespace

kernel_dual::Problem make_problem(const Sparse& laplacian, const PairSet& pairs, const Options& options) {
  check(options);
  const Index n = laplacian.rows();
  if (pairs.pairs.empty()) throw Error(ErrorCode::bad_data, "there is no pair to learn from");
  if (options.ridge > 0 && options.budget > 0)
    throw Error(ErrorCode::bad_option,
                "kernel.ridge and kernel.budget are two forms of the same limit; give one of them");
  std::vector<SignedPair> list;
  list.reserve(pairs.pairs.size());
  for (const LinkedPair& pair : pairs.pairs) {
    if (pair.i < 0 || pair.i >= n || pair.j < 0 || pair.j >= n || pair.i == pair.j)
      throw Error(ErrorCode::bad_data,
                  fmt::format("there is no pair of samples {} and {} among {}", pair.i, pair.j, n));
    list.push_back({pair.i, pair.j, double(pair.sign)});
  }
  kernel_dual::Problem problem;
  problem.base.sparse = -SparseRows(laplacian);
  problem.measurements = pair_entries(n, list);
  problem.targets = Vector::Ones(Index(list.size()));
  problem.weight = 2;
  problem.loss = make_loss(options.loss, options.penalty);
  problem.capacity.power = options.power;
  if (options.budget > 0)
    problem.capacity = {kernel_dual::Capacity::Form::budget, options.budget, options.power};
  else
    problem.capacity = {kernel_dual::Capacity::Form::ridge, options.ridge > 0 ? options.ridge : default_ridge(n),
                        options.power};
  return problem;
}

Result solve(const Sparse& laplacian, const PairSet& pairs, const Options& options, RunContext& context) {
  kernel_dual::Problem problem = make_problem(laplacian, pairs, options);
  if (options.solver == Solver::csdp && options.low_rank > 0)
    throw Error(ErrorCode::bad_option, "kernel.low_rank is not for solver csdp");
  if (options.low_rank > laplacian.rows())
    throw Error(ErrorCode::bad_option,
                fmt::format("kernel.low_rank is {}, but there are {} samples", options.low_rank, laplacian.rows()));
  if (options.low_rank > 0) problem.within = smoothest(laplacian, options.low_rank, context);
  Result result = solved(problem, options, context);
  const auto* linear = std::get_if<LinearLoss>(&problem.loss);
  result.objective = linear ? problem.weight * linear->penalty * problem.targets.sum() - result.primal : result.primal;
  result.summary.objective = result.objective;
  const RowMatrix F = result.kernel.root();
  Index met = 0;
  for (const LinkedPair& pair : pairs.pairs) met += pair.sign * F.row(pair.i).dot(F.row(pair.j)) > 0;
  result.satisfied = double(met) / double(pairs.pairs.size());
  if (result.kernel.weights.size() == 0)
    result.summary.notes.push_back(
        fmt::format("K = 0: the pairs are too weak against the smoothness on the graph (the largest eigenvalue of A is "
                    "not positive); raise kernel.penalty, now {}, or give more pairs",
                    options.penalty));
  return result;
}

RowMatrix extend(const SymFactor& kernel, const Vector& eigenvalues, const Vector& degrees,
                 const std::vector<std::vector<Index>>& links) {
  RowMatrix F = RowMatrix::Zero(Index(links.size()), kernel.basis.cols());
  const Vector factor = kernel.weights.cwiseSqrt().array() / (1 + eigenvalues.array());
  for (std::size_t x = 0; x < links.size(); ++x) {
    if (links[x].empty()) continue;
    for (const Index j : links[x])
      F.row(Index(x)) += kernel.basis.row(j) / std::sqrt(double(links[x].size()) * std::max(1.0, degrees(j)));
    F.row(Index(x)).array() *= factor.transpose().array();
  }
  return F;
}

PairSet active_pairs(const Sparse& laplacian, const PairSet& pairs, Index points, const Options& options,
                     RunContext& context) {
  Options linear = options;
  linear.loss = "linear";
  linear.solver = Solver::automatic;
  linear.low_rank = 0;
  const Result fit = solve(laplacian, pairs, linear, context);
  const RowMatrix F = fit.kernel.root();
  const Index n = laplacian.rows();
  Vector margin = Vector::Zero(n), links = Vector::Zero(n);
  for (const LinkedPair& pair : pairs.pairs) {
    const double value = pair.sign * F.row(pair.i).dot(F.row(pair.j));
    for (const Index end : {pair.i, pair.j}) margin(end) += value, links(end) += 1;
  }
  std::vector<Index> named;
  for (Index i = 0; i < n; ++i)
    if (links(i) > 0) named.push_back(i);
  std::stable_sort(named.begin(), named.end(),
                   [&](Index a, Index b) { return std::abs(margin(a) / links(a)) < std::abs(margin(b) / links(b)); });
  named.resize(std::min(named.size(), std::size_t(points)));
  std::sort(named.begin(), named.end());
  const auto chosen = [&](Index i) { return std::binary_search(named.begin(), named.end(), i); };
  PairSet active = pairs;
  std::erase_if(active.pairs, [&](const LinkedPair& pair) { return !chosen(pair.i) && !chosen(pair.j); });
  return active;
}

}  // namespace ritz::npkl
